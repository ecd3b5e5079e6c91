// Runs: postgres-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { checkCounters } from "../properties/model.ts";
import { addRecordingRow } from "../recordings/rows.ts";
import { restoresBeyond, trustsEntries } from "../twins/bins.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import {
  done,
  entriesOf,
  idsOf,
  keeping,
  kindsOf,
  made,
  newestOf,
  refused,
  revokedPerson,
} from "./keeping.ts";

const world = await startWorld(test);

test("the history takes back a deletion into the bin, a restoration, and a recording's new name", async () => {
  const tenant = await keeping(world);
  const { ask, admin, change, id } = tenant;
  const ann = await revokedPerson(tenant, `undo@${id}.example.org`);
  for (const room of ["a", "b"]) await made(ask, { room, roomOwnerId: admin.id });
  const undoLast = async (subject: string) =>
    ask("undoChange", { number: (await newestOf(ask, subject)).number });
  done(await ask("binRooms", { rooms: ["a", "b"] }));
  done(await ask("binUsers", { userIds: [ann.id] }));
  const binned = await newestOf(ask, "a");
  assert.deepEqual([binned.before, binned.after], [{ inBin: false }, { inBin: true }]);

  assert.equal((await undoLast("a")).body.undone.length, 2);
  done(await undoLast(ann.id));
  assert.deepEqual(await idsOf(ask), []);
  refused(await ask("undoChange", { number: binned.number }), "changed_since");
  assert.equal((await newestOf(ask, "a")).undoes, binned.number);
  assert.equal((await undoLast("b")).body.undone.length, 2);
  done(await undoLast(ann.id));
  assert.equal((await idsOf(ask)).length, 3);
  for (const entry of await idsOf(ask)) done(await ask("deleteFromBin", { id: entry }));
  refused(await ask("undoChange", { number: binned.number }), "not_in_bin");
  assert.equal((await checkCounters(world, id)).rooms, 0);

  await made(ask, { room: "c", roomOwnerId: admin.id });
  const recordingId = await change((begun) => addRecordingRow(begun, "c"));
  const { name } = (await ask("fetchRecording", { recordingId })).body.recording;
  done(await ask("renameRecording", { recordingId, name: "Other" }));
  done(await undoLast(recordingId));
  assert.equal((await ask("fetchRecording", { recordingId })).body.recording.name, name);
  done(await undoLast(recordingId));
  const { number } = await newestOf(ask, recordingId);
  done(await ask("renameRecording", { recordingId, name: "Third" }));
  refused(await ask("undoChange", { number }), "changed_since");
});

/** Rooms are restored and created at once, by two processes, up to a limit. */
const raceForLimit = async (t: TestContext, twin?: Twin): Promise<void> => {
  const raced = twin ? await startWorld(t, { twin }) : world;
  const { ask, askAt, admin, id } = await keeping(raced, { rooms: 6 });
  const other = askAt(await raced.second());
  const names = ["a", "b", "c", "d", "e"];
  for (const room of names) await made(ask, { room, roomOwnerId: admin.id });
  done(await ask("binRooms", { rooms: names }));
  for (let n = 0; n < 4; n += 1) await made(ask, { roomOwnerId: admin.id });
  const ids = await idsOf(ask);
  refused(await ask("restoreFromBin", { ids }), "room_limit");
  const answers = await Promise.all([
    ...ids.map((one, n) => (n % 2 === 0 ? ask : other)("restoreFromBin", { ids: [one] })),
    ...ids.map(() => other("createRoom", { name: "New", roomOwnerId: admin.id })),
  ]);
  assert.equal(answers.filter(({ status }) => status < 300).length, 2);
  assert.equal((await checkCounters(raced, id)).rooms, 6);
};

test("P-LIM-1: however many rooms are restored and created at once, an organization stays within its limit", (t) =>
  raceForLimit(t));

testTwin("a twin that restores without checking the limit is detected", async (t) => {
  await assert.rejects(raceForLimit(t, restoresBeyond), { code: "ERR_ASSERTION" });
});

/** The same entries are restored, deleted and swept at the same time, by two processes. */
const raceForEntries = async (t: TestContext, twin?: Twin): Promise<void> => {
  const raced = twin ? await startWorld(t, { twin }) : world;
  const tenant = await keeping(raced);
  const { ask, askAt, admin, id } = tenant;
  const other = askAt(await raced.second());
  const rooms = Array.from({ length: 12 }, (_, n) => `r${n}`);
  for (const room of rooms) await made(ask, { room, roomOwnerId: admin.id });
  done(await ask("binRooms", { rooms }));
  const entries = await entriesOf(ask);
  await raced.database.change((tx) =>
    tx
      .updateTable("bin")
      .set({ ends_at: new Date(0).toISOString() })
      .where("organization_id", "=", id)
      .where("name_key", "=", "board")
      .execute(),
  );
  const outcomes = await Promise.all(
    entries.map(async (entry, n) => {
      const [first, second] = n % 2 === 0 ? [ask, other] : [other, ask];
      const answers = await Promise.all([
        first("restoreFromBin", { ids: [entry.id] }),
        second("restoreFromBin", { ids: [entry.id] }),
        second("deleteFromBin", { id: entry.id }),
      ]);
      return { entry, answers };
    }),
  );
  await until("the bin is empty", async () => (await idsOf(ask)).length === 0);
  for (const { entry, answers } of outcomes) {
    const won = answers.filter(({ status }) => status === 200);
    assert.ok(won.length <= 1, "one at most has had the entry");
    const isBack = answers.slice(0, 2).some(({ status }) => status === 200);
    const { status } = await ask("fetchRoom", { id: entry.subjectId });
    assert.equal(status, isBack ? 200 : 404);
    const kinds = await kindsOf(ask, entry.subjectId);
    assert.deepEqual(kinds, [isBack ? "roomUnbinned" : "roomDeleted", "roomBinned", "roomCreated"]);
  }
  await checkCounters(raced, id);
};

test("an entry in the bin is restored, deleted or swept only once, even under concurrent requests", (t) =>
  raceForEntries(t));

testTwin(
  "a twin that trusts an earlier look, and handles an entry twice, is detected",
  async (t) => {
    await assert.rejects(raceForEntries(t, trustsEntries), { code: "ERR_ASSERTION" });
  },
);
