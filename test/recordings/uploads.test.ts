// Runs: waits
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { RecordingRow } from "../../server/db/recording-tables.ts";
import { removeLeftDownloads } from "../../server/recordings/downloads.ts";
import { openS3 } from "../../server/recordings/s3-store.ts";
import { openStores } from "../../server/recordings/stores.ts";
import { findInStore, upload } from "../../server/recordings/upload.ts";
import { type HttpAnswer, startAnswering } from "../world/answering.ts";
import { startWorld } from "../world/world.ts";
import { addRecording, makeFilms } from "./films.ts";

const films = makeFilms();

test("a process that lost a recording to another erases nothing of it in the store", async (t) => {
  const world = await startWorld(t);
  const tenant = await world.tenant();
  const { body } = await tenant.ask("createRoom", { name: "R", roomOwnerId: tenant.admin.id });
  const shelf = { ...world.config, change: tenant.change };
  const row = await addRecording(shelf, films, body.roomSetting.room);
  const holdAs = async (process: string): Promise<void> => {
    await tenant.change(({ tx }) =>
      tx.updateTable("recordings").set({ process }).where("id", "=", row.id).execute(),
    );
  };
  const done: string[] = [];
  const refuse = () => assert.fail("This is not used.");
  const store = {
    read: refuse,
    check: refuse,
    put: async () => void done.push("put"),
    sizeOf: async () => {
      done.push("size");
      return undefined;
    },
    erase: async (_folder: string, signal?: AbortSignal): Promise<void> => {
      // Meanwhile the lease runs out, and the other process uploads.
      await holdAs("another process");
      if (signal) await once(signal, "abort");
      signal?.throwIfAborted();
      done.push("erased");
    },
  };
  const stores = { ...openStores(world.config), s3: async () => store };
  const { database } = world;
  const { signal } = new AbortController();
  const move = (
    work: (worker: Parameters<typeof upload>[0], row: RecordingRow) => Promise<boolean>,
  ) => work({ database, stores, processId: "this process", signal }, row);
  await holdAs("another process");
  await assert.rejects(move(upload), { name: "AbortError" });
  await assert.rejects(move(findInStore), { name: "AbortError" });
  await holdAs("this process");
  await assert.rejects(move(upload), { name: "AbortError" });
  assert.deepEqual(done, []);
});

test("a folder that cannot be removed keeps nothing else of killed processes", async (t) => {
  const world = await startWorld(t);
  const removed: string[] = [];
  const making = mkdtempSync(join(tmpdir(), "parley-making-"));
  t.after(() => rmSync(making, { recursive: true, force: true }));
  for (const name of ["1", "2"]) mkdirSync(join(making, name));
  const erase = async (folder: string): Promise<void> => {
    if (folder.endsWith("/1")) throw new Error("It is busy.");
    removed.push(folder);
  };
  const stores = openStores(world.config);
  const folder = { ...stores.folder, path: () => making, erase };
  const warned: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void warned.push(line) };
  await removeLeftDownloads(world.database, { ...stores, folder }, log);
  assert.deepEqual([removed, warned.length], [["making/2"], 1]);
});

/** A store whose answers the test decides. @returns the methods of its requests */
const answering = async (t: TestContext, answer: HttpAnswer) => {
  const asked: string[] = [];
  const endpoint = await startAnswering(t, (request, response) => {
    asked.push(request.method ?? "");
    answer(request, response);
  });
  const s3 = openS3({
    endpoint,
    bucket: "b",
    region: "us-east-1",
    prefix: "",
    accessKeyId: "a",
    secretAccessKey: "s",
    pathStyle: true,
  });
  return { s3, asked };
};

test("an upload stopped during its comparison ends, and reads nothing back", async (t) => {
  const stopped = new AbortController();
  const file = join(films.mp4, "480p.mp4");
  const bytes = statSync(file).size;
  const { s3, asked } = await answering(t, ({ method }, response) => {
    if (method === "HEAD") stopped.abort();
    response.writeHead(200, { etag: '"1"', ...(method === "HEAD" && { "content-length": bytes }) });
    response.end();
  });
  await assert.rejects(s3.put("film", file, bytes, stopped.signal), { name: "AbortError" });
  assert.deepEqual(asked, ["PUT", "HEAD"]);
});

test("objects listed in the store are not erased after the lease is lost", async (t) => {
  const lost = new AbortController();
  const { s3, asked } = await answering(t, ({ url = "" }, response) => {
    if (url.includes("uploads")) return response.end("<ListMultipartUploadsResult/>");
    lost.abort();
    const found = asked.includes("DELETE") ? "" : "<Contents><Key>one</Key></Contents>";
    response.end(`<ListBucketResult>${found}</ListBucketResult>`);
  });
  await assert.rejects(s3.erase("folder", lost.signal), { name: "AbortError" });
  assert.deepEqual(asked, ["GET", "GET"]);
});
