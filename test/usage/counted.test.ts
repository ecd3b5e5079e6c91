// Runs: first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { enter } from "../meetings/inside.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { countsAgain } from "../twins/usage.ts";
import { type Ask, askAs } from "../world/ask.ts";
import { openHouse } from "../world/house.ts";
import { addRooms, roomAt } from "../world/many.ts";
import { startProcess, until } from "../world/process.ts";
import { count } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";
import { addPast, fill } from "./past.ts";

const MANY = count(400, 10_000, 200);

const usageOf = async (ask: Ask, input: object = {}) => {
  const { status, body } = await ask("getUsage", input);
  assert.equal(status, 200, JSON.stringify(body));
  return body.usage;
};

/** Kills a process while it counts earlier meetings, starts another one, and has everything counted again. */
const killAndCount = async (t: TestContext, twin?: Twin): Promise<void> => {
  const house = await openHouse(t);
  const tenant = await house.beside(async ({ tenant: make, database }) => {
    const made = await make();
    await addRooms(made, 1, ["Room"], [made.admin.id]);
    const { id: roomId } = await database.read
      .selectFrom("rooms")
      .select("id")
      .where("organization_id", "=", made.id)
      .executeTakeFirstOrThrow();
    const users = [made.admin.id];
    await addPast(
      made,
      Array.from({ length: MANY }, (_, n) => {
        const from = new Date(Date.UTC(2026, 2, 1) + n * 600_000).toISOString();
        const to = new Date(Date.UTC(2026, 2, 1) + n * 600_000 + 360_000).toISOString();
        return { roomId, users, stays: ["bo", ...users].map((who) => ({ who, from, to })) };
      }),
    );
    return made;
  });
  const days = { from: "2026-03-01", to: "2026-06-30" };
  const one = await startProcess(t, house.environment, { twin });
  const counted = async () => (await usageOf(tenant.askAt(one.url), days)).total.meetings;
  await until("some are counted", async () => (await counted()) > 0);
  t.diagnostic(`${await counted()} of ${MANY} meetings were counted before the kill`);
  await one.end("SIGKILL");
  const two = await startProcess(t, house.environment, { twin });
  const ask = tenant.askAt(two.url);
  const allCounted = async (): Promise<unknown> => {
    await until("all are counted", async () => !(await usageOf(ask, days)).filling);
    const { meetings, longMeetings, people, minutes, peak } = (await usageOf(ask, days)).total;
    return [meetings, longMeetings, people, minutes, peak];
  };
  const expected = [MANY, MANY, 2 * MANY, 12 * MANY, 2];
  assert.deepEqual(await allCounted(), expected);
  await two.end("SIGKILL");

  // As if its progress were lost: a second count finds them counted.
  await tenantAgain(house, tenant.id);
  const three = await startProcess(t, house.environment, { twin });
  const again = tenant.askAt(three.url);
  await until("all are counted again", async () => !(await usageOf(again, days)).filling);
  const { meetings, people } = (await usageOf(again, days)).total;
  assert.deepEqual([meetings, people], [MANY, 2 * MANY], "counted once");
};

const tenantAgain = (house: Awaited<ReturnType<typeof openHouse>>, id: string): Promise<unknown> =>
  house.beside(({ database }) =>
    database.change((tx) =>
      tx.updateTable("organizations").set({ usage_filled_to: "" }).where("id", "=", id).execute(),
    ),
  );

test("meetings from before the counters are counted once, even if a process is killed in between", (t) =>
  killAndCount(t));

testTwin("a twin that counts a meeting on each pass is detected", async (t) => {
  await assert.rejects(killAndCount(t, countsAgain), /counted once/);
});

