import assert from "node:assert/strict";
import { test } from "node:test";
import { saidIn } from "../world/reasons.ts";
import { saidBody } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { about, failure, typedFailure, types } from "./expected.ts";
import { type Home, newHome, ROOMS } from "./home.ts";

const world = await startWorld(test);
const create = `POST ${ROOMS}`;
const edit = `PUT ${ROOMS}`;
const people = (home: Home, count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await home.person()).id));
const revoke = async ({ ask }: Home, ...ids: string[]) => {
  const users = ids.map((userId) => ({ userId }));
  assert.equal((await ask("POST /api/user/revokeOrgUsers", users)).status, 200);
};
const deleteForGood = async (home: Home, ...ids: string[]) => {
  await revoke(home, ...ids);
  assert.equal((await home.ask("POST /api/user/permDeleteOrgUsers", ids)).status, 200);
};

const phrase = "must name accounts of the organization that are not revoked";

test("owners joined by commas keep their order, each once, without the spaces around them", async () => {
  const home = await newHome(world);
  const [a = "", b = "", c = ""] = await people(home, 3);
  const table = [
    [a, a],
    [`${c},${a},${b}`, `${c},${a},${b}`],
    [` ${b} ,\t${a} `, `${b},${a}`],
    [`${b},${a},${b},${b}, ${a}`, `${b},${a}`],
  ] as const;
  for (const [sent, expected] of table) {
    const { room, roomOwnerId } = await home.room({ roomOwnerId: sent });
    assert.equal(roomOwnerId, expected);
    const { room: other } = await home.room();
    const { body } = await home.ask(edit, { room: other, roomOwnerId: sent });
    assert.equal(body.roomSetting.roomOwnerId, expected);
    for (const id of [room, other]) {
      assert.equal((await home.fetched(id)).roomOwnerId, expected);
    }
  }
});

test("an empty part among the owners is refused, and so are more than 100", async () => {
  const home = await newHome(world);
  const { owner, ask } = home;
  const { room } = await home.room();
  const hundred = await people(home, 100);
  const wrong = [`${owner},`, `,${owner}`, `${owner},,${owner}`, `${owner}, ,x`, ","];
  for (const roomOwnerId of [...wrong, [owner, ...hundred].join()]) {
    const said = about("roomOwnerId", "must be 1 to 100 user IDs joined by commas");
    const created = await ask(create, { name: "Board", roomOwnerId });
    assert.deepEqual([created.status, saidBody(created.body)], [400, failure(...said)]);
    const edited = await ask(edit, { room, roomOwnerId });
    assert.deepEqual(
      [edited.status, saidBody(edited.body)],
      [400, typedFailure(types.edit, ...said)],
    );
  }
  assert.equal((await home.fetched(room)).roomOwnerId, owner);
  assert.equal((await home.room({ roomOwnerId: hundred.join() })).roomOwnerId, hundred.join());
});

test("owners are given as text only", async () => {
  const { ask, owner, room } = await newHome(world);
  const { room: id } = await room();
  for (const roomOwnerId of [1, true, [owner], { id: owner }]) {
    const created = await ask(create, { name: "Board", roomOwnerId });
    const phrase = 'must be one text: user IDs joined by commas, such as "ID1,ID2"';
    const said = about("roomOwnerId", phrase);
    assert.deepEqual([created.status, saidBody(created.body)], [400, failure(...said)]);
    const { status, body } = await ask(edit, { room: id, roomOwnerId });
    assert.deepEqual([status, saidIn(body.errors)], [400, said[2]]);
  }
});

test("unknown, foreign and revoked owners get the same refusal, byte for byte, by their position", async () => {
  const [home, other] = [await newHome(world), await newHome(world)];
  const { ask, owner } = home;
  const [revoked = ""] = await people(home, 1);
  await revoke(home, revoked);
  const { room } = await home.room();
  for (const wrong of [
    "nobody",
    other.owner,
    revoked,
    owner.toUpperCase(),
    "💥",
    "a".repeat(500),
  ]) {
    const table = [
      [wrong, phrase, 1, 1],
      [`${owner},${wrong}`, `${phrase} (number 2 of 2 does not)`, 2, 2],
      [`${wrong},${owner},${wrong}x`, `${phrase} (number 1 of 3 does not)`, 1, 3],
    ] as const;
    for (const [roomOwnerId, said, at, count] of table) {
      const message = `roomOwnerId ${said}`;
      const error = { field: "roomOwnerId", code: "unknown_owner", message, at, count };
      const told = ["invalid_input", message, [error]] as const;
      const created = await ask(create, { name: "Board", roomOwnerId });
      const text = JSON.stringify(failure(...told));
      assert.deepEqual([created.status, created.text], [400, text]);
      const edited = await ask(edit, { room, roomOwnerId, name: "New" });
      const typed = JSON.stringify(typedFailure(types.edit, ...told));
      assert.deepEqual([edited.status, edited.text], [400, typed]);
    }
  }
  assert.deepEqual([(await home.fetched(room)).name, await home.used()], ["Board", 1]);
});

