// Runs: postgres-first

import assert from "node:assert/strict";
import { test } from "node:test";
import { askAs, cookieOf } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { saidIn } from "../world/reasons.ts";
import { startWorld } from "../world/world.ts";
import { enter, openSocket } from "./inside.ts";
import { enterInvited, invite, leave } from "./invited.ts";
import { newPlace } from "./place.ts";

const world = await startWorld(test);
const { url, open } = world;
const place = (settings?: object) => newPlace(world, settings);

test("an invitation holds for its room and its person, and ends with its time and its access key", async (t) => {
  const { tenant, code } = await place();
  const other = await place();
  const sessionToken = await invite(tenant, "r", "Ina");
  const join = (roomId: string, token = sessionToken) =>
    open("joinRoom", { roomId, sessionToken: token, peerName: "Somebody else" });
  assert.equal((await join(other.code)).body.code, "room_not_found");
  const { body } = await join(code);
  assert.deepEqual([body.peer.peerName, body.peer.peerType], ["Ina", "participant"]);
  const same = await join("r", await invite(tenant, "r", "Ina"));
  assert.equal(same.body.peer.peerId, body.peer.peerId);
  await world.database.change(async (tx) => {
    const expires_at = "2020-01-01T00:00:00.000Z";
    await tx.updateTable("invitations").set({ expires_at }).execute();
  });
  assert.equal((await join("r")).body.code, "link_ended");
  const ina = await enterInvited(t, url, tenant, "r", "Ina");
  const id = tenant.accessKey.accessKey;
  const later = await invite(tenant, "r", "Later");
  const asAdmin = askAs(url, await tenant.tokenOf(tenant.admin.id));
  assert.equal((await asAdmin("removeAccessKey", { id })).status, 200);
  await until("Ina is out", () => ina.ended?.reason === "signed_out");
  assert.equal((await join("r", later)).body.code, "link_ended");
  const wrong = { ...tenant.accessKey, roomId: "r" };
  const { accessKey, secretAccessKey, roomId } = wrong;
  const unknown = await open("createSessionToken", { accessKey, secretAccessKey, roomId });
  assert.deepEqual([unknown.status, unknown.body.code], [401, "wrong_access_key"]);
  const foreign = { ...other.tenant.accessKey, roomId: "only-here" };
  const room = { name: "Only here", room: "only-here", roomOwnerId: tenant.admin.id };
  assert.equal((await asAdmin("createRoom", room)).status, 201);
  const missed = await open("createSessionToken", {
    accessKey: foreign.accessKey,
    secretAccessKey: foreign.secretAccessKey,
    roomId: foreign.roomId,
  });
  assert.deepEqual([missed.status, missed.body.code], [404, "room_not_found"]);
});

test("an invitation opens its room even after its link has ended", async (t) => {
  const { tenant, code } = await place();
  const sessionToken = await invite(tenant, "r", "Later");
  const ina = await enterInvited(t, url, tenant, "r", "Ina");
  await leave(tenant, await enterInvited(t, url, tenant, "r", "Ivo"));
  await leave(tenant, ina);
  const asGuest = await open("joinRoom", { roomId: code, peerName: "Gus" });
  assert.equal(asGuest.body.code, "link_ended", "with its first meeting");
  assert.equal((await open("fetchInvitation", { roomId: code, sessionToken })).status, 200);
  const { status, body } = await open("joinRoom", { roomId: code, sessionToken });
  assert.deepEqual([status, body.peer?.peerName], [200, "Later"]);
});

