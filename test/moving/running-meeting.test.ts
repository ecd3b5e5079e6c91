// Runs: postgres-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { openSocket, type Somebody } from "../meetings/inside.ts";
import { enterInvited, invite } from "../meetings/invited.ts";
import { type Ask, askAs } from "../world/ask.ts";
import { emptyPlace } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import { startWorld, type World } from "../world/world.ts";
import { type Environment, environmentOf, parley } from "./command-line.ts";

/** A full room: Ann is inside, Bob has lost the connection, Cid was about to enter. */
const meet = async (t: TestContext) => {
  const world = await startWorld(t);
  const host = await world.tenant();
  const room = { name: "R", room: "r", roomOwnerId: host.admin.id, noOfParticipants: 3 };
  assert.equal((await host.ask("createRoom", room)).status, 201);
  const [ann, bob] = [
    await enterInvited(t, world.url, host, "r", "Ann"),
    await enterInvited(t, world.url, host, "r", "Bob"),
  ];
  bob.cut();
  await ann.sees("Bob is away", ({ peers }) => peers[0]?.away === true);
  const claimed = { roomId: "r", sessionToken: await invite(host, "r", "Cid") };
  assert.equal((await host.ask("joinRoom", claimed)).status, 200);
  const meetingId = ann.view?.meeting.meetingId ?? "";
  return { world, host, ann, bob, meetingId };
};

type Met = Awaited<ReturnType<typeof meet>>;

/** Another installation with the same key, on which no service has started yet. */
const elsewhere = async (t: TestContext, { environment }: World): Promise<Environment> => {
  const place = await emptyPlace(t);
  const there = { ...environment, ...environmentOf(place) };
  return { ...there, PARLEY_SECRET: environment.PARLEY_SECRET ?? "" };
};

const seatsOf = ({ database }: World) =>
  database.read.selectFrom("seats").selectAll().orderBy("id").execute();

/**
 * Waits until a meeting is over, and checks that everything says so. @returns a function that sends requests
 * as the application
 */
const isOver = async (there: World, { host, meetingId }: Met, lastMoment: string): Promise<Ask> => {
  // A restore ends all tokens.
  const exchanged = await there.open("getAuthToken", host.accessKey);
  const ask = askAs(there.url, exchanged.body.authToken.token);
  await until("the meeting has ended", async () => {
    const { body } = await ask("getMeeting", { roomId: "r" });
    return body.meeting.meetingId === null;
  });
  const { roomSetting } = (await ask("fetchRoom", { id: "r" })).body;
  assert.equal(roomSetting.roomStatus, "free");
  const { meetings } = (await ask("listMeetings", {})).body;
  assert.deepEqual([meetings.length, meetings[0].meetingId], [1, meetingId]);
  const seats = (await seatsOf(there)).filter(({ joined_at }) => joined_at !== null);
  for (const { peer_name, joined_at, left_at, reason } of seats) {
    assert.equal(reason, "lost", peer_name);
    assert.ok(left_at !== null && joined_at !== null, peer_name);
    assert.ok(joined_at <= left_at && left_at <= lastMoment, `${peer_name} left at ${left_at}`);
  }
  assert.equal(
    meetings[0].endedAt,
    seats
      .map(({ left_at }) => left_at ?? "")
      .toSorted()
      .at(-1),
  );
  return ask;
};

const isRefused = async (t: TestContext, { url }: World, somebody: Somebody) => {
  const socket = await openSocket(t, url, somebody);
  await until("the ticket is refused", () => socket.closed === 4001);
};

test("a backup taken while people are inside restores to nobody inside, with stays until its last moment", async (t) => {
  const met = await meet(t);
  const { world, host, ann, bob } = met;
  const file = `${world.config.dataDir}/backup.db`;
  assert.equal((await parley(world.environment, "backup", file)).code, 0);
  const taken = new Date().toISOString();
  const environment = await elsewhere(t, world);
  const restored = await parley(environment, "restore", file, "--yes");
  assert.equal(restored.code, 0, restored.said);
  const there = await startWorld(t, { place: environment });
  const now = new Date().toISOString();
  for (const { peer_name, lease_until } of await seatsOf(there)) {
    assert.ok(lease_until === null || lease_until <= now, `the seat of ${peer_name} is kept`);
  }
  for (const somebody of [ann, bob]) await isRefused(t, there, somebody);
  const ask = await isOver(there, met, taken);
  for (const name of ["Dan", "Eve", "Fay"]) {
    const sessionToken = await invite({ ...host, ask }, "r", name);
    const { status } = await ask("joinRoom", { roomId: "r", sessionToken });
    assert.equal(status, 200, "every seat is free");
  }
  assert.equal(ann.closed, undefined, "the meeting of which the backup was made goes on");
});

test("a meeting that ran when the service stopped for a copy continues there for people who return, or ends with their leases", async (t) => {
  const met = await meet(t);
  const { world, ann, meetingId } = met;
  await world.parley.stop();
  const stopped = new Date().toISOString();
  const environment = await elsewhere(t, world);
  const to = environment.DATABASE_URL ?? `sqlite:${environment.DATA_DIR}`;
  const copied = await parley(world.environment, "copy", "--to", to);
  assert.equal(copied.code, 0, copied.said);
  const there = await startWorld(t, { place: environment });
  // On PostgreSQL other processes may have continued meanwhile, so the former leases count there.
  if (there.name === "sqlite") {
    const back = await openSocket(t, there.url, ann);
    await back.sees("the same meeting", ({ meeting }) => meeting.meetingId === meetingId);
    return;
  }
  await there.database.change(async (tx) => {
    const past = { lease_until: "2020-01-01T00:00:00.000Z" };
    await tx.updateTable("seats").set(past).where("left_at", "is", null).execute();
  });
  await isOver(there, met, stopped);
});
