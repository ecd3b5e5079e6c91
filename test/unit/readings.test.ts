import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Readings } from "../../server/http/reading.ts";

const body = (announced?: number) => {
  const stream = new PassThrough();
  const headers = announced === undefined ? {} : { "content-length": `${announced}` };
  return { stream, message: Object.assign(stream, { headers }) as unknown as IncomingMessage };
};

const limits = { body: 10_000, ofOne: 20_000, inAll: 38_000 };

test("a body arrives whole, in any parts, and leaves its place to others", async () => {
  const readings = new Readings(limits);
  for (let n = 0; n < 100; n += 1) {
    const { stream, message } = body();
    const read = readings.read(message, "one");
    for (let at = 0; at < 10_000; at += 1_250) stream.write("x".repeat(1_250));
    stream.end();
    assert.equal(String(await read), "x".repeat(10_000));
  }
  const failing = body();
  const failed = readings.read(failing.message, "one");
  failing.stream.destroy(new Error("gone"));
  await assert.rejects(failed, /gone/);
});

test("a growing body replaces the oldest one of its holder, or of the holder with most", async () => {
  const readings = new Readings(limits);
  const begin = async (holder: string, bytes: number) => {
    const { stream, message } = body();
    let code = "";
    readings.read(message, holder).catch((error: { readonly code: string }) => {
      code = error.code;
    });
    stream.write("x".repeat(bytes));
    await turn();
    return { stream, code: () => code };
  };
  const first = await begin("one", 10_000);
  const second = await begin("one", 10_000);
  assert.deepEqual([first.code(), second.code()], ["", ""]);
  const third = await begin("one", 100);
  assert.deepEqual([first.code(), second.code()], ["too_many_requests", ""]);
  const other = await begin("other", 9_000);
  const more = await begin("other", 9_000);
  assert.deepEqual([second.code(), third.code(), other.code(), more.code()], ["", "", "", ""]);
  const last = await begin("last", 9_000);
  assert.deepEqual([other.code(), more.code(), last.code()], ["overloaded", "", ""]);
});

test("a body that is too large is refused by its length, or once it is", async () => {
  const readings = new Readings(limits);
  assert.throws(() => readings.read(body(10_001).message, "one"), { code: "body_too_large" });
  const { stream, message } = body();
  const read = readings.read(message, "one");
  stream.write("x".repeat(10_001));
  await assert.rejects(read, { code: "body_too_large" });
});
