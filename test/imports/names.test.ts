import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld } from "../world/world.ts";
import { address, carryOut, plansOf, upload } from "./importing.ts";

const world = await startWorld(test);

test("names lose line breaks and characters that turn text around, and earlier people stay as they are", async () => {
  const { ask, addPerson, admin } = await world.tenant();
  const old = await addPerson(address(), { name: "Old\u202e" });
  const [new1, new2] = [address(), address()];
  const text = [
    { email: new1, name: "Third\r\nwith a\tbreak", location: "\u2066Hall\u2069" },
    { email: old.email, name: "Old\u202e" },
    { email: admin.email, name: "Admin\x1b[31m" },
    { email: new2, name: "\u202e\n" },
  ];
  const { id } = await upload(ask, { kind: "users", text });
  assert.deepEqual(await plansOf(ask, id), [
    [1, "create"],
    [2, "same"],
    [3, "change"],
    [4, "refuse", "Email and name are required to create a new user."],
  ]);
  assert.equal((await carryOut(ask, id)).done.created, 1);
  const people = (await ask("fetchUsers", {})).body.users;
  const named = (email: string) => people.find((one: { email: string }) => one.email === email);
  assert.deepEqual(
    [named(new1).name, named(new1).location, named(old.email).name, named(admin.email).name],
    ["Third with a break", "Hall", "Old\u202e", "Admin[31m"],
  );
  const room = "Room\u2028one";
  const agenda = { roomAgenda: "1.\n2.\u202e", roomPassword: "a\tb" };
  const rooms = [{ room: "r1", name: room, roomOwnerId: admin.id, ...agenda }];
  await carryOut(ask, (await upload(ask, { kind: "rooms", text: rooms })).id);
  const made = (await ask("fetchRoom", { id: "r1" })).body.roomSetting;
  assert.deepEqual([made.name, made.roomAgenda, made.roomPassword], ["Room one", "1.\n2.", "a\tb"]);
});
