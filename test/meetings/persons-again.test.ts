import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { digestOf } from "../../server/lib/digest.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { enter, openSocket, type Somebody } from "./inside.ts";
import { invite } from "./invited.ts";
import { newPlace } from "./place.ts";
import { close, openBrowser } from "./visits.ts";

/*
 * A moderator's decision about a role or a name applies to a person who leaves and enters again.
 */

const world = await startWorld(test);
const { url, open } = world;

const meeting = async (t: TestContext, settings: object = {}) => {
  const place = await newPlace(world, settings);
  const moderator = await enter(t, { url, ask: place.asAdmin }, "r", { peerName: "Mo" });
  return { ...place, moderator };
};

test("a role that a moderator takes stays taken until a moderator gives it back", async (t) => {
  const { code, moderator, tenant, asMember, edit, member } = await meeting(t);
  const become = (peerId: string, peerType: "moderator" | "participant" | "viewer") =>
    moderator.do("changePeer", { peerId, peerType });
  const gus = openBrowser(t, world, { roomId: code, peerName: "Gus" });
  let inside = await gus.enter();
  assert.equal(await become(inside.peerId, "viewer"), "ok");
  for (const mayReturn of [true, false]) {
    await close(world, inside, mayReturn);
    assert.equal(await gus.tries({ peerType: "participant" }), "role_not_allowed");
    const looked = await open("fetchInvitation", { roomId: code }, { cookie: gus.cookie() });
    assert.deepEqual(looked.body.invitation.peerTypes, ["viewer"]);
    inside = await gus.enter();
    await inside.sees("the role", ({ you }) => you.peerType === "viewer");
  }
  assert.equal(await become(inside.peerId, "participant"), "ok");
  await close(world, inside, false);
  inside = await gus.enter();
  await inside.sees("the role", ({ you }) => you.peerType === "participant");
  // A role that is given goes with its seat.
  assert.equal(await become(inside.peerId, "moderator"), "ok");
  await close(world, inside, false);
  inside = await gus.enter();
  await inside.sees("the role", ({ you }) => you.peerType === "participant");

  const mia = openBrowser(t, world, { roomId: "r" }, asMember);
  const seat = await mia.enter();
  assert.equal(await become(seat.peerId, "viewer"), "ok");
  await close(world, seat, false);
  const asGuest = { roomId: code, peerName: "Somebody" };
  const guest = await open("joinRoom", asGuest, { cookie: mia.cookie() });
  assert.equal(guest.body.peer.peerType, "viewer", "also as a guest in the same browser");
  assert.equal((await mia.join()).body.peer.peerType, "viewer");
  await edit({ roomOwnerId: `${tenant.admin.id},${member.id}` });
  assert.equal((await mia.join({ peerType: "moderator" })).body.peer.peerType, "moderator");
});

test("a viewer whom a moderator promoted and demoted does not take part again by leaving and entering", async (t) => {
  const { moderator, tenant } = await meeting(t);
  const sessionToken = await invite(tenant, "r", "Ina");
  const ina = openBrowser(t, world, { roomId: "r", sessionToken });
  const viewer = await ina.enter({ peerType: "viewer" });
  const act = (action: "offer" | "demote") =>
    moderator.do("upgradeRequest", { peerId: viewer.peerId, action });
  assert.equal(await act("offer"), "ok");
  assert.equal(await viewer.do("upgrade", { action: "take" }), "ok");
  assert.equal(await act("demote"), "ok");
  await close(world, viewer, false);
  assert.equal(await ina.tries({ peerType: "participant" }), "role_not_allowed");
  assert.equal((await ina.join()).body.peer.peerType, "viewer");
});

test("a guest who was admitted under one name is asked about again under another", async (t) => {
  const { code, moderator } = await meeting(t, { authenticationRequired: true });
  const ann = openBrowser(t, world, { roomId: code, peerName: "Ann" });
  const admit = ({ peerId }: Pick<Somebody, "peerId">) =>
    moderator.do("allowRoomJoin", { requesterPeerId: peerId });
  const asked = await ann.enter();
  const renamed = await ann.enter({ peerName: "Bea" });
  await until("the former page gets the end", () => asked.ended?.reason === "moved");
  assert.equal(await admit(asked), "peer_not_found", "nobody of this name waits any more");
  const again = await ann.enter();
  assert.notEqual(again.peerId, renamed.peerId);
  assert.equal(await admit(again), "ok");
  await again.sees("everything", ({ you }) => you.peerName === "Ann");

  await close(world, again);
  const other = await ann.join({ peerName: "Mo" });
  assert.deepEqual([other.status, other.body.peer.peerName], [202, "Mo"]);
  assert.equal(await ann.tries(), 202, "the former name is not let in by itself any more");

  const bob = openBrowser(t, world, { roomId: code, peerName: "Bob" });
  const waits = await bob.join();
  assert.equal(await admit(waits.body.peer), "ok");
  assert.equal(await bob.tries(), 200, "let in before the page has connected");
  const { body } = await bob.join({ peerName: "Mo" });
  assert.equal(body.waiting, true);
  const cleo = openBrowser(t, world, { roomId: code, peerName: "Cleo" });
  const viewer = await cleo.join({ peerType: "viewer" });
  assert.equal(await admit(viewer.body.peer), "ok");
  assert.equal((await cleo.join()).body.peer.peerType, "viewer");
  assert.equal(await cleo.tries({ peerType: "participant" }), 202);
});

test("an empty cookie, and one that Parley never issued, does not count", async () => {
  const { code } = await newPlace(world, { noOfParticipants: 9 });
  const seats = new Set<string>();
  for (const value of ["", "", "a", "a", digestOf("a"), digestOf("a")]) {
    const headers = { cookie: `parley_guest=${value}` };
    const answer = await open("joinRoom", { roomId: code, peerName: "Gus" }, headers);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.match(answer.headers.getSetCookie()[0] ?? "", /^parley_guest=[\w-]{43};/);
    seats.add(answer.body.peer.peerId);
    const looked = await open("fetchInvitation", { roomId: code }, headers);
    assert.equal(looked.status, 200);
  }
  assert.equal(seats.size, 6, "each is a person of their own");
});

test("over https, a cookie that a page of another host has set gives nobody the seat of an account", async (t) => {
  const there = await startWorld(t, { environment: { PUBLIC_URL: "https://meet.example.org" } });
  const { asMember } = await newPlace(there);
  const headers = { cookie: `parley_guest=${"g".repeat(43)}` };
  const { body, headers: answered } = await asMember("joinRoom", { roomId: "r" }, headers);
  const [set = ""] = answered.getSetCookie();
  const [pair = "", ...attributes] = set.split("; ");
  assert.match(pair, /^__Host-parley_guest=[\w-]{43}$/);
  for (const one of ["Secure", "HttpOnly", "SameSite=Strict", "Path=/"]) {
    assert.ok(attributes.includes(one), set);
  }
  const mia = await openSocket(t, there.url, { ...body, peerId: body.peer.peerId });
  await until("the socket is welcomed", () => mia.messages.length > 0);
  await close(there, mia);
  const asEve = { roomId: "r", peerName: "Eve" };
  const eve = await there.open("joinRoom", asEve, headers);
  assert.deepEqual([eve.status, eve.body.code], [404, "room_not_found"]);
  // Her session has expired, in her own browser.
  assert.equal((await there.open("joinRoom", asEve, { cookie: pair })).status, 200);
});
