import assert from "node:assert/strict";
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { test } from "node:test";
import { recordsNobody } from "../../contract/rooms/rooms.ts";
import type { Asked } from "../world/ask.ts";
import { saidBody } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import {
  about,
  answered,
  defaults,
  extras,
  failure,
  others,
  TIME,
  types,
  withoutExtras,
} from "./expected.ts";
import { newHome, ROOMS } from "./home.ts";

const world = await startWorld(test);
const create = `POST ${ROOMS}`;
const limitReached = failure("room_limit", "Room creation limit reached, please upgrade your plan");

test("a room created with a name and an owner has every default of the interface", async () => {
  const { ask, owner } = await newHome(world);
  const { status, body } = await ask(create, { name: "Board", roomOwnerId: owner });
  const { room, createdAt } = body.roomSetting;
  assert.match(createdAt, TIME);
  assert.equal(status, 201);
  assert.deepEqual(body, {
    type: types.create,
    success: true,
    roomSetting: {
      name: "Board",
      roomOwnerId: owner,
      room,
      ...defaults,
      roomStatus: "free",
      totalCallTime: "0",
      createdAt,
      updatedAt: createdAt,
    },
  });
});

test("every setting is stored as sent, and answered by create, fetch and edit", async () => {
  const { room: make, owner, fetched, ask } = await newHome(world);
  const created = await make({ ...others, room: "all" });
  const expected = { ...withoutExtras(answered(others)), name: "Board", room: "all" };
  assert.deepEqual({ ...created, ...expected }, created);
  assert.deepEqual(await fetched("all"), created);
  const { body } = await ask(`PUT ${ROOMS}`, { room: "all", roomOwnerId: owner });
  assert.deepEqual({ ...body.roomSetting, ...answered(others) }, body.roomSetting);
  assert.ok(Object.keys(extras).every((key) => !(key in created)));
});

test("a generated room ID is ten random digits, different each time", async () => {
  const { room: make } = await newHome(world);
  const rooms = await Promise.all(Array.from({ length: 64 }, () => make()));
  for (const { room } of rooms) assert.match(room, /^[0-9]{10}$/);
  assert.equal(new Set(rooms.map(({ room }) => room)).size, 64);
});

test("a generated room ID that is taken is replaced, never answered", async (t) => {
  const { room: make } = await newHome(world);
  await make({ room: "0000000042" });
  const numbers = [42, 42, 43];
  const random = t.mock.method(crypto, "randomInt", () => numbers.shift());
  syncBuiltinESMExports();
  try {
    assert.equal((await make()).room, "0000000043");
  } finally {
    random.mock.restore();
    syncBuiltinESMExports();
  }
  assert.deepEqual(numbers, []);
});

test("a given room ID is answered as text and finds the room", async () => {
  const { room: make, fetched } = await newHome(world);
  const given = [0, 42, 9007199254740991, "007", "A.b_c~d-9", "..a", "Paginated", "x".repeat(128)];
  for (const room of given) {
    assert.equal((await make({ room })).room, String(room));
    assert.equal((await fetched(String(room))).room, String(room));
  }
});

test("an invalid room ID is refused, including an empty one", async () => {
  const { ask, owner, used } = await newHome(world);
  const phrase =
    'must be a whole number from 0, or 1 to 128 of A-Z a-z 0-9 . _ ~ - (not only dots, not "paginated")';
  const wrong = ["", " ", "a b", "a/b", "a%20", "é", "💥", ".", "..", "...", "paginated", "a\n"];
  const others = [-1, 1.5, 2 ** 53, 1e21, null, true, [], {}, ["a"], "x".repeat(129)];
  for (const room of [...wrong, ...others]) {
    const { status, body } = await ask(create, { name: "Board", roomOwnerId: owner, room });
    assert.deepEqual([status, saidBody(body)], [400, failure(...about("room", phrase))], `${room}`);
  }
  assert.equal(await used(), 0);
});

test("a taken room ID is refused, in its own organization only, and in the same case only", async () => {
  const [one, two] = [await newHome(world), await newHome(world)];
  await one.room({ room: 42 });
  const taken = failure(
    "room_taken",
    "Room ID already exists. Try again with a different room ID.",
  );
  for (const room of [42, "42"]) {
    const again = await one.ask(create, { name: "Other", roomOwnerId: one.owner, room });
    assert.deepEqual([again.status, saidBody(again.body)], [409, taken]);
  }
  await one.room({ room: "a" });
  await one.room({ room: "A" });
  await two.room({ room: 42 });
  assert.equal((await one.fetched("42")).name, "Board");
  assert.deepEqual([await one.used(), await two.used()], [3, 1]);
});

