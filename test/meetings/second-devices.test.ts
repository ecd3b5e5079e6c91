// Runs: postgres-first

import assert from "node:assert/strict";
import { test } from "node:test";
import { leavesSecond } from "../twins/seats.ts";
import { testTwin } from "../twins/test-twin.ts";
import { make } from "../webhooks/made.ts";
import { startReceiver } from "../webhooks/receiver.ts";
import type { Scope } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import { startWorld, type World } from "../world/world.ts";
import { openSocket, type Somebody } from "./inside.ts";
import { invite, leave } from "./invited.ts";
import { newPlace } from "./place.ts";

const world = await startWorld(test, { environment: { ALLOWED_NETWORKS: "loopback" } });

/** A room, and people in it on one or two devices. */
const placeIn = async (here: World, settings: object = {}) => {
  const place = await newPlace(here, settings);
  const { tenant } = place;
  const joins = async (person: string, terms: object = {}, role?: "moderator") => {
    const sessionToken = await invite(tenant, "r", person, role);
    return here.open("joinRoom", { roomId: "r", sessionToken, ...terms });
  };
  const sits = async (t: Scope, person: string, terms: object = {}, role?: "moderator") => {
    const { status, body } = await joins(person, terms, role);
    assert.equal(status, 200, JSON.stringify(body));
    const one = await openSocket(t, here.url, { ticket: body.ticket, peerId: body.peer.peerId });
    await one.sees("the meeting", () => true);
    return one;
  };
  const living = async (person: string) =>
    here.database.read
      .selectFrom("seats")
      .select(["id", "second", "state", "role"])
      .where("organization_id", "=", tenant.id)
      .where("person", "like", `%/${person}`)
      .where("left_at", "is", null)
      .execute();
  const moderator = (t: Scope) => sits(t, "Mo", {}, "moderator");
  return { ...place, joins, sits, living, moderator };
};

const second = { secondDevice: true };

/** How somebody sees the devices of a person: with "2" for a second one. */
const devicesOf = ({ view }: Somebody, person: string) =>
  (view?.peers ?? [])
    .filter(({ peerName }) => peerName === person)
    .map(({ secondDevice }) => (secondDevice ? "2" : "1"))
    .toSorted();

test("a second device takes a seat without sound, and everybody knows whose it is", async (t) => {
  const { sits, moderator, joins, asAdmin } = await placeIn(world);
  const receiver = await startReceiver(t);
  await make(asAdmin, receiver.url, ["newPeer"]);
  const mo = await moderator(t);
  const ann = await sits(t, "Ann", second);
  assert.equal(ann.view?.you.secondDevice, undefined, "without a seat it is an ordinary join");
  const phone = await sits(t, "Ann", second);
  assert.equal(ann.ended, undefined);
  await mo.sees("both", () => devicesOf(mo, "Ann").join() === "1,2");
  assert.deepEqual(
    [ann, phone].map(({ view }) => [view?.you.secondDevice, view?.allowed.audio]),
    [
      [undefined, true],
      [true, false],
    ],
  );
  const on = { audio: true, video: true, share: false };
  for (const one of [ann, phone]) assert.equal(await one.do("media", on), "ok");
  await mo.sees("their pictures", ({ peers }) => peers.every(({ video }) => video));
  assert.deepEqual(
    mo.view?.peers.map(({ audio, secondDevice }) => audio !== (secondDevice === true)),
    [true, true],
  );
  const { peers, seats } = (await asAdmin("getMeeting", { roomId: "r" })).body.meeting;
  assert.equal(peers.filter((one: { secondDevice?: true }) => one.secondDevice).length, 1);
  assert.equal(seats.participant.taken, 2, "it counts as a seat");
  const events = await receiver.waitFor(3);
  assert.deepEqual(
    events.flatMap(({ event }) => event.data.peer.secondDevice ?? []),
    [true],
  );
  const tablet = await joins("Ann", { ...second, takesOver: false });
  assert.equal(tablet.body.code, "already_inside");
  const third = await sits(t, "Ann", second);
  assert.equal(third.peerId, phone.peerId, "another one takes the second seat over");
});

