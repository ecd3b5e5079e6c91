import assert from "node:assert/strict";
import { test } from "node:test";
import { chunkReader, TYPE, writeChunks } from "../../server/live/chunks.ts";

const message = (length: number, byte: number) => ({
  type: TYPE.command,
  stream: 1,
  timestamp: 7,
  body: Buffer.alloc(length, byte),
});

test("RTMP messages are assembled from alternating chunks in any pieces", () => {
  const sent = [message(300, 1), message(200, 2)] as const;
  const [one, two] = sent.map((each, n) => writeChunks(3 + n, each, 128));
  assert.ok(one && two);
  // The first chunks have a header of 12 bytes, the others of one.
  const bytes = Buffer.concat([
    one.subarray(0, 140),
    two.subarray(0, 140),
    one.subarray(140, 269),
    two.subarray(140),
    one.subarray(269),
  ]);
  for (const piece of [1, 100, bytes.length]) {
    const read = chunkReader();
    const found = [];
    for (let at = 0; at < bytes.length; at += piece) {
      found.push(...read(bytes.subarray(at, at + piece)));
    }
    assert.deepEqual(found, [sent[1], sent[0]], `in pieces of ${piece}`);
  }
});

test("a receiver that begins messages on many chunk streams and completes none is read no further", () => {
  const read = chunkReader();
  const begin = (chunkStream: number) =>
    read(writeChunks(chunkStream, message(999_999, 0), 128).subarray(0, 140));
  const begins = () => {
    for (let chunkStream = 3; chunkStream < 64; chunkStream += 1) begin(chunkStream);
  };
  assert.throws(begins, RangeError);

  const changing = chunkReader();
  changing(writeChunks(3, message(300, 0), 128).subarray(0, 140));
  assert.throws(() => changing(writeChunks(3, message(10, 0), 128)), RangeError);

  // Complete ones do not count.
  const whole = chunkReader();
  const bytes = writeChunks(3, message(999_999, 0), 128);
  for (let n = 0; n < 5; n += 1) assert.equal(whole(bytes).length, 1);
});
