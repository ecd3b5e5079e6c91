// Runs: waits, first
// Needs: browser, ffmpeg, store

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createRoom as contract } from "../../contract/rooms/rooms.ts";
import type { RecordingRow } from "../../server/db/recording-tables.ts";
import { MAKING, recordingPath, recordingsFolder } from "../../server/recordings/folder.ts";
import { createRoom } from "../../server/rooms/rooms.ts";
import { outcome } from "../cli/run.ts";
import { noStore } from "../run/store.ts";
import { forgetsErasures, movesFirst, storesAfterErasure } from "../twins/keepers.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { filesBelow } from "../world/files.ts";
import { openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { onlyComplete } from "../world/seed.ts";
import type { Beside, Environment } from "../world/world.ts";
import { PATIENCE } from "./files.ts";
import { addRecording, type Films, makeFilms } from "./films.ts";
import { type S3Server, SECRET, startS3 } from "./s3-server.ts";
import { folderOf, keysOf, startStored } from "./stored.ts";
import { openHoldableFfmpeg } from "./wrapped-programs.ts";

const films = noStore ? undefined : makeFilms();
const options = { skip: noStore };

/** Larger than one part of an upload. */
const LARGE = 12 * 1024 ** 2;

/** The same films, but that of MP4 is random bytes, to detect mixed-up parts. */
const largeFilms = ({ hls, mp4 }: Films): Films => {
  const large = join(mp4, "..", "large");
  mkdirSync(large, { recursive: true });
  writeFileSync(join(large, "480p.mp4"), randomBytes(LARGE));
  return { hls, mp4: large };
};

const begin = (t: TestContext, twin?: Twin, more: Environment = {}) =>
  startStored(t, films ?? assert.fail("There is no store."), twin, more);

const erasuresIn = ({ database }: Pick<Beside, "database">) =>
  database.read.selectFrom("erasures").selectAll().where("store", "<>", "elsewhere").execute();

test(
  "a recording moves to the store whole, plays from there, and leaves nothing here",
  options,
  async (t) => {
    const { s3, world, tenant, add, moved, read, facts, rowOf } = await begin(t);
    assert.ok(films);
    const large = largeFilms(films);
    const [hls, mp4] = [await add(), await add(large, { format: "mp4" })];
    for (const row of [hls, mp4]) {
      await moved(row);
      await until("nothing stays here", () => filesBelow(folderOf(world, row)).length === 0);
    }
    assert.deepEqual(s3.keys(), [...keysOf(hls), ...keysOf(mp4)].sort());
    for (const name of filesBelow(films.hls)) {
      assert.ok((await read(hls, name)).body.equals(readFileSync(join(films.hls, name))), name);
    }
    const whole = readFileSync(join(large.mp4, "480p.mp4"));
    assert.ok((await read(mp4, "480p.mp4")).body.equals(whole));
    const range = `bytes=${LARGE - 4_000_000}-${LARGE - 3_999_001}`;
    const part = await read(mp4, "480p.mp4", { range });
    assert.equal(part.status, 206);
    assert.ok(part.body.equals(whole.subarray(LARGE - 4_000_000, LARGE - 3_999_000)));
    assert.deepEqual([(await facts()).waiting, (await facts()).erasing], [0, 0]);

    // A file for download is made from the store, kept there, and removed with the recording.
    const download = () => tenant.ask("downloadRecording", { recordingId: hls.id });
    await until("it is made", async () => (await download()).status === 200, PATIENCE);
    const listed = (await rowOf(hls.id)) ?? assert.fail();
    assert.deepEqual(s3.keys(), [...keysOf(listed), ...keysOf(mp4)].sort());
    assert.equal((await tenant.ask("deleteRecording", { recordingId: hls.id })).status, 200);
    await until("it is erased", () => s3.keys().join() === keysOf(mp4).join());
    const { dataDir } = world.config;
    await until("nothing stays here", () => filesBelow(recordingsFolder(dataDir)).length === 0);
    assert.ok(!world.log.join("").includes(SECRET));
  },
);

test(
  "a recording with an unreadable file stays here, is logged, and holds up no other",
  options,
  async (t) => {
    const { world, add, moved, rowOf, tenant } = await begin(t);
    assert.ok(films);
    const change = (row: RecordingRow, to: Partial<RecordingRow>) =>
      tenant.change(({ tx }) =>
        tx.updateTable("recordings").set(to).where("id", "=", row.id).execute(),
      );
    // While another process has it, the service leaves it alone.
    const broken = await add(films, { process: "other", lease_until: "2999-01-01T00:00:00.000Z" });
    const file = join(folderOf(world, broken), "index.m3u8");
    rmSync(file);
    mkdirSync(file);
    const files = (JSON.parse(broken.files ?? "") as { name: string; bytes: number }[]).map(
      (one) => (one.name === "index.m3u8" ? { ...one, bytes: statSync(file).size } : one),
    );
    await change(broken, { files: JSON.stringify(files), process: null, lease_until: null });
    await moved(await add());
    await until("it is named", () =>
      world.log.some((line) => line.includes(broken.id) && line.includes("EISDIR")),
    );
    assert.equal((await rowOf(broken.id))?.store, "folder");
    rmSync(file, { recursive: true });
    cpSync(join(films.hls, "index.m3u8"), file);
    await change(broken, { files: broken.files, lease_until: null });
    await moved(broken);
  },
);

/**
 * While the store is unavailable, nothing is lost, everything on this machine plays, and the status reports
 * it.
 */
const storeAway = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { s3, world, tenant, add, moved, read, rowOf, facts } = await begin(t, twin);
  const first = await add();
  await moved(first);
  await until("nothing of it stays here", async () => (await erasuresIn(world)).length === 0);
  await s3.stop();
  const second = await add();
  const deleted = { recordingId: first.id };
  if (twin !== forgetsErasures) {
    await until(
      "an upload was tried, or said to be done",
      async () =>
        world.log.some((line) => line.includes("is not in the store yet")) ||
        (await rowOf(second.id))?.store === "s3",
    );
    const played = await read(second, "480p/0.m4s");
    assert.deepEqual([played.status, (await facts()).waiting], [200, 1]);
    const away = await read(first, "480p/0.m4s");
    assert.equal(away.status, 503, "what is in the store comes back with it");
  }
  assert.equal((await tenant.ask("deleteRecording", deleted)).status, 200);
  assert.equal((await tenant.ask("fetchRecording", deleted)).status, 404);
  await until("its erasure was tried", async () =>
    (await erasuresIn(world)).every(({ tries }) => tries > 0),
  );
  await s3.start();
  await until("nothing is left to erase", async () => (await erasuresIn(world)).length === 0);
  assert.deepEqual(
    s3.keys().filter((key) => keysOf(first).includes(key)),
    [],
    "nothing stays in the store",
  );
  await moved(second);
  await until("all is there", () => s3.keys().join() === keysOf(second).join());
  assert.deepEqual((await facts()).waiting, 0);
  assert.ok(!world.log.join("").includes(SECRET));
};