test("a moderator's decision applies to a person on both devices", async (t) => {
  const { sits, moderator, joins, living } = await placeIn(world, { noOfViewers: 1 });
  const mo = await moderator(t);
  const both = async () => [await sits(t, "Ann"), await sits(t, "Ann", second)] as const;
  const [, phone] = await both();
  assert.equal(await mo.do("changePeer", { peerId: phone.peerId, peerType: "moderator" }), "ok");
  await mo.sees("two moderators", ({ peers }) =>
    peers.every(({ peerType }) => peerType === "moderator"),
  );
  assert.equal(await mo.do("changePeer", { peerId: phone.peerId, peerType: "viewer" }), "ok");
  await mo.sees("no seat for the second", () => devicesOf(mo, "Ann").join() === "1");
  assert.equal(mo.view?.peers[0]?.peerType, "viewer");
  await until("it is over", () => phone.ended !== undefined);
  assert.equal(phone.ended?.reason, "lost");
  assert.equal((await joins("Ann", second)).body.code, "seats_full");
  assert.equal(await mo.do("changePeer", { peerId: phone.peerId, peerType: "participant" }), "ok");
  const again = await sits(t, "Ann", second);
  assert.equal(await mo.do("removePeer", { peerId: again.peerId, ban: "no" }), "ok");
  await mo.sees("nobody", ({ peers }) => peers.length === 0);
  assert.deepEqual(await living("Ann"), []);
  await both();
  assert.equal(await mo.do("removePeer", { peerId: phone.peerId, ban: "meeting" }), "ok");
  assert.deepEqual(await living("Ann"), []);
  for (const terms of [{}, second]) {
    assert.equal((await joins("Ann", terms)).body.code, "banned");
  }
});

test("when a person leaves with the first device the second takes its place; a reload of the first keeps both", async (t) => {
  const { sits, moderator, tenant, living, asAdmin } = await placeIn(world);
  const mo = await moderator(t);
  const ann = await sits(t, "Ann");
  const phone = await sits(t, "Ann", second);
  const { ask } = tenant;
  assert.equal((await ask("leaveRoom", { ticket: ann.ticket, mayReturn: true })).status, 200);
  await mo.sees("the second alone", () => devicesOf(mo, "Ann").join() === "2");
  const back = await sits(t, "Ann");
  await mo.sees("both", () => devicesOf(mo, "Ann").join() === "1,2");
  await leave(tenant, back);
  await phone.sees("it is the only one", ({ you, allowed }) => !you.secondDevice && allowed.audio);
  assert.deepEqual(
    (await living("Ann")).map((one) => [one.id, Boolean(one.second)]),
    [[phone.peerId, false]],
  );
  const { meetingId } = (await asAdmin("getMeeting", { roomId: "r" })).body.meeting;
  await leave(tenant, phone);
  const { attendance } = (await asAdmin("getAttendance", { meetingId })).body;
  const entries = attendance.filter((one: { peerName: string }) => one.peerName === "Ann");
  assert.deepEqual(
    entries.map((one: { peerId: string; reason: string }) => [one.peerId, one.reason]),
    [[ann.peerId, "left"]],
    "the time on two devices is one",
  );
});

test("the two seats of a p2p room are for people", async (t) => {
  const { sits, joins } = await placeIn(world, { roomType: "p2p" });
  await sits(t, "Ann");
  assert.equal((await joins("Ann", second)).body.code, "no_second_device");
});

/** Whatever happens at once, a person has one first seat and at most one second, or none at all. */
const races = async (t: Scope, here: World): Promise<void> => {
  const { sits, moderator, joins, tenant, living } = await placeIn(here);
  const mo = await moderator(t);
  const holds = async (what: string): Promise<void> => {
    const seats = await living("Ann");
    const seconds = seats.filter((one) => Boolean(one.second)).length;
    assert.ok(seats.length <= 2, what);
    assert.ok(seconds === 0 || (seconds === 1 && seats.length === 2), `${what}: a lone second`);
    const { body } = await joins("Ann");
    await leave(tenant, body);
    for (const { body: other } of [await joins("Ann")]) await leave(tenant, other);
  };
  const joinsTwice = () => [joins("Ann", second), joins("Ann", second)];
  await Promise.all(joinsTwice());
  assert.equal((await living("Ann")).length, 2);
  await holds("two at once");
  const ann = await sits(t, "Ann");
  await Promise.all([leave(tenant, ann), ...joinsTwice()]);
  await holds("the first leaves");
  const other = await sits(t, "Ann");
  await sits(t, "Ann", second);
  await leave(tenant, other);
  await holds("the first has left");
  const bad = await sits(t, "Ann");
  await Promise.all([mo.do("removePeer", { peerId: bad.peerId, ban: "no" }), ...joinsTwice()]);
  await holds("removed");
  const worse = await sits(t, "Ann");
  await Promise.all([
    mo.do("removePeer", { peerId: worse.peerId, ban: "meeting" }),
    ...joinsTwice(),
  ]);
  assert.deepEqual(await living("Ann"), []);
};

test("a second device never stays without a first one, whatever happens at once", (t) =>
  races(t, world));

testTwin("a twin that leaves a second device without a first one is detected", async (t) => {
  const twin = await startWorld(t, { twin: leavesSecond });
  await assert.rejects(races(t, twin), /a lone second/);
});
