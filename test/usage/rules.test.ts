import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld } from "../world/world.ts";
import { addPast, fill } from "./past.ts";

const world = await startWorld(test);

const at = (time: string): string => `2026-${time}Z`.replace("Z", ":00.000Z");

/** An organization with rooms, and the IDs of their rows by their names. */
const tenantWith = async (...rooms: readonly (readonly [string, object?])[]) => {
  const tenant = await world.tenant();
  for (const [room, settings = {}] of rooms) {
    const owner = { roomOwnerId: tenant.admin.id };
    const { status } = await tenant.ask("createRoom", { name: room, room, ...owner, ...settings });
    assert.equal(status, 201);
  }
  const rows = await world.database.read
    .selectFrom("rooms")
    .select(["id", "room"])
    .where("organization_id", "=", tenant.id)
    .execute();
  const idOf = (room: string) => rows.find((row) => row.room === room)?.id ?? "";
  return { ...tenant, idOf };
};

const usageOf = async ({ ask }: { readonly ask: (typeof world)["open"] }, input: object) => {
  const { status, body } = await ask("getUsage", input);
  assert.equal(status, 200, JSON.stringify(body));
  return body.usage;
};

test("meetings, people, minutes and the peak equal a count by hand", async () => {
  const tenant = await tenantWith(["a"], ["b", { roomType: "event" }]);
  const ann = tenant.admin.id;
  await addPast(tenant, [
    // Three people, of whom one comes twice: 10 + 4 + 3 + 10 minutes; at most two at once.
    {
      roomId: tenant.idOf("a"),
      users: [ann],
      stays: [
        { who: ann, from: at("03-02T10:00"), to: at("03-02T10:10") },
        { who: "bo", from: at("03-02T10:00"), to: at("03-02T10:04") },
        { who: "bo", from: at("03-02T10:05"), to: at("03-02T10:08") },
        { who: "cy", from: at("03-02T10:08"), to: at("03-02T10:18") },
        { who: "bot", from: at("03-02T10:00"), to: at("03-02T10:20"), role: "recorder" },
      ],
    },
    // Five minutes exactly are not long. It overlaps the other one: four at once at 10:09.
    {
      roomId: tenant.idOf("b"),
      stays: [
        { who: "di", from: at("03-02T10:09"), to: at("03-02T10:14") },
        { who: "ed", from: at("03-02T10:09"), to: at("03-02T10:12") },
      ],
    },
    // The next day.
    {
      roomId: tenant.idOf("a"),
      users: [ann],
      stays: [{ who: ann, from: at("03-03T08:00"), to: at("03-03T09:00") }],
    },
  ]);
  await fill(world.database, tenant.id);
  const days = { from: "2026-03-01", to: "2026-03-04" };
  const none = { meetings: 0, longMeetings: 0, people: 0, minutes: 0, peak: 0 };
  const more = { refused: 0, recordings: 0, bytes: 0 };
  const usage = await usageOf(tenant, days);
  assert.equal(usage.filling, false);
  assert.deepEqual(
    usage.periods.map(({ from, to, ...counts }: Record<string, unknown>) => counts),
    [
      { day: "2026-03-01", ...none, ...more },
      { day: "2026-03-02", meetings: 2, longMeetings: 1, people: 5, minutes: 35, peak: 4, ...more },
      { day: "2026-03-03", meetings: 1, longMeetings: 1, people: 1, minutes: 60, peak: 1, ...more },
      { day: "2026-03-04", ...none, ...more },
    ],
  );
  const total = { meetings: 3, longMeetings: 2, people: 6, minutes: 95, peak: 4, ...more };
  assert.deepEqual(usage.total, total);
  const month = await usageOf(tenant, { from: "2026-01-01", to: "2026-12-31", by: "month" });
  assert.deepEqual([month.periods.length, month.total], [12, total]);
  assert.equal(month.periods[2].meetings, 3);

  const events = await usageOf(tenant, { ...days, roomType: "event" });
  assert.deepEqual(
    [events.total.meetings, events.total.minutes, events.total.peak],
    [1, 8, 2],
    "only rooms of a type, the peak too",
  );
  const rooms = (await tenant.ask("listRoomUsage", days)).body.rooms;
  assert.deepEqual(
    rooms.map(({ roomId, meetings, people, minutes, lastUsedAt }: Record<string, unknown>) => [
      roomId,
      meetings,
      people,
      minutes,
      lastUsedAt,
    ]),
    [
      ["a", 2, 4, 87, at("03-03T09:00")],
      ["b", 1, 2, 8, at("03-02T10:14")],
    ],
  );
  const people = (await tenant.ask("listPeopleUsage", days)).body.people;
  assert.deepEqual(
    people.map(({ userId, meetings, minutes }: Record<string, unknown>) => [
      userId,
      meetings,
      minutes,
    ]),
    [[ann, 2, 70]],
  );
  const { text } = await tenant.ask("downloadUsage", { ...days, by: "week" });
  assert.deepEqual(text.split("\r\n"), [
    "day,from,to,meetings,longMeetings,people,minutes,peak,refused,recordings,bytes",
    "2026-03-01,2026-03-01T00:00:00.000Z,2026-03-02T00:00:00.000Z,0,0,0,0,0,0,0,0",
    "2026-03-02,2026-03-02T00:00:00.000Z,2026-03-05T00:00:00.000Z,3,2,6,95,4,0,0,0",
    "",
  ]);
});

