import assert from "node:assert/strict";
import { test } from "node:test";
import { defaults, notFound, others, typedFailure, types } from "./expected.ts";
import { type Home, openHouse, ROOMS } from "./house.ts";

const house = await openHouse();
const missing = JSON.stringify(typedFailure(types.remove, ...notFound));
const list = async ({ send }: Home) => (await send(`GET ${ROOMS}/paginated`)).body;

test("a deleted room is gone from fetch, list, edit, delete and the counters", async () => {
  const home = await house.home();
  const { send, owner } = home;
  await home.room({ room: "r" });
  const kept = await home.room({ room: "kept" });
  const { status, body } = await send(`DELETE ${ROOMS}/r`);
  assert.deepEqual([status, body], [200, { type: types.remove, success: true }]);
  const fetched = await send(`GET ${ROOMS}/r`);
  assert.deepEqual([fetched.status, fetched.body], [404, typedFailure(types.fetch, ...notFound)]);
  const edited = await send(`PUT ${ROOMS}`, { room: "r", roomOwnerId: owner });
  assert.deepEqual([edited.status, edited.body], [404, typedFailure(types.edit, ...notFound)]);
  const again = await send(`DELETE ${ROOMS}/r`);
  assert.deepEqual([again.status, again.text], [404, missing]);
  const { roomSettings, pagination } = await list(home);
  assert.deepEqual([roomSettings, pagination.total, await home.used()], [[kept], 1, 1]);
});

test("nothing that is stored of a deleted room stays", async () => {
  const home = await house.home();
  await home.room({ room: "r" });
  await home.send(`DELETE ${ROOMS}/r`);
  const [rooms, owners, meetings] = await Promise.all(
    (["rooms", "room_owners", "meetings"] as const).map((table) =>
      house.database.read
        .selectFrom(table)
        .select("organization_id")
        .where("organization_id", "=", home.id)
        .execute(),
    ),
  );
  assert.deepEqual([rooms, owners, meetings], [[], [], []]);
});

test("a new room of the same ID carries nothing over from the deleted one", async () => {
  const home = await house.home();
  const old = await home.person();
  await home.room({ ...others, room: "r", roomOwnerId: old.id });
  await home.send(`DELETE ${ROOMS}/r`);
  const made = await home.room({ room: "r" });
  assert.deepEqual({ ...made, ...defaults, roomOwnerId: home.owner }, made);
  assert.equal((await old.send(`GET ${ROOMS}/r`)).status, 404);
});

test("an unknown room and one of another organization are answered byte for byte alike", async () => {
  const [one, two] = [await house.home(), await house.home()];
  const before = await two.room({ room: "theirs" });
  for (const room of ["theirs", "nothin", "%F0%9F%92%A5", "x".repeat(129), "paginated", "r%00"]) {
    const { status, text } = await one.send(`DELETE ${ROOMS}/${room}`);
    assert.deepEqual([status, text], [404, missing]);
  }
  assert.deepEqual(await two.fetched("theirs"), before);
  assert.deepEqual([await one.used(), await two.used()], [0, 1]);
});

test("a deletion with the interface's content type needs no body, and looks at none", async () => {
  const { send, room: make } = await house.home();
  for (const body of [undefined, "", {}, { id: "other", room: "other" }, []]) {
    await make({ room: "r" });
    assert.equal((await send(`DELETE ${ROOMS}/r`, body)).status, 200);
  }
});

test("of several deletions at the same time one succeeds, and it is counted once", async () => {
  const home = await house.home({ max_rooms: 2 });
  await home.room({ room: "r" });
  await home.room({ room: "s" });
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => home.send(`DELETE ${ROOMS}/r`)),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(404)]);
  assert.equal(await home.used(), 1);
  await home.room();
  const over = await home.send(`POST ${ROOMS}`, { name: "x", roomOwnerId: home.owner });
  assert.equal(over.status, 403);
});
