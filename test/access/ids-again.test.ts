// Runs: both

import assert from "node:assert/strict";
import { test } from "node:test";
import { hashPassword } from "../../server/access/passwords.ts";
import { openSeal } from "../../server/db/seal.ts";
import { makePasswordCode } from "../../server/mail/password-code.ts";
import { addUser } from "../../server/users/create.ts";
import { deleteForGood } from "../races/former.ts";
import { askAs } from "../world/ask.ts";
import type { Tenant } from "../world/tenant.ts";
import { startWorld } from "../world/world.ts";
import { addPasskey, newDevice, SITE } from "./passkey.ts";
import { deviceOf } from "./sessions.ts";

/* The ID of a person who was deleted permanently may come back with an import, also in another organization. */

const { tenant, open, url, config, database } = await startWorld(test, {
  environment: { PUBLIC_URL: SITE, TRUST_PROXY: "loopback" },
});

const PASSWORD = "four quiet herons at dawn";

/** Adds a person with this ID, as an import does. */
const add = async ({ change }: Tenant, id: string, email: string, admin = false) => {
  const digest = await hashPassword(PASSWORD);
  const account = { id, email, admin, name: "Ann" };
  return change((begun) => addUser(begun, account, { password: "", digest }));
};

const signIn = (login: string, from = "192.0.2.1", more = {}) =>
  open("signIn", { login, password: PASSWORD }, { "x-forwarded-for": from, ...more });

const kindsOfLetters = async ({ ask }: Tenant): Promise<readonly string[]> => {
  const { letters } = (await ask("listLetters", { limit: 100 })).body;
  return letters.map(({ kind }: { readonly kind: string }) => kind);
};

const deletePerson = ({ ask }: Tenant, id: string) => deleteForGood({ database, ask }, id);

test("the ticket of a deleted account opens no account that gets its ID", async () => {
  const [one, other] = [await tenant(), await tenant()];
  const { email } = await add(one, "again", "ticket-one@example.org");
  await one.ask("editUser", { userId: "again", mustChoosePassword: true });
  const { ticket } = (await signIn(email)).body;
  await deletePerson(one, "again");
  const { id } = await add(other, "again", "ticket-other@example.org");
  assert.equal(id, "again");
  const newPassword = "five quiet herons at dawn";
  const { body } = await open("signInWithNewPassword", { ticket, newPassword });
  assert.equal(body.code, "session_ended");
  assert.equal((await signIn("ticket-other@example.org")).status, 200);
});

test("a device of a deleted account is none of an account that gets its ID", async () => {
  const [one, other] = [await tenant(), await tenant()];
  const { email } = await add(one, "device", "device-one@example.org");
  const cookie = deviceOf(await signIn(email));
  await deletePerson(one, "device");
  await add(other, "device", "device-other@example.org");
  await signIn("device-other@example.org");
  assert.deepEqual(await kindsOfLetters(other), [], "the first sign-in of this account");
  await signIn("device-other@example.org", "198.51.100.7", { cookie });
  assert.deepEqual(await kindsOfLetters(other), ["new-sign-in"]);
});

test("the network of a deleted account is none of an account that gets its ID", async () => {
  const [one, other] = [await tenant(), await tenant()];
  const { email } = await add(one, "network", "network-one@example.org");
  await signIn(email, "203.0.113.9");
  await deletePerson(one, "network");
  await add(other, "network", "network-other@example.org");
  await signIn("network-other@example.org");
  await signIn("network-other@example.org", "203.0.113.9");
  assert.deepEqual(await kindsOfLetters(other), ["new-sign-in"]);
});

test("the link of a deleted account chooses no password of an account that gets its ID and address", async () => {
  const [one, other] = [await tenant(), await tenant()];
  const { email, created_at: createdAt } = await add(one, "link", "link@example.org");
  const of = { userId: "link", credentials: 1, createdAt, email };
  const code = makePasswordCode(await openSeal(config), of, Date.now() + 60_000);
  await deletePerson(one, "link");
  await add(other, "link", email);
  const { body } = await open("choosePassword", { code, newPassword: "five quiet herons at dawn" });
  assert.equal(body.code, "link_ended");
  assert.equal((await signIn(email)).status, 200);
});

test("the ticket of a deleted account learns no passkey of an account that gets its ID", async () => {
  const [one, other] = [await tenant(), await tenant()];
  const withPasskey = async (login: string): Promise<string> => {
    await addPasskey(askAs(url, (await signIn(login)).body.token), newDevice());
    return (await signIn(login)).body.ticket;
  };
  const { email } = await add(one, "passkey", "passkey-one@example.org");
  const ticket = await withPasskey(email);
  await deletePerson(one, "passkey");
  await add(other, "passkey", "passkey-other@example.org");
  const current = await withPasskey("passkey-other@example.org");
  assert.equal((await open("askForPasskey", { ticket })).body.code, "session_ended");
  assert.equal((await open("askForPasskey", { ticket: current })).status, 200);
});

