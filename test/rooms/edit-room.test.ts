import assert from "node:assert/strict";
import { test } from "node:test";
import { saidBody } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import {
  about,
  answered,
  extras,
  notFound,
  others,
  TIME,
  typedFailure,
  types,
} from "./expected.ts";
import { newHome, ROOMS, type RoomAnswer } from "./home.ts";

const world = await startWorld(test);
const edit = `PUT ${ROOMS}`;
const untimed = ({ updatedAt, ...record }: RoomAnswer) => record;

test("the answer to an edit is the record and the keys that only it carries", async () => {
  const { id, ask, owner, room: make } = await newHome(world);
  const created = await make();
  const { status, body } = await ask(edit, { room: created.room, roomOwnerId: owner });
  const { _id, updatedAt } = body.roomSetting;
  const { id: row } = await world.database.read
    .selectFrom("rooms")
    .select("id")
    .where("organization_id", "=", id)
    .executeTakeFirstOrThrow();
  const own = { _id: row, userId: null, siteSetting: id };
  assert.equal(status, 200);
  assert.deepEqual(body, {
    type: types.edit,
    success: true,
    roomSetting: { ...created, updatedAt, ...own, ...extras },
  });
  assert.equal(_id, row);
  assert.match(updatedAt, TIME);
});

test("userId in the answer to an edit is the person who created the room, even if another person edits", async () => {
  const { ask, owner, person } = await newHome(world);
  const admin = await person({ admin: true });
  const { body } = await admin.ask(`POST ${ROOMS}`, { name: "Board", roomOwnerId: owner });
  const { room } = body.roomSetting;
  const edited = await ask(edit, { room, roomOwnerId: owner });
  assert.equal(edited.body.roomSetting.userId, admin.id);
});

test("an edit of one field leaves all others as stored, and sets no default", async () => {
  const { ask, owner, room: make } = await newHome(world);
  const stored = { ...others, name: "Board", roomOwnerId: owner };
  const plain = { roomPassword: null, liveStreamUrl: "", roomAgenda: null, name: "Other" };
  await Promise.all(
    Object.entries({ ...others, name: "Board" }).map(async ([field, value]) => {
      const { room } = await make(stored);
      const changed = field in plain ? plain[field as keyof typeof plain] : value;
      const changes = { [field]: typeof changed === "boolean" ? !changed : changed };
      const { body } = await ask(edit, { room, roomOwnerId: owner, ...changes });
      const expected = answered({ ...stored, ...changes });
      assert.deepEqual({ ...body.roomSetting, ...expected }, body.roomSetting, field);
    }),
  );
});

test("an edit of the owner alone changes nothing else", async () => {
  const { ask, person, room: make, fetched } = await newHome(world);
  const created = await make({ ...others, room: "r" });
  const { id } = await person();
  await ask(edit, { room: "r", roomOwnerId: id });
  assert.deepEqual(untimed(await fetched("r")), { ...untimed(created), roomOwnerId: id });
});

for (const [what, sent] of Object.entries({ defaults: {}, "other values": others })) {
  test(`a record of ${what} that is sent back changes nothing except updatedAt`, async () => {
    const { ask, owner, room: make, fetched } = await newHome(world);
    await make({ ...sent, room: "r" });
    const before = await fetched("r");
    const first = await ask(edit, before);
    assert.deepEqual([first.status, first.headers.get("parley-ignored")], [200, null]);
    assert.deepEqual(untimed(await fetched("r")), untimed(before));
    const second = await ask(edit, first.body.roomSetting);
    assert.deepEqual([second.status, second.headers.get("parley-ignored")], [200, null]);
    assert.deepEqual(untimed(second.body.roomSetting), untimed(first.body.roomSetting));
    assert.ok(second.body.roomSetting.updatedAt >= first.body.roomSetting.updatedAt);
    assert.equal(second.body.roomSetting.createdAt, before.createdAt);
    const { roomPermalink: _, ...request } = answered(sent);
    const third = await ask(edit, { ...request, room: "r", roomOwnerId: owner });
    assert.deepEqual(untimed(third.body.roomSetting), untimed(first.body.roomSetting));
  });
}

test("the answer's spellings are accepted, and the request's own wins where both are sent", async () => {
  const { ask, owner, room: make } = await newHome(world);
  await make({ room: "r" });
  const table = [
    [{ roomPermalink: true }, { roomPermalink: true }],
    [{ roomPermalink: true, roomPermaLink: false }, { roomPermalink: false }],
    [{ roomPermaLink: true, roomPermalink: false }, { roomPermalink: true }],
    [
      { audioStatus: "false", videoStatus: "false" },
      { audioStatus: "false", videoStatus: "false" },
    ],
    [
      { audioStatus: true, videoStatus: "true" },
      { audioStatus: "true", videoStatus: "true" },
    ],
    [{ audioStatus: false }, { audioStatus: "false", videoStatus: "true" }],
  ] as const;
  for (const [changes, expected] of table) {
    const { body } = await ask(edit, { room: "r", roomOwnerId: owner, ...changes });
    assert.deepEqual({ ...body.roomSetting, ...expected }, body.roomSetting);
  }
});

