// Runs: sqlite-first, waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { countsTheOutage } from "../twins/seats.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { askAs } from "../world/ask.ts";
import { onPostgres } from "../world/empty-database.ts";
import { type House, openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { onlyComplete } from "../world/seed.ts";
import { enter, linkOf, openSocket } from "./inside.ts";
import { enterInvited, invite } from "./invited.ts";
import { earlier, passInMeetings } from "./passing.ts";

const skip = onPostgres && "other processes go on there";

test("people inside and in the lobby keep their seats through a restart of the only service, however long it takes", {
  skip,
}, async (t) => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const { token, admin } = tenant;
  const before = await startProcess(t, house.environment);
  const ask = askAs(before.url, token);
  const room = { name: "Board", room: "r", roomOwnerId: admin.id, authenticationRequired: true };
  await ask("createRoom", room);
  const code = await linkOf(ask, "r");
  const mo = await enter(t, { url: before.url, ask }, "r", { peerName: "Mo" });
  const open = { url: before.url, ask: askAs(before.url, undefined) };
  const gus = await enter(t, open, code, { peerName: "Gus" });
  // She has a seat, and her page has not connected yet.
  const sessionToken = await invite({ ...tenant, ask }, "r", "Ann");
  const ann = (await ask("joinRoom", { roomId: "r", sessionToken })).body;
  await before.end("SIGTERM");
  await until("the service asks the page to reconnect", () => mo.closed === 1012);
  await house.beside(({ database }) =>
    database.change(async (tx) => {
      const longAgo = new Date(Date.now() - 3_600_000).toISOString();
      await tx.updateTable("seats").set({ lease_until: longAgo }).execute();
    }),
  );
  const after = await startProcess(t, house.environment);
  const again = await openSocket(t, after.url, mo);
  await until("Mo is back", () => again.view !== undefined);
  assert.equal(again.view?.you.peerId, mo.peerId);
  const waits = await openSocket(t, after.url, gus);
  await until("Gus is answered", () => waits.messages.length > 0);
  assert.equal(waits.messages[0]?.type, "lobby");
  const comes = await openSocket(t, after.url, { ticket: ann.ticket });
  await until("Ann is answered", () => comes.messages.length > 0);
  assert.equal(comes.view?.you.peerId, ann.peer.peerId);
});

test("people return to their seats after a kill of the service, even when the clock is set back meanwhile", {
  skip: skip || onlyComplete,
}, async (t) => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const first = await startProcess(t, house.environment);
  const ask = tenant.askAt(first.url);
  const room = { name: "Board", room: "r", roomOwnerId: tenant.admin.id };
  assert.equal((await ask("createRoom", room)).status, 201);
  await enterInvited(t, first.url, { ...tenant, ask }, "r", "Ann");
  await first.end("SIGKILL");
  const ahead = new Date(Date.now() + 3_600_000).toISOString();
  await house.beside(({ database }) =>
    database.change(async (tx) => {
      await tx.updateTable("processes").set({ alive_at: ahead }).execute();
    }),
  );
  await startProcess(t, house.environment);
  const seats = await house.beside(({ database }) =>
    database.read.selectFrom("seats").select(["state", "process"]).execute(),
  );
  assert.deepEqual(
    seats.map(({ state, process }) => [state, process]),
    [["away", null]],
  );
});

/** How long people were inside before the service died, and how long it was down, in seconds. */
const INSIDE = 1_000;
const DOWN = 3_600;

const processesOf = ({ beside }: House) =>
  beside(({ database }) => database.read.selectFrom("processes").selectAll().execute());

/** A service dies with people inside, who never come back; an hour later it starts again. */
const die = async (t: TestContext, twin?: Twin): Promise<void> => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const { id, admin } = tenant;
  const pass = (seconds: number) =>
    house.beside(({ database }) => database.change((tx) => passInMeetings(tx, id, seconds)));
  const first = await startProcess(t, house.environment);
  const ask = tenant.askAt(first.url);
  const room = { name: "Board", room: "r", roomOwnerId: admin.id, noOfParticipants: 3 };
  assert.equal((await ask("createRoom", room)).status, 201);
  const began = Date.now();
  for (const name of ["Ann", "Ben"]) {
    await enterInvited(t, first.url, { ...tenant, ask }, "r", name);
  }
  await pass(INSIDE);
  const passed = Date.now();
  await until("it has lived on", async () =>
    (await processesOf(house)).every(({ alive_at }) => Date.parse(alive_at) > passed),
  );
  await first.end("SIGKILL");
  const died = Date.now();
  await pass(DOWN);
  await house.beside(({ database }) =>
    database.change(async (tx) => {
      const [dead, ...others] = await tx.selectFrom("processes").selectAll().execute();
      assert.ok(dead && others.length === 0);
      const alive_at = earlier(dead.alive_at, DOWN);
      await tx.updateTable("processes").set({ alive_at }).execute();
    }),
  );

  const second = await startProcess(t, house.environment, { twin });
  const asked = tenant.askAt(second.url);
  const use = async () => {
    const { roomStatus, totalCallTime } = (await asked("fetchRoom", { id: "r" })).body.roomSetting;
    return { roomStatus, seconds: Number(totalCallTime) };
  };
  const states = () =>
    house.beside(async ({ database }) =>
      (await database.read.selectFrom("seats").select("state").execute()).map(({ state }) => state),
    );
  await until("both are away", async () => (await states()).every((state) => state === "away"));
  assert.deepEqual(await use(), { roomStatus: "busy", seconds: 0 }, "they may come back");
  await house.beside(({ database }) =>
    database.change(async (tx) => {
      const lease_until = new Date(0).toISOString();
      await tx.updateTable("seats").set({ lease_until }).execute();
    }),
  );
  await until("the room is free", async () => (await use()).roomStatus === "free");
  const { seconds } = await use();
  const most = INSIDE + Math.ceil((died - began) / 1_000);
  assert.ok(seconds >= INSIDE && seconds <= most, `${seconds} s, of ${INSIDE} to ${most}`);
  const { meetings } = (await asked("listMeetings", {})).body;
  assert.deepEqual([meetings.length, meetings[0].seconds], [1, seconds]);
  const ended = Date.parse(meetings[0].endedAt) + DOWN * 1_000;
  assert.ok(ended > passed && ended <= died, "it ended before the death");
};

test("P-MEET-6: a meeting during which the service is killed ends when people were last there, not at the next start", (t) =>
  die(t));

testTwin("P-MEET-6: a twin that counts the outage as meeting time is detected", async (t) => {
  await assert.rejects(die(t, countsTheOutage), assert.AssertionError);
});
