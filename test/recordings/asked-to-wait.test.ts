// Runs: sqlite, waits
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { openS3 } from "../../server/recordings/s3-store.ts";
import { startAnswering } from "../world/answering.ts";
import { until } from "../world/process.ts";

const SLOW_DOWN = `<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Later</Message></Error>`;

const openStore = (endpoint: string) =>
  openS3({
    endpoint,
    region: "us-east-1",
    bucket: "films",
    accessKeyId: "key",
    secretAccessKey: "secret",
    pathStyle: true,
    prefix: "",
  });

test("a store that asks to wait gets no upload or erasure until then", async (t) => {
  let requests = 0;
  let isBusy = true;
  const endpoint = await startAnswering(t, (_request, response) => {
    requests += 1;
    if (isBusy) response.writeHead(503, { "retry-after": "1200" }).end(SLOW_DOWN);
    else response.writeHead(404).end();
  });
  const now = performance.now.bind(performance);
  let later = 0;
  t.mock.method(performance, "now", () => now() + later);
  const store = openStore(endpoint);
  await assert.rejects(store.erase("o/r/1"), { name: "StoreAway", message: /SlowDown|503/ });
  const asked = requests;
  isBusy = false;
  await assert.rejects(store.erase("o/r/2"), { name: "StoreAway" });
  await assert.rejects(store.sizeOf("o/r/2/film.mp4"), { name: "StoreAway" });
  assert.equal(requests, asked, "it was asked before the time that it named");
  later = 1_300_000;
  assert.equal(await store.sizeOf("o/r/2/film.mp4"), undefined);
});

test("a failure without a time does not shorten a named one", async (t) => {
  const held: ServerResponse[] = [];
  const endpoint = await startAnswering(t, (request, response) => {
    if (request.url?.includes("named")) {
      response.writeHead(503, { "retry-after": "1200" }).end(SLOW_DOWN);
    } else held.push(response);
  });
  const store = openStore(endpoint);
  const other = assert.rejects(store.sizeOf("o/other"), { name: "StoreAway" });
  await until("the other request is there", () => held.length === 1);
  await assert.rejects(store.sizeOf("o/named"), { name: "StoreAway" });
  held[0]?.writeHead(403).end();
  await other;
  await assert.rejects(store.sizeOf("o/third"), /asks to wait/);
});