test("an account that gets the ID of a deleted one in its organization gets none of its kept answers", async () => {
  const one = await tenant();
  const { email } = await add(one, "kept", "kept-one@example.org", true);
  const create = async (login: string) => {
    const ask = askAs(url, (await signIn(login)).body.token);
    const room = { name: "Board", roomOwnerId: one.admin.id };
    return ask("createRoom", room, { "idempotency-key": "the-same" });
  };
  assert.equal((await create(email)).status, 201);
  assert.equal((await create(email)).headers.get("idempotency-replayed"), "true");
  await deletePerson(one, "kept");
  await add(one, "kept", "kept-other@example.org", true);
  const { status, headers } = await create("kept-other@example.org");
  assert.deepEqual([status, headers.get("idempotency-replayed")], [201, null]);
});

test("a room that comes back from the bin has no owner whose account only has the ID of a former one", async () => {
  const at = await tenant();
  const { ask, admin } = at;
  await add(at, "owner", "owner-one@example.org");
  const room = { name: "Board", room: "board", roomOwnerId: `${admin.id},owner` };
  assert.equal((await ask("createRoom", room)).status, 201);
  await ask("editOrganization", { binDays: 9 });
  const { ids } = (await ask("binRooms", { rooms: ["board"] })).body;
  await deletePerson(at, "owner");
  await add(at, "owner", "owner-other@example.org");
  assert.equal((await ask("restoreFromBin", { ids })).status, 200);
  const { body } = await ask("fetchRoom", { id: "board" });
  assert.equal(body.roomSetting.roomOwnerId, admin.id);
});

test("an undo gives a room to no account that only has the ID of a former owner", async () => {
  const at = await tenant();
  const { ask, admin } = at;
  await add(at, "undone", "undone-one@example.org");
  const room = { name: "Board", room: "undone", roomOwnerId: `${admin.id},undone` };
  assert.equal((await ask("createRoom", room)).status, 201);
  assert.equal((await ask("editRoom", { room: "undone", roomOwnerId: admin.id })).status, 200);
  await deletePerson(at, "undone");
  await add(at, "undone", "undone-other@example.org");
  const { entries } = (await ask("listHistory", { subjectId: "undone", kind: "roomEdited" })).body;
  const { status, body } = await ask("undoChange", { number: entries[0].number });
  assert.deepEqual([status, body.errors?.[0]?.code], [400, "unknown_owner"]);
  const { roomSetting } = (await ask("fetchRoom", { id: "undone" })).body;
  assert.equal(roomSetting.roomOwnerId, admin.id);
});

test("an undo changes no room that only has the ID of a deleted one", async () => {
  const { ask, admin, addPerson } = await tenant();
  const { id: former } = await addPerson("former-owner@example.org");
  const create = (roomOwnerId: string) =>
    ask("createRoom", { name: "Board", room: "renamed", roomOwnerId });
  assert.equal((await create(`${admin.id},${former}`)).status, 201);
  assert.equal((await ask("editRoom", { room: "renamed", roomOwnerId: admin.id })).status, 200);
  assert.equal((await ask("deleteRoom", { id: "renamed" })).status, 200);
  assert.equal((await create(admin.id)).status, 201);
  const { entries } = (await ask("listHistory", { subjectId: "renamed", kind: "roomEdited" })).body;
  const { body } = await ask("undoChange", { number: entries[0].number });
  assert.equal(body.code, "room_not_found");
  const { roomSetting } = (await ask("fetchRoom", { id: "renamed" })).body;
  assert.equal(roomSetting.roomOwnerId, admin.id);
});

test("an undo takes nothing out of the bin that only has the ID of a deleted one", async () => {
  const { ask, admin } = await tenant();
  await ask("editOrganization", { binDays: 9 });
  const rest = async (): Promise<string> => {
    const room = { name: "Board", room: "rested", roomOwnerId: admin.id };
    assert.equal((await ask("createRoom", room)).status, 201);
    return (await ask("binRooms", { rooms: ["rested"] })).body.ids[0];
  };
  assert.equal((await ask("deleteFromBin", { id: await rest() })).status, 200);
  const later = await rest();
  const { entries } = (await ask("listHistory", { subjectId: "rested", kind: "roomBinned" })).body;
  const [second, first] = entries;
  assert.equal((await ask("undoChange", { number: first.number })).body.code, "not_in_bin");
  const { entries: resting } = (await ask("listBin", {})).body;
  assert.deepEqual(
    resting.map(({ id }: { readonly id: string }) => id),
    [later],
  );
  assert.equal((await ask("undoChange", { number: second.number })).status, 200);
});
