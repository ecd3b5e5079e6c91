// Runs: postgres-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { settingsOfNew } from "../../contract/kit/organization-settings.ts";
import { createOrganization } from "../../server/organizations/organizations.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { askAs } from "../world/ask.ts";
import { startWorld, type World } from "../world/world.ts";

const world = await startWorld(test);

/** An organization that lets owners create rooms, with a teacher. */
const teach = async (place: World = world) => {
  const tenant = await place.tenant();
  await tenant.ask("editOrganization", { ownersMay: "create" });
  const { id } = await tenant.addPerson(`teacher@${tenant.id}.example.org`, {
    name: "Tea Teacher",
  });
  const token = await tenant.tokenOf(id);
  return { tenant, id, token, ask: askAs(place.url, token) };
};

/** The room of the answer to the operation. */
const opened = async ({ ask }: Pick<Awaited<ReturnType<typeof teach>>, "ask">) => {
  const { status, body, text } = await ask("openPersonalRoom", {});
  assert.equal(status, 200, text);
  return body.roomSetting;
};

test("a person's room is made when it is first used, with a link that stays and seats for a group", async () => {
  const teacher = await teach();
  const room = await opened(teacher);
  const { name, roomOwnerId, roomPermalink, noOfModerators, noOfParticipants } = room;
  assert.deepEqual(
    { name, roomOwnerId, roomPermalink, noOfModerators, noOfParticipants },
    {
      name: "Tea Teacher's room",
      roomOwnerId: teacher.id,
      roomPermalink: true,
      noOfModerators: 2,
      noOfParticipants: 10,
    },
  );
  assert.deepEqual(await opened(teacher), room);
  assert.deepEqual((await teacher.ask("fetchRoom", { id: room.room })).body.roomSetting, room);
  const { entries } = (await teacher.tenant.ask("listHistory", { subjectId: room.room })).body;
  assert.deepEqual(
    entries.map(({ kind }: { readonly kind: string }) => kind),
    ["roomCreated"],
  );
  const file = (await teacher.tenant.ask("exportUser", { userId: teacher.id })).body;
  assert.deepEqual(
    file.rooms.map(({ personal }: { readonly personal?: boolean }) => personal),
    [true],
  );
});

test("a personal room that was deleted or handed over is replaced by a new one, which its owner keeps", async () => {
  const teacher = await teach();
  const { tenant, id } = teacher;
  const first = await opened(teacher);
  assert.equal((await tenant.ask("deleteRoom", { id: first.room })).status, 200);
  const second = await opened(teacher);
  assert.notEqual(second.room, first.room);

  await tenant.ask("editOrganization", { binDays: 30 });
  assert.equal((await tenant.ask("binRooms", { rooms: [second.room] })).status, 200);
  const third = await opened(teacher);
  const [entry] = (await tenant.ask("listBin", { kind: "room" })).body.entries;
  assert.equal((await tenant.ask("restoreFromBin", { ids: [entry.id] })).status, 200);
  assert.equal((await opened(teacher)).room, third.room);

  const heir = tenant.admin.id;
  await tenant.ask("editRoom", { room: third.room, roomOwnerId: heir });
  const fourth = await opened(teacher);
  assert.notEqual(fourth.room, third.room);
  assert.equal(
    (await tenant.ask("fetchRoom", { id: third.room })).body.roomSetting.roomOwnerId,
    heir,
  );

  await tenant.ask("revokeUsers", [{ userId: id }]);
  await tenant.ask("binUsers", { userIds: [id] });
  const [resting] = (await tenant.ask("listBin", { kind: "user" })).body.entries;
  await tenant.ask("restoreFromBin", { ids: [resting.id] });
  await tenant.ask("reactivateUser", { userId: id });
  const back = { ask: askAs(world.url, await tenant.tokenOf(id)) };
  assert.equal((await opened(back)).room, fourth.room);
});

test("only people who may create rooms have a personal room, and it counts toward the limit", async () => {
  const { tenant, id, ask } = await teach();
  assert.equal((await tenant.ask("openPersonalRoom", {})).body.code, "account_required");
  for (const ownersMay of ["nothing", "edit"] as const) {
    await tenant.ask("editOrganization", { ownersMay });
    const { status, body } = await ask("openPersonalRoom", {});
    assert.deepEqual([status, body.code], [403, "not_allowed"]);
  }
  const administrator = { ask: askAs(world.url, await tenant.tokenOf(tenant.admin.id)) };
  assert.equal((await opened(administrator)).roomOwnerId, tenant.admin.id);
  await tenant.ask("editOrganization", { ownersMay: "create" });
  await tenant.change(({ tx }) =>
    tx.updateTable("organizations").set({ max_rooms: 1 }).where("id", "=", tenant.id).execute(),
  );
  assert.equal((await ask("openPersonalRoom", {})).body.code, "room_limit");
  assert.equal((await tenant.ask("listRooms", { userFilter: id })).body.pagination.total, 0);
});

/** Many requests at once, over two processes where the database allows two. */
const race = async (t: TestContext, twin?: Twin): Promise<void> => {
  const place = await startWorld(t, { twin });
  const urls = [place.url, await place.second()];
  const { tenant, id, token } = await teach(place);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      askAs(urls[n % urls.length] ?? "", token)("openPersonalRoom", {}),
    ),
  );
  for (const { status, text } of answers) assert.equal(status, 200, text);
  const rooms = new Set(answers.map(({ body }) => body.roomSetting.room));
  assert.equal(rooms.size, 1);
  assert.equal((await tenant.ask("listRooms", { userFilter: id })).body.pagination.total, 1);
};

test("a person has one personal room, even when many requests use it first at once", (t) =>
  race(t));

/** Looks for the person's room before the change that makes it, and relies on that. */
const looksBefore: Twin = {
  name: "looks for a personal room before it makes one",
  replaced: [
    {
      file: "rooms/personal.ts",
      lines: 'const user = await userOf(change, caller.userId ?? refuse("account_required"));',
      by: `const seen = (globalThis.seenPersons ??= new Map());
        const user = seen.get(caller.userId) ?? (await userOf(change, caller.userId));
        seen.set(user.id, user);`,
    },
  ],
};

testTwin(
  "a twin that looks for a personal room before its change makes several",
  (t) => assert.rejects(race(t, looksBefore), { code: "ERR_ASSERTION" }),
  { onSqlite: true },
);

test("new organizations let owners create rooms and have a recycle bin; others keep what they have", async () => {
  const { id } = await world.database.change((tx, send) =>
    createOrganization({ tx, send }, `New ${Date.now()}`),
  );
  const { settings } = await world.database.read
    .selectFrom("organizations")
    .select("settings")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  assert.deepEqual(JSON.parse(settings), settingsOfNew);
  const before = await world.tenant();
  const { body } = await before.ask("getOrganization", {});
  const { binDays, ownersMay } = body.organization.settings;
  assert.deepEqual([binDays, ownersMay], [null, "nothing"]);
});
