// Runs: sqlite, waits

import assert from "node:assert/strict";
import { test } from "node:test";
import { openRecognizer } from "../../server/transcription/recognize.ts";
import { startAnswering } from "../world/answering.ts";

test("a speech service that asks to wait is asked again at that time, for anybody's words", async (t) => {
  const times: number[] = [];
  const url = await startAnswering(t, (_request, response) => {
    times.push(performance.now());
    if (times.length > 2) return response.end(JSON.stringify({ text: "Hello" }));
    response.writeHead(429, { "retry-after": times.length === 1 ? "4" : "3" }).end();
  });
  const service = { kind: "service", url: `${url}/`, key: undefined, model: "m" } as const;
  const recognize = openRecognizer(service, {});
  const { signal } = new AbortController();
  await assert.rejects(recognize(Buffer.from("one"), signal), { name: "SpeechError" });
  assert.equal((await recognize(Buffer.from("two"), signal)).text, "Hello");
  const [first = 0, second = 0, third = 0] = times;
  assert.ok(second - first > 3_900, `${second - first} ms`);
  assert.ok(third - second > 2_900, `${third - second} ms`);
});