test("a suspended account may be named as an owner", async () => {
  const home = await newHome(world);
  const [userId = ""] = await people(home, 1);
  await home.ask("POST /api/user/suspendRestoreUser", { userId, action: "suspend" });
  assert.equal((await home.room({ roomOwnerId: userId })).roomOwnerId, userId);
});

test("owners that a room already has are accepted even if they have been revoked", async () => {
  const home = await newHome(world);
  const [a = "", b = ""] = await people(home, 2);
  const { room } = await home.room({ roomOwnerId: `${a},${b}` });
  await revoke(home, a);
  assert.equal((await home.fetched(room)).roomOwnerId, `${a},${b}`);
  for (const roomOwnerId of [`${a},${b}`, `${b},${a}`, a]) {
    const { status, body } = await home.ask(edit, { room, roomOwnerId });
    assert.deepEqual([status, body.roomSetting?.roomOwnerId], [200, roomOwnerId]);
  }
  await home.ask(edit, { room, roomOwnerId: b });
  const again = await home.ask(edit, { room, roomOwnerId: `${b},${a}` });
  const said = about("roomOwnerId", `${phrase} (number 2 of 2 does not)`);
  assert.deepEqual(saidBody(again.body), typedFailure(types.edit, ...said));
});

test("an owner deleted for good leaves the room to the others, and at last to nobody", async () => {
  const home = await newHome(world);
  const [a = "", b = "", c = ""] = await people(home, 3);
  const { room } = await home.room({ roomOwnerId: `${a},${b},${c}`, isStatic: true });
  const before = await home.fetched(room);
  await deleteForGood(home, b);
  assert.deepEqual(await home.fetched(room), { ...before, roomOwnerId: `${a},${c}` });
  await deleteForGood(home, a, c);
  const ownerless = { ...before, roomOwnerId: "" };
  assert.deepEqual(await home.fetched(room), ownerless);
  const { body } = await home.ask(`GET ${ROOMS}/paginated`);
  assert.deepEqual(body.roomSettings, [ownerless]);
});

test("a room without an owner is edited with an empty one, and can be given an owner", async () => {
  const home = await newHome(world);
  const [gone = ""] = await people(home, 1);
  const { room } = await home.room({ roomOwnerId: gone });
  await deleteForGood(home, gone);
  const record = await home.fetched(room);
  for (const roomOwnerId of ["", " "]) {
    const { status, body } = await home.ask(edit, { ...record, roomOwnerId, name: "New" });
    assert.deepEqual([status, body.roomSetting?.roomOwnerId], [200, ""]);
  }
  const dead = await home.ask(edit, { room, roomOwnerId: gone });
  assert.deepEqual(saidBody(dead.body), typedFailure(types.edit, ...about("roomOwnerId", phrase)));
  await home.ask(edit, { room, roomOwnerId: home.owner });
  const none = await home.ask(edit, { room, roomOwnerId: "" });
  const said = about("roomOwnerId", "is required.");
  assert.deepEqual([none.status, saidBody(none.body)], [400, typedFailure(types.edit, ...said)]);
});

test("userFilter finds rooms of current owners, and none of former ones", async () => {
  const home = await newHome(world);
  const [a = "", b = ""] = await people(home, 2);
  const owned = async (userId: string) => {
    const { body } = await home.ask(`GET ${ROOMS}/paginated?userFilter=${userId}`);
    return [body.roomSettings.length, body.pagination.total];
  };
  const { room } = await home.room({ roomOwnerId: `${a},${b}` });
  assert.deepEqual(
    [await owned(a), await owned(b)],
    [
      [1, 1],
      [1, 1],
    ],
  );
  await home.ask(edit, { room, roomOwnerId: b });
  assert.deepEqual(
    [await owned(a), await owned(b)],
    [
      [0, 0],
      [1, 1],
    ],
  );
});
