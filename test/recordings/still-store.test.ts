// Runs: complete, waits
// Needs: browser, ffmpeg, store

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { noStore } from "../run/store.ts";
import { hasty, noticesNothing } from "../twins/still.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { startAnswering } from "../world/answering.ts";
import { until } from "../world/process.ts";
import { makeFilms } from "./films.ts";
import { startLibrary } from "./library.ts";
import { startStored } from "./stored.ts";

test("while the store hangs recordings stay here, and move once it answers", {
  skip: noStore,
}, async (t) => {
  const { s3, world, add, moved, read } = await startStored(
    t,
    makeFilms(),
    hasty({ store: 2_000 }),
  );
  const first = await add();
  await moved(first);
  s3.freeze();
  t.after(s3.thaw);
  const second = await add();
  await until("an upload is given up", () =>
    world.log.some((line) => line.includes("is not in the store yet")),
  );
  assert.equal((await read(second, "480p/0.m4s")).status, 200, "it plays from here");
  assert.equal((await read(first, "480p/0.m4s")).status, 503);
  s3.thaw();
  await moved(second);
  assert.equal((await read(first, "480p/0.m4s")).status, 200);
});

/** A store that sends half of each file, and then nothing more. */
const startHalfStore = (t: TestContext, film: string): Promise<string> =>
  startAnswering(t, ({ url = "" }, response) => {
    const [, name = ""] = /(480p\/[\w.]+)/.exec(url) ?? [];
    const bytes = readFileSync(join(film, name));
    response.writeHead(200, { "content-length": bytes.length });
    response.write(bytes.subarray(0, bytes.length / 2));
  });

/** A download is made of a file that the store sends half. */
const stopHalfway = async (t: TestContext, twin: Twin, patience?: number): Promise<void> => {
  const url = await startHalfStore(t, makeFilms().hls);
  const facts = { S3_BUCKET: "recordings", S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "s" };
  const library = await startLibrary({ S3_ENDPOINT: url, ...facts }, t, twin);
  const row = await library.add({ store: "s3" });
  const ask = () => library.tenant.ask("downloadRecording", { recordingId: row.id });
  assert.equal((await ask()).status, 202);
  let answer = await ask();
  const isOver = async () => {
    answer = await ask();
    return answer.status !== 202;
  };
  await until("its source is given up", isOver, patience);
  assert.deepEqual([answer.status, answer.body.code], [503, "recordings_unavailable"]);
  assert.equal((await ask()).status, 202, "the next request tries again");
};

test("a store that stops in the middle of a file holds up no download", (t) =>
  stopHalfway(t, hasty({ store: 2_000 })));

testTwin("a twin that does not notice it is detected", async (t) => {
  await assert.rejects(stopHalfway(t, noticesNothing, 15_000), /in vain: its source is given up/);
});