test("days are those of a time zone: they have 23 and 25 hours where the clocks change", async () => {
  const tenant = await tenantWith(["a"]);
  const meeting = (from: string, to: string) => ({
    roomId: tenant.idOf("a"),
    stays: [{ who: "bo", from: at(from), to: at(to) }],
  });
  await addPast(tenant, [
    meeting("03-28T22:59", "03-28T23:05"),
    meeting("03-28T23:00", "03-28T23:05"),
    meeting("03-29T21:59", "03-29T22:30"),
    meeting("03-29T22:00", "03-29T22:30"),
  ]);
  await fill(world.database, tenant.id);
  const ask = async (days: object) =>
    (await usageOf(tenant, { ...days, timeZone: "Europe/Berlin" })).periods.map(
      ({ day, from, to, meetings }: Record<string, string>) => [
        day,
        (Date.parse(to ?? "") - Date.parse(from ?? "")) / 3_600_000,
        meetings,
      ],
    );
  assert.deepEqual(await ask({ from: "2026-03-28", to: "2026-03-30" }), [
    ["2026-03-28", 24, 1],
    ["2026-03-29", 23, 2],
    ["2026-03-30", 24, 1],
  ]);
  assert.deepEqual(await ask({ from: "2026-10-25", to: "2026-10-25" }), [["2026-10-25", 25, 0]]);
  assert.deepEqual(
    (await usageOf(tenant, { from: "2026-03-29", to: "2026-03-29", by: "week" })).periods.length,
    1,
  );
  for (const timeZone of ["Mars/Base", "+01:00", "", "x".repeat(65)]) {
    const { status, body } = await tenant.ask("getUsage", { timeZone });
    if (timeZone === "") assert.equal(status, 200, "empty in a query is omitted");
    else assert.deepEqual([status, body.code], [400, "invalid_input"], timeZone);
  }
  for (const wrong of [
    { from: "2026-02-30" },
    { from: "2026-02-02", to: "2026-02-01" },
    { from: "2020-01-01", to: "2026-02-01" },
    { from: "1971-01-01" },
    { from: "1999-01-01", by: "month" },
    { by: "year" },
  ]) {
    assert.equal((await tenant.ask("getUsage", wrong)).status, 400, JSON.stringify(wrong));
  }
});

test("a tag finds the rooms of the people who have it, and these people", async () => {
  const tenant = await tenantWith(["a"]);
  const { body } = await tenant.ask("createUser", {
    name: "Bo",
    email: `bo@${tenant.id}.example.org`,
    tags: ['say "hi", all', "math"],
    loginUrl: "https://parley.example.org/",
  });
  const bo: string = body.user.id;
  await tenant.ask("createRoom", { name: "b", room: "b", roomOwnerId: bo });
  const row = await world.database.read
    .selectFrom("rooms")
    .select("id")
    .where("organization_id", "=", tenant.id)
    .where("room", "=", "b")
    .executeTakeFirstOrThrow();
  const ann = tenant.admin.id;
  const users = [ann, bo];
  const stays = users.map((who) => ({ who, from: at("05-04T10:00"), to: at("05-04T10:30") }));
  await addPast(tenant, [
    { roomId: tenant.idOf("a"), users, stays: stays.slice(0, 1) },
    { roomId: row.id, users, stays },
  ]);
  await fill(world.database, tenant.id);
  const days = { from: "2026-05-04", to: "2026-05-04" };
  for (const tag of ['say "hi", all', "math"]) {
    const { total } = await usageOf(tenant, { ...days, tag });
    assert.deepEqual([total.meetings, total.people, total.peak], [1, 2, 2], tag);
    const listed = await tenant.ask("listPeopleUsage", { ...days, tag });
    assert.deepEqual(
      listed.body.people.map(({ userId }: { readonly userId: string }) => userId),
      [bo],
    );
    const rooms = (await tenant.ask("listRoomUsage", { ...days, tag })).body.rooms;
    assert.deepEqual(
      rooms.map(({ roomId }: { readonly roomId: string }) => roomId),
      ["b"],
    );
  }
  for (const tag of ["hi", "mat", ","]) {
    assert.equal((await usageOf(tenant, { ...days, tag })).total.meetings, 0, tag);
  }
});