test("an ended meeting and a join without a free seat are counted, and erased data names nobody", async (t) => {
  const world = await startWorld(t);
  const tenant = await world.tenant();
  const { ask } = tenant;
  const seats = { noOfModerators: 1, noOfParticipants: 1, noOfViewers: 0 };
  const person = await tenant.addPerson("ann@usage.example.org");
  await ask("createRoom", { name: "Room", room: "r", roomOwnerId: person.id, ...seats });
  const token = await tenant.tokenOf(person.id);
  const mine = askAs(world.url, token);
  const { code } = (await ask("getRoomLink", { roomId: "r" })).body;

  const ann = await enter(t, { url: world.url, ask: mine }, "r");
  const guest = await enter(t, { url: world.url, ask: world.open }, code, { peerName: "Bo" });
  const refused = await world.open("joinRoom", { roomId: code, peerName: "Cy" });
  assert.equal(refused.body.code, "seats_full");
  assert.equal((await usageOf(ask)).total.meetings, 0, "it still runs");
  const unused = await ask("listRoomUsage", { unusedFor: 1 });
  assert.deepEqual(unused.body.rooms, [], "a new room, in use, is not unused");
  for (const { ticket } of [ann, guest]) await world.open("leaveRoom", { ticket });

  await until("the refused seat is stored", async () => (await usageOf(ask)).total.refused > 0);
  const { total } = await usageOf(ask);
  assert.deepEqual([total.meetings, total.people, total.peak, total.refused], [1, 2, 2, 1]);
  const people = async () => (await ask("listPeopleUsage", {})).body.people;
  assert.deepEqual(
    (await people()).map(({ userId }: { readonly userId: string }) => userId),
    [person.id],
  );

  await ask("revokeUsers", [{ userId: person.id }]);
  assert.equal((await ask("deleteUsers", [person.id])).status, 200);
  assert.deepEqual(await people(), []);
  await until("nothing leads to the person", async () => {
    const rows = world.database.read.selectFrom("usage_people").select("user_id");
    return (await rows.where("organization_id", "=", tenant.id).execute()).length === 0;
  });
  assert.equal((await ask("deleteRoom", { id: "r" })).status, 200);
  assert.deepEqual((await ask("listRoomUsage", {})).body.rooms, []);
  const left = (await usageOf(ask)).total;
  assert.deepEqual([left.meetings, left.people, left.peak, left.refused], [1, 2, 2, 1]);

  const others = await world.tenant();
  assert.equal((await usageOf(others.ask)).total.meetings, 0);
  const member = await others.addPerson("member@usage.example.org");
  const asMember = askAs(world.url, await others.tokenOf(member.id));
  for (const id of ["getUsage", "downloadUsage", "listRoomUsage", "listPeopleUsage"] as const) {
    assert.equal((await asMember(id, {})).status, 403, id);
  }
});

test("rooms and people that were not used for some days are listed, the longest unused first", async (t) => {
  const world = await startWorld(t);
  const tenant = await world.tenant();
  const { ask, change } = tenant;
  await addRooms(tenant, 4, ["Room"], [tenant.admin.id]);
  const rooms = await world.database.read.selectFrom("rooms").select(["id", "room"]).execute();
  const idOf = (n: number) => rooms.find(({ room }) => room === roomAt(n))?.id ?? "";
  const [ann, bo] = [await tenant.addPerson("a@u.example.org"), await tenant.addPerson("b@u.org")];
  await change(({ tx }) =>
    tx.updateTable("users").set({ created_at: "2020-01-01T00:00:00.000Z" }).execute(),
  );
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const meeting = (room: number, who: string, days: number) => ({
    roomId: idOf(room),
    users: [ann.id, bo.id],
    stays: [{ who, from: daysAgo(days), to: daysAgo(days - 0.01) }],
  });
  await addPast(tenant, [
    meeting(0, ann.id, 40),
    meeting(1, bo.id, 20),
    meeting(1, ann.id, 50),
    meeting(2, bo.id, 100),
  ]);
  await fill(world.database, tenant.id);
  const listed = async (unusedFor: number) => ({
    rooms: (await ask("listRoomUsage", { unusedFor })).body.rooms.map(
      ({ roomId }: { readonly roomId: string }) => roomId,
    ),
    people: (await ask("listPeopleUsage", { unusedFor })).body.people.map(
      ({ userId }: { readonly userId: string }) => userId,
    ),
  });
  assert.deepEqual(await listed(30), {
    rooms: [roomAt(3), roomAt(2), roomAt(0)],
    people: [tenant.admin.id, ann.id],
  });
  assert.deepEqual(await listed(10), {
    rooms: [roomAt(3), roomAt(2), roomAt(0), roomAt(1)],
    people: [tenant.admin.id, ann.id, bo.id],
  });
  for (const wrong of [0, -1, 3651, "x", "1.5"]) {
    assert.equal((await ask("listRoomUsage", { unusedFor: wrong })).status, 400, String(wrong));
  }
  // Attendance of meetings that are no longer kept is unknown: nobody is called absent for longer.
  await ask("editOrganization", { meetingDays: 60 });
  const { body } = await ask("listPeopleUsage", { unusedFor: 365 });
  assert.equal(body.unusedFor, 60);
});
