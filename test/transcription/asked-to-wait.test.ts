// Runs: sqlite, waits

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { openRecognizer } from "../../server/transcription/recognize.ts";

test("a speech service that asks to wait is asked again at that time, for anybody's words", async (t) => {
  const times: number[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.once("end", () => {
      times.push(performance.now());
      if (times.length > 2) return response.end(JSON.stringify({ text: "Hello" }));
      response.writeHead(429, { "retry-after": times.length === 1 ? "4" : "3" }).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const recognize = openRecognizer({ kind: "service", url, key: undefined, model: "m" }, {});
  const { signal } = new AbortController();
  await assert.rejects(recognize(Buffer.from("one"), signal), { name: "SpeechError" });
  assert.equal((await recognize(Buffer.from("two"), signal)).text, "Hello");
  const [first = 0, second = 0, third = 0] = times;
  assert.ok(second - first > 3_900, `${second - first} ms`);
  assert.ok(third - second > 2_900, `${third - second} ms`);
});
