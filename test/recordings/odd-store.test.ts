// Runs: sqlite
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { openS3, type S3Store } from "../../server/recordings/s3-store.ts";
import { type HttpAnswer, startAnswering } from "../world/answering.ts";

/** A store whose answers the test decides. */
const answering = async (t: TestContext, answer: HttpAnswer): Promise<S3Store> =>
  openS3({
    endpoint: await startAnswering(t, answer),
    region: "us-east-1",
    bucket: "films",
    accessKeyId: "key",
    secretAccessKey: "secret",
    pathStyle: true,
    prefix: "kept/",
  });

const PAGE = "<!doctype html><html><body>Please sign in</body></html>";
const away = { name: "StoreAway" };

test("where a page with status 200 answers for the store, nothing counts as erased, read or healthy", async (t) => {
  for (const body of [PAGE, "", "<Page/>", '{"ok": true}']) {
    const store = await answering(t, (_, response) => {
      // One of them without its length.
      if (body === PAGE) response.flushHeaders();
      response.end(body);
    });
    await assert.rejects(store.erase("o/r/1"), away, body);
    await assert.rejects(store.check(), away, body);
    await assert.rejects(store.read("o/r/1/1.m4s", 4_000), away, body);
    await assert.rejects(store.read("o/r/1/1.m4s", 4_000, { start: 0, end: 99 }), away, body);
  }
});

const listOf = (keys: readonly string[]): string =>
  `<ListBucketResult><Name>films</Name><KeyCount>${keys.length}</KeyCount>${keys
    .map((key) => `<Contents><Key>${key}</Key></Contents>`)
    .join("")}</ListBucketResult>`;

test("a store that lists files that were not asked for loses none of them", async (t) => {
  let erased = 0;
  const store = await answering(t, ({ method, url = "" }, response) => {
    if (method === "DELETE") erased += 1;
    const isList = method === "GET" && url.includes("list-type");
    response.end(isList ? listOf(["kept/o/r/1/a.mp4", "kept/o/r/2/a.mp4"]) : "<Uploads/>");
  });
  await assert.rejects(store.erase("o/r/1"), away);
  assert.equal(erased, 0);
});

test("a store that keeps erased files is asked again later, and not endlessly", async (t) => {
  let erased = 0;
  const store = await answering(t, ({ method, url = "" }, response) => {
    if (method === "DELETE") erased += 1;
    if (erased > 100) return response.end(listOf([]));
    return response.end(url.includes("list-type") ? listOf(["kept/o/r/1/a.mp4"]) : "<Uploads/>");
  });
  await assert.rejects(store.erase("o/r/1"), away);
  assert.equal(erased, 1);
});
