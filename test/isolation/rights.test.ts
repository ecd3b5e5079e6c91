import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld } from "../world/world.ts";
import { readOnlyOf } from "./read-only.ts";
import { all, type Own, positions } from "./rows.ts";

test("P-TEN-5: an account without admin fetches and lists its own rooms, and nothing else", async (t) => {
  const world = await startWorld(t);
  const tenant = await world.tenant();
  const person = await tenant.addPerson("person@example.org");
  const { body } = await tenant.ask("createRoom", { name: "Own", roomOwnerId: person.id });
  await tenant.ask("createRoom", {
    name: "Of others",
    roomOwnerId: tenant.admin.id,
    room: "others",
  });
  const own: Own = {
    ...{ user: tenant.admin.id, other: tenant.admin.id, revoked: person.id },
    room: body.roomSetting.room,
  };
  const mayAsk = new Set(["fetchRoom", "listRooms", "whoAmI", "signOut", "changePassword"]);
  const ofMeetings = new Set(
    all.filter(([, { group }]) => group === "Meetings" || group === "Recordings").map(([id]) => id),
  );
  for (const role of ["moderator", "admin", "administrator"]) {
    await tenant.ask("editUser", { userId: person.id, role });
    const authorization = `Bearer ${await tenant.tokenOf(person.id)}`;
    for (const [id, operation] of all) {
      // Meetings and recordings are told to the owners of rooms too: test/meetings, test/recordings.
      if (operation.access === "anyone" || mayAsk.has(id) || ofMeetings.has(id)) continue;
      const row = positions.find(({ operation }) => operation === id);
      // Well-formed, malformed and empty: refused before anything is looked at.
      for (const input of [row?.input(own.user, own) ?? {}, [], { userId: 1 }]) {
        const answer = await tenant.ask(id, input, { authorization });
        assert.deepEqual([answer.status, answer.body.code], [403, "not_allowed"], id);
      }
    }
    const list = await tenant.ask("listRooms", {}, { authorization });
    assert.deepEqual(
      list.body.roomSettings.map(({ name }: { readonly name: string }) => name),
      ["Own"],
    );
    assert.equal(list.body.pagination.total, 1);
    const fetched = await tenant.ask("fetchRoom", { id: own.room }, { authorization });
    assert.equal(fetched.status, 200);
    const other = await tenant.ask("fetchRoom", { id: "others" }, { authorization });
    assert.equal(other.body.code, "room_not_found");
  }
  const seen = await tenant.ask("findUsers", { userIds: [person.id] });
  assert.equal(seen.body.users[0].admin, false, "no role makes an administrator");
});

test("P-TEN-5: what admin allows ends with the request that takes it away", async (t) => {
  const world = await startWorld(t);
  const second = await world.second();
  const tenant = await world.tenant();
  const { id: userId } = await tenant.addPerson("person@example.org", { admin: true });
  const authorization = `Bearer ${await tenant.tokenOf(userId)}`;
  const list = (url: string) => tenant.askAt(url)("fetchUsers", {}, { authorization });
  assert.equal((await list(second)).status, 200);
  await tenant.ask("editUser", { userId, admin: false });
  for (const url of [world.url, second]) assert.equal((await list(url)).status, 403);
});

test("P-TEN-6: what only the service may set stays as it is, whatever a request says", async (t) => {
  const world = await startWorld(t);
  const tenant = await world.tenant();
  const roomOwnerId = tenant.admin.id;
  const forbidden = {
    ...{ accountDeleted: true, accountSuspended: true, id: "mine", _id: "mine", username: "mine" },
    ...{ password: "mine", createdAt: "1999-01-01T00:00:00.000Z", roomStatus: "occupied" },
    ...{ updatedAt: "1999-01-01T00:00:00.000Z", totalCallTime: "4711", siteSetting: "mine" },
    ...{ profileId: "mine", credentials: 9, password_digest: "mine", account_deleted: true },
    ...{ organization_id: "mine", name_key: "mine", email_key: "mine", used_users: 0, form: 9 },
    ...{ rooms: ["mine"], roomIds: ["mine"], record: "{}", extras: "{}", created_by: "mine" },
  };
  const login = { loginUrl: "https://x.org" };
  const made = await tenant.ask("createUser", {
    ...{ email: "a@example.org", name: "Ann", ...login, ...forbidden, userId: "mine" },
  });
  assert.equal(made.status, 201);
  const { id: userId } = made.body.user;
  const before = await readOnlyOf(world, "users", userId);
  assert.ok(!JSON.stringify(before).includes("mine"), JSON.stringify(before));
  assert.notEqual(made.body.password, "mine");
  assert.ok(!made.body.user.accountDeleted && !made.body.user.accountSuspended);
  const edited = await tenant.ask("editUser", { userId, location: "here", ...forbidden });
  assert.equal(edited.status, 200);
  const { location, updated_at, ...after } = await readOnlyOf(world, "users", userId);
  assert.equal(location, "here");
  assert.ok(`${updated_at}` >= `${before.updated_at}`);
  for (const field of Object.keys(after)) assert.deepEqual(after[field], before[field], field);
  const named = edited.headers.get("parley-ignored")?.split(", ") ?? [];
  for (const field of ["accountDeleted", "username", "password"]) assert.ok(named.includes(field));

  const room = await tenant.ask("createRoom", {
    ...{ name: "Room", roomOwnerId, ...forbidden, userId: "mine" },
  });
  assert.equal(room.status, 201);
  const id = room.body.roomSetting.room;
  const stored = await readOnlyOf(world, "rooms", id);
  assert.ok(!JSON.stringify(stored).includes("mine"), JSON.stringify(stored));
  const changed = await tenant.ask("editRoom", {
    ...{ room: id, roomOwnerId, ...forbidden, userId: "mine" },
  });
  const { roomSetting } = changed.body;
  assert.deepEqual(
    [roomSetting.roomStatus, roomSetting.totalCallTime, roomSetting.createdAt],
    ["free", "0", stored.created_at],
  );
  assert.deepEqual([roomSetting.siteSetting, roomSetting.userId], [tenant.id, null]);
  assert.ok(!changed.text.includes("mine"), changed.text);
});
