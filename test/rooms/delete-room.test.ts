import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld } from "../world/world.ts";
import { defaults, notFound, others, typedFailure, types } from "./expected.ts";
import { type Home, newHome, ROOMS } from "./home.ts";

const world = await startWorld(test);
const missing = JSON.stringify(typedFailure(types.remove, ...notFound));
const list = async ({ ask }: Home) => (await ask(`GET ${ROOMS}/paginated`)).body;

test("a deleted room is gone from fetch, list, edit, delete and the counters", async () => {
  const home = await newHome(world);
  const { ask, owner } = home;
  await home.room({ room: "r" });
  const kept = await home.room({ room: "kept" });
  const { status, body } = await ask(`DELETE ${ROOMS}/r`);
  assert.deepEqual([status, body], [200, { type: types.remove, success: true }]);
  const fetched = await ask(`GET ${ROOMS}/r`);
  assert.deepEqual([fetched.status, fetched.body], [404, typedFailure(types.fetch, ...notFound)]);
  const edited = await ask(`PUT ${ROOMS}`, { room: "r", roomOwnerId: owner });
  assert.deepEqual([edited.status, edited.body], [404, typedFailure(types.edit, ...notFound)]);
  const again = await ask(`DELETE ${ROOMS}/r`);
  assert.deepEqual([again.status, again.text], [404, missing]);
  const { roomSettings, pagination } = await list(home);
  assert.deepEqual([roomSettings, pagination.total, await home.used()], [[kept], 1, 1]);
});

test("nothing about a deleted room stays stored", async () => {
  const home = await newHome(world);
  await home.room({ room: "r" });
  await home.ask(`DELETE ${ROOMS}/r`);
  const [rooms, owners, meetings] = await Promise.all(
    (["rooms", "room_owners", "meetings"] as const).map((table) =>
      world.database.read
        .selectFrom(table)
        .select("organization_id")
        .where("organization_id", "=", home.id)
        .execute(),
    ),
  );
  assert.deepEqual([rooms, owners, meetings], [[], [], []]);
});

test("a new room with the same ID has nothing of the deleted one", async () => {
  const home = await newHome(world);
  const old = await home.person();
  await home.room({ ...others, room: "r", roomOwnerId: old.id });
  await home.ask(`DELETE ${ROOMS}/r`);
  const made = await home.room({ room: "r" });
  assert.deepEqual({ ...made, ...defaults, roomOwnerId: home.owner }, made);
  assert.equal((await old.ask(`GET ${ROOMS}/r`)).status, 404);
});

test("an unknown room and one of another organization get the same answer, byte for byte", async () => {
  const [one, two] = [await newHome(world), await newHome(world)];
  const before = await two.room({ room: "theirs" });
  for (const room of ["theirs", "nothin", "%F0%9F%92%A5", "x".repeat(129), "paginated", "r%00"]) {
    const { status, text } = await one.ask(`DELETE ${ROOMS}/${room}`);
    assert.deepEqual([status, text], [404, missing]);
  }
  assert.deepEqual(await two.fetched("theirs"), before);
  assert.deepEqual([await one.used(), await two.used()], [0, 1]);
});

test("a deletion with the interface's content type needs no body, and ignores one", async () => {
  const { ask, room: make } = await newHome(world);
  for (const body of [undefined, "", {}, { id: "other", room: "other" }, []]) {
    await make({ room: "r" });
    assert.equal((await ask(`DELETE ${ROOMS}/r`, body)).status, 200);
  }
});

test("of several simultaneous deletions one succeeds and is counted", async () => {
  const home = await newHome(world, { rooms: 2 });
  await home.room({ room: "r" });
  await home.room({ room: "s" });
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => home.ask(`DELETE ${ROOMS}/r`)),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(404)]);
  assert.equal(await home.used(), 1);
  await home.room();
  const over = await home.ask(`POST ${ROOMS}`, { name: "x", roomOwnerId: home.owner });
  assert.equal(over.status, 403);
});