test("null, empty and blank count as missing for the name and the owner", async () => {
  const { ask, owner, used } = await newHome(world);
  const name = { field: "name", message: "name is required." };
  const roomOwnerId = { field: "roomOwnerId", message: "roomOwnerId is required." };
  for (const value of [undefined, null, "", " \t\n\u00a0"]) {
    const table = [
      [{ name: value, roomOwnerId: owner }, failure("invalid_input", name.message, [name])],
      [
        { name: "Board", roomOwnerId: value },
        failure("invalid_input", roomOwnerId.message, [roomOwnerId]),
      ],
      [
        { name: value, roomOwnerId: value, noOfViewers: -1 },
        failure("invalid_input", name.message, [
          name,
          roomOwnerId,
          { field: "noOfViewers", message: "noOfViewers must be a whole number from 0 to 1000000" },
        ]),
      ],
    ] as const;
    for (const [sent, expected] of table) {
      const { status, body } = await ask(create, sent);
      assert.deepEqual([status, saidBody(body)], [400, expected]);
    }
  }
  assert.equal(await used(), 0);
});

test("the plan's limit is exact, is refused in the interface's text, and deletion makes room", async () => {
  const { ask, owner, used } = await newHome(world, { rooms: 3 });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask(create, { name: "Board", roomOwnerId: owner })),
  );
  const made = answers.filter(({ status }) => status === 201);
  assert.equal(made.length, 3);
  for (const { status, body } of answers.filter((answer) => !made.includes(answer))) {
    assert.deepEqual([status, saidBody(body)], [403, limitReached]);
  }
  assert.equal(await used(), 3);
  await ask(`DELETE ${ROOMS}/${made[0]?.body.roomSetting.room}`);
  assert.equal((await ask(create, { name: "New", roomOwnerId: owner })).status, 201);
  assert.deepEqual((await ask(create, { name: "New", roomOwnerId: owner })).body, limitReached);
});

test("a plan of no rooms allows none, and one without a limit any number", async () => {
  const none = await newHome(world, { rooms: 0 });
  const { status, body } = await none.ask(create, { name: "Board", roomOwnerId: none.owner });
  assert.deepEqual([status, saidBody(body)], [403, limitReached]);
  const { room: make, used } = await newHome(world);
  await Promise.all(Array.from({ length: 30 }, () => make()));
  assert.equal(await used(), 30);
});

test("a create that fails uses nothing of the plan", async () => {
  const { ask, owner, room: make } = await newHome(world, { rooms: 2 });
  await make({ room: "taken" });
  const wrong = [{ room: "taken" }, { roomOwnerId: "nobody" }, { name: "" }, { roomType: "x" }];
  for (const fields of [...wrong, ...wrong]) {
    const { status } = await ask(create, { name: "Board", roomOwnerId: owner, ...fields });
    assert.ok(status === 400 || status === 409);
  }
  await make();
  assert.deepEqual((await ask(create, { name: "Board", roomOwnerId: owner })).body, limitReached);
});

test("fields that a caller may not set are not set", async () => {
  const { room: make, fetched } = await newHome(world);
  const asked = { roomStatus: "busy", totalCallTime: "9", createdAt: "x", updatedAt: "x" };
  const record = await make({ room: "r", ...asked, _id: "x", userId: "x", siteSetting: "x" });
  assert.deepEqual([record.roomStatus, record.totalCallTime], ["free", "0"]);
  assert.match(record.createdAt, TIME);
  assert.deepEqual(await fetched("r"), record);
});

test("create and edit note where recording is on and nobody would be recorded", async () => {
  const { ask, owner } = await newHome(world);
  const noted = async (operation: Asked, settings: object) =>
    (await ask(operation, { name: "Board", roomOwnerId: owner, ...settings })).headers.get(
      "parley-note",
    );
  assert.equal(await noted(create, {}), null);
  assert.equal(await noted(create, { enableRecording: true, recordParticipant: true }), null);
  assert.equal(await noted(create, { enableRecording: true, room: "r" }), recordsNobody);
  assert.equal(await noted(`PUT ${ROOMS}`, { room: "r" }), recordsNobody);
  assert.equal(await noted(`PUT ${ROOMS}`, { room: "r", recordModerator: true }), null);
});