test("an invitation is revoked by token or person, at once on every process, and removes people inside", async (t) => {
  const { tenant, code, asAdmin } = await place({ roomPermaLink: true });
  const other = await place();
  const elsewhere = askAs(await world.second(), undefined);
  const secretOf = ({ accessKey, secretAccessKey }: typeof tenant.accessKey, roomId = "r") => ({
    accessKey,
    secretAccessKey,
    roomId,
  });
  const revoke = (whom: object, secret: object = secretOf(tenant.accessKey)) =>
    open("revokeSessionToken", { ...secret, ...whom });
  const joins = async (sessionToken: string, ask = elsewhere) => {
    const { status, body } = await ask("joinRoom", { roomId: "r", sessionToken });
    return body.code ?? status;
  };
  const room = { name: "Another", room: "another", roomOwnerId: tenant.admin.id };
  assert.equal((await tenant.ask("createRoom", room)).status, 201);
  const { accessKey: secondKey } = (await asAdmin("createAccessKey", {})).body;
  const second = { ...tenant, accessKey: secondKey };
  // An invitation must be for this key and this room.
  const bob = await enterInvited(t, url, tenant, "r", "Bob");
  const unknown = await revoke({ sessionToken: "unknown" });
  assert.deepEqual([unknown.status, unknown.body.code], [404, "peer_not_found"]);
  const spared = {
    foreign: [await invite(other.tenant, "r", "Ina"), other.tenant],
    another: [await invite(tenant, "another", "Ina"), tenant],
    "second key": [await invite(second, "r", "Ina"), tenant],
  } as const;
  const opens = async (roomId: string, sessionToken: string) =>
    (await open("fetchInvitation", { roomId, sessionToken })).status;
  for (const [name, [sessionToken]] of Object.entries(spared)) {
    assert.equal((await revoke({ sessionToken })).text, unknown.text, name);
    assert.equal(await opens(name === "another" ? name : "r", sessionToken), 200, name);
  }
  assert.equal((await revoke({ peerId: "Ina" })).text, unknown.text);
  const wrong = { ...secretOf(tenant.accessKey), secretAccessKey: "wrong" };
  assert.equal((await revoke({ peerId: "Bob" }, wrong)).body.code, "wrong_access_key");
  const missed = await revoke({ peerId: "Bob" }, secretOf(tenant.accessKey, "nowhere"));
  assert.equal(missed.body.code, "room_not_found");
  for (const whom of [{}, { peerId: "Bob", sessionToken: "x" }]) {
    const { status, body } = await revoke(whom);
    const message = "sessionToken or peerId is required, and not both";
    assert.deepEqual([status, saidIn(body.errors)], [400, [{ field: "sessionToken", message }]]);
  }
  // The invitation of one token; the person's other one stays valid.
  const sessionToken = await invite(tenant, "r", "Ina");
  const kept = await invite(tenant, "r", "Ina");
  const entered = await open("joinRoom", { roomId: "r", sessionToken });
  const ina = await openSocket(t, url, {
    ticket: entered.body.ticket,
    peerId: entered.body.peer.peerId,
  });
  await bob.sees("Ina", ({ peers }) => peers.length === 1);
  assert.equal((await revoke({ sessionToken })).status, 200);
  assert.equal(await joins(sessionToken), "link_ended");
  await until("Ina is out", () => ina.ended?.reason === "signed_out");
  await bob.sees("that she is", ({ peers }) => peers.length === 0);
  const asGuest = { roomId: code, peerName: "Somebody" };
  const cookie = cookieOf(entered);
  assert.equal((await open("joinRoom", asGuest, { cookie })).body.code, "banned");
  assert.equal((await open("joinRoom", asGuest)).status, 200, "the link lets everybody else in");
  assert.equal((await revoke({ sessionToken })).text, unknown.text);
  // All of a person's invitations, even if only the seat is left of them.
  const again = await enter(t, { url, ask: open }, "r", { sessionToken: kept });
  const later = await invite(tenant, "r", "Ina");
  assert.equal((await revoke({ peerId: "Ina" })).status, 200);
  await until("Ina is out again", () => again.ended?.reason === "signed_out");
  for (const one of [kept, later]) assert.equal(await joins(one), "link_ended");
  await world.database.change((tx) => tx.deleteFrom("invitations").execute());
  assert.equal(bob.ended, undefined);
  assert.equal((await revoke({ peerId: "Bob" })).status, 200);
  await until("Bob is out", () => bob.ended?.reason === "signed_out");
  // An excluded person can be invited again.
  assert.equal(await joins(await invite(tenant, "r", "Ina")), 200);
});

test("the answer to an invitation says whether the person is already in the meeting", async (t) => {
  const { tenant } = await place();
  const { accessKey, secretAccessKey } = tenant.accessKey;
  const messageFor = async (peerId?: string, roomId = "r") => {
    const asked = { accessKey, secretAccessKey, roomId, ...(peerId && { peerId }) };
    const { body } = await open("createSessionToken", asked);
    const opened = await open("fetchInvitation", { roomId, sessionToken: body.sessionToken });
    assert.equal(opened.status, 200, "either way there is an invitation");
    return body.message;
  };
  const made = "Session token generated successfully";
  const room = { name: "Another", room: "another", roomOwnerId: tenant.admin.id };
  assert.equal((await tenant.ask("createRoom", room)).status, 201);
  assert.equal(await messageFor("Ina"), made);
  const ina = await enterInvited(t, url, tenant, "r", "Ina");
  assert.equal(await messageFor("Ina"), "Active session exists for this roomId");
  for (const other of [
    await messageFor("Bob"),
    await messageFor(),
    await messageFor("Ina", "another"),
  ]) {
    assert.equal(other, made);
  }
  await leave(tenant, ina);
  assert.equal(await messageFor("Ina"), made);
});

test("the data file of a person who excluded a guest does not name the guest", async (t) => {
  const tenant = await world.tenant();
  const { ask, id, admin } = tenant;
  await ask("createRoom", { name: "R", room: "r", roomOwnerId: admin.id });
  const guest = await enterInvited(t, world.url, tenant, "r", "Gus Unnamed");
  const theirs = { authorization: `Bearer ${await tenant.tokenOf(admin.id)}` };
  const excluded = await ask(
    "removePeer",
    { roomId: "r", peerId: guest.peerId, ban: "always" },
    theirs,
  );
  assert.equal(excluded.status, 200, excluded.text);
  assert.equal((await ask("liftBan", { roomId: "r", peerId: guest.peerId }, theirs)).status, 200);
  const { text } = await ask("exportUser", { userId: admin.id });
  assert.match(text, /personBanned.*banLifted|banLifted.*personBanned/s);
  assert.ok(!text.includes("Gus Unnamed"), id);
});