test(
  "P-REC-3: nothing is lost while the store is unavailable, and deleted recordings are erased when it is back",
  options,
  (t) => storeAway(t),
);

if (!noStore) {
  testTwin("P-REC-3: a twin that forgets erasures in the store is detected", async (t) => {
    await assert.rejects(storeAway(t, forgetsErasures), { code: "ERR_ASSERTION" });
  });
  testTwin(
    "a twin that marks a recording as moved before it is in the store is detected",
    async (t) => {
      await assert.rejects(storeAway(t, movesFirst), { code: "ERR_ASSERTION" });
    },
  );
}

/** A file is being made from a recording in the store; its room is deleted, and the work continues. */
const deletedMeanwhile = async (t: TestContext, twin?: Twin, patience?: number): Promise<void> => {
  const ffmpeg = openHoldableFfmpeg(t);
  const { s3, world, tenant, room, add, moved } = await begin(t, twin, ffmpeg.environment);
  const isErased = async () => (await erasuresIn(world)).length === 0;
  const isGivenUp = () =>
    filesBelow(join(recordingsFolder(world.config.dataDir), MAKING)).length === 0;
  const row = await add();
  await moved(row);
  await until("nothing of it stays here", isErased);
  ffmpeg.hold();
  const { status } = await tenant.ask("downloadRecording", { recordingId: row.id });
  assert.equal(status, 202);
  await until("a file of it is being made", ffmpeg.hasRun, PATIENCE);
  assert.equal((await tenant.ask("deleteRoom", { id: room })).status, 200);
  await until("it is erased, or the file given up", async () => isGivenUp() || (await isErased()));
  ffmpeg.goOn();
  await until("the file is made, or given up", isGivenUp, PATIENCE);
  await until("nothing is left there", () => s3.keys().length === 0, patience);
};