test("read-only fields are ignored silently, and unknown ones are named", async () => {
  const { ask, owner, room: make, fetched } = await newHome(world);
  const before = await make({ room: "r" });
  const readOnly = { roomStatus: "busy", totalCallTime: "9", createdAt: "x", updatedAt: 1 };
  const more = { ...readOnly, _id: "x", userId: "x", siteSetting: "x" };
  const quiet = await ask(edit, { room: "r", roomOwnerId: owner, ...more });
  assert.equal(quiet.headers.get("parley-ignored"), null);
  assert.deepEqual(untimed(await fetched("r")), untimed(before));
  const odd = `{"room":"r","roomOwnerId":"${owner}","__proto__":{"a":1},"constructor":1,"nmae":"x","ü":1}`;
  const named = await ask(edit, odd);
  assert.equal(named.headers.get("parley-ignored"), "__proto__, constructor, nmae, %C3%BC");
  assert.deepEqual(untimed(await fetched("r")), untimed(before));
});

test("a room is selected by its ID as text or as a number", async () => {
  const { ask, owner, room: make } = await newHome(world);
  await make({ room: 42 });
  for (const room of [42, "42"]) {
    const { body } = await ask(edit, { room, roomOwnerId: owner, name: `by ${typeof room}` });
    assert.deepEqual([body.roomSetting.name, body.roomSetting.room], [`by ${typeof room}`, "42"]);
  }
});

test("without the room or its owner an edit is refused, and the room's error comes first", async () => {
  const { ask, owner, room: make, fetched } = await newHome(world);
  const before = await make({ room: "r" });
  const missing = (field: string) => ({ field, message: `${field} is required.` });
  for (const value of [undefined, null, "", " "]) {
    const table = [
      [{ room: value, roomOwnerId: owner }, [missing("room")]],
      [{ room: "r", roomOwnerId: value }, [missing("roomOwnerId")]],
    ] as const;
    for (const [sent, errors] of table) {
      const { status, body } = await ask(edit, { ...sent, name: "New" });
      const expected = typedFailure(types.edit, "invalid_input", errors[0].message, errors);
      assert.deepEqual([status, saidBody(body)], [400, expected], JSON.stringify(sent));
    }
  }
  const both = [missing("room"), missing("roomOwnerId")];
  const { body } = await ask(edit, { name: "New" });
  assert.deepEqual(
    saidBody(body),
    typedFailure(types.edit, "invalid_input", "room is required.", both),
  );
  for (const room of [true, [], {}, "x".repeat(129)]) {
    const expected = typedFailure(types.edit, ...about("room", "must be a room ID"));
    assert.deepEqual(saidBody((await ask(edit, { room, roomOwnerId: owner })).body), expected);
  }
  assert.deepEqual(await fetched("r"), before);
});

test("an unknown room and one of another organization get the same answer, byte for byte", async () => {
  const [one, two] = [await newHome(world), await newHome(world)];
  const before = await two.room({ room: "theirs" });
  const expected = JSON.stringify(typedFailure(types.edit, ...notFound));
  for (const room of ["theirs", "nowhere", 1e21, -1, "a/b", "x y", "💥"]) {
    const { status, text } = await one.ask(edit, { room, roomOwnerId: one.owner, name: "Mine" });
    assert.deepEqual([status, text], [404, expected]);
  }
  assert.deepEqual(await two.fetched("theirs"), before);
});

test("simultaneous changes of different fields all persist", async () => {
  const { ask, owner, room: make, fetched } = await newHome(world);
  await make({ room: "r" });
  const write = async (field: string) => {
    for (let n = 1; n <= 25; n += 1) {
      await ask(edit, { room: "r", roomOwnerId: owner, [field]: n });
      assert.equal((await fetched("r"))[field], n);
    }
  };
  await Promise.all(["noOfViewers", "noOfParticipants", "noOfModerators"].map(write));
});

test("updatedAt advances with every edit, even if the clock was ahead", async () => {
  const { ask, owner, room: make, change, fetched } = await newHome(world);
  const record = await make({ room: "r" });
  const ahead = { ...record, updatedAt: "2199-01-01T00:00:00.000Z" };
  await change(({ tx, organization }) =>
    tx
      .updateTable("rooms")
      .set({ updated_at: ahead.updatedAt, record: JSON.stringify(ahead) })
      .where("organization_id", "=", organization.id)
      .execute(),
  );
  await ask(edit, { room: "r", roomOwnerId: owner, name: "New" });
  const updatedAt = "2199-01-01T00:00:00.001Z";
  assert.deepEqual(await fetched("r"), { ...ahead, name: "New", updatedAt });
});
