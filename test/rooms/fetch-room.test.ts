import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";
import { notFound, typedFailure, types } from "./expected.ts";
import { newHome, ROOMS } from "./home.ts";

const world = await startWorld(test);
const missing = JSON.stringify(typedFailure(types.fetch, ...notFound));

/** An answer without what differs between requests. */
const whole = ({ status, headers, text }: Answer) => {
  const own = [...headers].filter(([name]) => name !== "date" && name !== "x-request-id");
  return { status, headers: Object.fromEntries(own), text };
};

test("a room is fetched as it was created", async () => {
  const { ask, room: make } = await newHome(world);
  const roomSetting = await make();
  const { status, body, headers } = await ask(`GET ${ROOMS}/${roomSetting.room}`);
  assert.equal(status, 200);
  assert.deepEqual(body, { type: types.fetch, success: true, roomSetting });
  assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(headers.get("cache-control"), "no-store, no-transform");
});

test("a room is found by its whole ID, however the address is encoded", async () => {
  const { ask, room: make } = await newHome(world);
  const long = "~".repeat(128);
  await make({ room: "A.b_c~d-9" });
  await make({ room: long });
  const table = [
    ["A.b_c~d-9", "A.b_c~d-9"],
    ["%41.b%5fc%7Ed%2D9", "A.b_c~d-9"],
    ["A.b_c~d-9?x=1", "A.b_c~d-9"],
    [long, long],
    ["%7e".repeat(128), long],
  ] as const;
  for (const [address, room] of table) {
    const { status, body } = await ask(`GET ${ROOMS}/${address}`);
    assert.deepEqual([status, body.roomSetting?.room], [200, room]);
  }
});

test("an unknown room and one of another organization get the same answer, byte for byte", async () => {
  const [one, two] = [await newHome(world), await newHome(world)];
  await one.room({ room: "ours" });
  await two.room({ room: "theirs" });
  const unknown = whole(await one.ask(`GET ${ROOMS}/nothin`));
  assert.deepEqual([unknown.status, unknown.text], [404, missing]);
  assert.deepEqual(whole(await one.ask(`GET ${ROOMS}/theirs`)), unknown);
});

test("an impossible room ID is simply not found", async () => {
  const { ask, room: make } = await newHome(world);
  await make({ room: "r" });
  const wrong = ["R", "r%20", "%20", "%F0%9F%92%A5", "r%2Fr", "%27%20or%201=1--", "r%00", "%25"];
  const strange = ["%", "%ff", "x".repeat(129), "x".repeat(401), "__proto__", "null", "1e3"];
  for (const room of [...wrong, "..%2Fr", ...strange]) {
    const { status, text } = await ask(`GET ${ROOMS}/${room}`);
    assert.deepEqual([status, text], [404, missing], room);
  }
});

test("a person without admin fetches a room that they own, alone or with others", async () => {
  const { owner, person, room: make } = await newHome(world);
  const { id, ask } = await person();
  for (const roomOwnerId of [id, `${owner},${id}`]) {
    const roomSetting = await make({ roomOwnerId });
    const { status, body } = await ask(`GET ${ROOMS}/${roomSetting.room}`);
    assert.deepEqual([status, body], [200, { type: types.fetch, success: true, roomSetting }]);
  }
});

test("to a person without admin, other people's rooms do not exist", async () => {
  const { owner, person, ask: asKey, room: make } = await newHome(world);
  const { id, ask } = await person();
  await make({ room: "theirs" });
  await make({ room: "shared", roomOwnerId: `${id},${owner}` });
  const unknown = whole(await ask(`GET ${ROOMS}/nothin`));
  assert.deepEqual([unknown.status, unknown.text], [404, missing]);
  assert.deepEqual(whole(await ask(`GET ${ROOMS}/theirs`)), unknown);
  assert.equal((await ask(`GET ${ROOMS}/shared`)).status, 200);
  await asKey(`PUT ${ROOMS}`, { room: "shared", roomOwnerId: owner });
  assert.equal((await ask(`GET ${ROOMS}/shared`)).status, 404);
});

test("an administrator fetches every room of the organization", async () => {
  const { person, room: make } = await newHome(world);
  const { ask } = await person({ admin: true });
  const roomSetting = await make();
  assert.deepEqual((await ask(`GET ${ROOMS}/${roomSetting.room}`)).body.roomSetting, roomSetting);
});

test("a record has exactly the texts that were sent, whatever they look like", async () => {
  const { room: make, fetched } = await newHome(world);
  const texts = [
    '"},{"room":"x"',
    "</script>",
    "\u2028\u2029\\",
    "e\u0301\u00e9",
    "\u{10ffff}",
    "\r\n",
  ];
  for (const text of texts) {
    // A name is one line.
    const name = /[\r\u2028]/.test(text) ? "a" : `a${text}`;
    const sent = { name, roomPassword: text, roomAgenda: text, ipCamNames: [text] };
    const { room } = await make(sent);
    const { roomPassword, roomAgenda, ...others } = await fetched(room);
    assert.deepEqual([others.name, roomPassword, roomAgenda], [name, text, text]);
  }
});