test(
  "P-REC-3: a room deleted while a file of its recording is made leaves nothing in the store",
  options,
  (t) => deletedMeanwhile(t),
);

if (!noStore) {
  testTwin(
    "P-REC-3: a twin that does not check again, and stores after the erasure, is detected",
    async (t) => {
      await assert.rejects(deletedMeanwhile(t, storesAfterErasure, 15_000), /Waited in vain/);
    },
  );
}

/** A room whose recordings are in the store or on their way; it is deleted, and the service killed. */
test("P-REC-3: a deleted room leaves nothing in the store, even after kill -9 while it was unavailable", {
  skip: options.skip || onlyComplete,
}, async (t) => {
  assert.ok(films);
  const s3: S3Server = await startS3(t);
  const house = await openHouse(t, { environment: s3.environment });
  const { room, rows } = await house.beside(async (beside) => {
    const tenant = await beside.tenant();
    const input = contract.input.parse({ name: "Room", roomOwnerId: tenant.admin.id });
    const made = JSON.parse(await tenant.change((c) => createRoom(c, input)));
    const shelf = { ...beside.config, change: tenant.change };
    const facts = { format: "mp4" } as const;
    return {
      room: { id: made.room as string, token: tenant.token },
      rows: [
        await addRecording(shelf, films, made.room),
        await addRecording(shelf, largeFilms(films), made.room, facts),
      ],
    };
  });
  // Killed as soon as anything is in the store: in the middle of an upload, or between two.
  const first = await startProcess(t, house.environment);
  await until("an upload has begun", () => s3.keys().length > 0);
  await first.end("SIGKILL");
  const freeLeases = () =>
    house.beside(({ database }) =>
      database.change((tx) =>
        tx
          .updateTable("recordings")
          .set({ lease_until: new Date(0).toISOString() })
          .where("lease_until", "is not", null)
          .execute(),
      ),
    );
  await freeLeases();
  const second = await startProcess(t, house.environment);
  await until(
    "both are there, and nothing else",
    () => s3.keys().join() === rows.flatMap(keysOf).sort().join(),
  );
  await until("nothing is left here", () =>
    rows.every(
      (row) =>
        filesBelow(join(recordingsFolder(house.environment.DATA_DIR ?? ""), recordingPath(row)))
          .length === 0,
    ),
  );
  await s3.stop();
  const answer = await fetch(`${second.url}/api/roomSetting/${room.id}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${room.token}`, "content-type": "application/json" },
  });
  assert.equal(answer.status, 200, await answer.text());
  await second.end("SIGKILL");
  await s3.start();
  assert.ok(s3.keys().length > 0);
  await startProcess(t, house.environment);
  await until("nothing is left there", () => s3.keys().length === 0);
});

test("doctor writes and removes an object, and reports faults of the store without its secret", {
  skip: options.skip || onlyComplete,
}, async (t) => {
  const s3 = await startS3(t);
  const house = await openHouse(t, { environment: s3.environment });
  const checkOf = async (environment: Readonly<Record<string, string>>) => {
    const { out, err } = await outcome(environment, "doctor");
    assert.ok(!`${out}${err}`.includes(SECRET));
    const { checks } = JSON.parse(out);
    return checks.find(({ name }: { readonly name: string }) => name === "store of recordings");
  };
  assert.equal((await checkOf(house.environment)).status, "ok");
  assert.deepEqual(s3.keys(), []);
  const wrong = await checkOf({ ...house.environment, S3_SECRET_ACCESS_KEY: `${SECRET}x` });
  const refused = /does not allow this key to do that: SignatureDoesNotMatch/;
  assert.deepEqual([wrong.status, refused.test(wrong.found)], ["fault", true]);
  const other = await checkOf({ ...house.environment, S3_BUCKET: "no-such-bucket" });
  assert.deepEqual(
    [other.status, /has no such bucket: NoSuchBucket/.test(other.found)],
    ["fault", true],
  );
  await s3.stop();
  const away = await checkOf(house.environment);
  assert.deepEqual(
    [away.status, /Nothing answers .*ECONNREFUSED/.test(away.found)],
    ["fault", true],
  );
});
