// Runs: waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ServerMessage } from "../../contract/meetings/socket.ts";
import { letsEverybodyIn, waitsForNobody } from "../twins/links.ts";
import { testTwin } from "../twins/test-twin.ts";
import { type Answer, cookieOf } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { enter, openSocket, type Somebody } from "./inside.ts";
import { enterInvited, invite, leave } from "./invited.ts";
import { keepSeats, newPlace } from "./place.ts";
import { runElsewhere } from "./run-elsewhere.ts";

const world = await startWorld(test);
const { url, open } = world;

type Lobby = Extract<ServerMessage, { readonly type: "lobby" }>;
type Place = Awaited<ReturnType<typeof newPlace>>;

/** The last thing that somebody before the door was told. */
const lobbyOf = ({ messages }: Somebody): Lobby | undefined =>
  messages.findLast((message): message is Lobby => message.type === "lobby");

const isIn = ({ view }: Somebody): boolean => view !== undefined;

/** Asks for a seat, or for a place before the door, and connects with it. */
const waitAs = async (
  t: TestContext,
  { code }: Pick<Place, "code">,
  peerName: string,
  more: object = {},
  here = world,
): Promise<Somebody & { readonly answer: Answer; readonly cookie: string }> => {
  const asked = { roomId: code, peerName, waitsForSeat: true, ...more };
  const answer = await here.open("joinRoom", asked);
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  const { ticket, peer } = answer.body;
  const somebody = await openSocket(t, here.url, { ticket, peerId: peer.peerId });
  await until(`${peerName} waits`, () => lobbyOf(somebody) !== undefined);
  return Object.assign(somebody, { answer, cookie: cookieOf(answer) });
};

const guestIn = (t: TestContext, { code }: Place, peerName: string, here = world) =>
  enter(t, { url: here.url, ask: here.open }, code, { peerName });

const one = { noOfParticipants: 1, noOfViewers: 0 };

const firstGetsIn = async (t: TestContext, here = world): Promise<void> => {
  const place = await newPlace(here, one);
  const gus = await guestIn(t, place, "Gus", here);
  const queue: Somebody[] = [];
  for (const name of ["Ann", "Bo", "Cy"]) queue.push(await waitAs(t, place, name, {}, here));
  const newcomers = ["Di", "Ed", "Flo"].map((peerName) =>
    here.open("joinRoom", { roomId: place.code, peerName }),
  );
  const [answers] = await Promise.all([Promise.all(newcomers), leave(place.tenant, gus)]);
  const [ann, ...others] = queue as [Somebody, ...Somebody[]];
  await until("the first is in", () => isIn(ann));
  assert.deepEqual(
    answers.map(({ body }) => body.code),
    Array(3).fill("seats_full"),
    "nobody overtakes",
  );
  const { meeting } = (await place.tenant.ask("getMeeting", { roomId: "r" })).body;
  const { taken, allowed } = meeting.seats.participant;
  assert.deepEqual([taken, allowed], [1, 1], "exactly one");
  assert.deepEqual(others.map(isIn), [false, false]);
  await leave(place.tenant, ann);
  await until("then the second", () => isIn(others[0] as Somebody));
  assert.equal(isIn(others[1] as Somebody), false);
};

test("the first person in line gets the seat that becomes free, and nobody overtakes", (t) =>
  firstGetsIn(t));

testTwin("a twin that lets in everybody who waits for a seat is detected", async (t) => {
  const here = await startWorld(t, { twin: letsEverybodyIn });
  await assert.rejects(firstGetsIn(t, here), assert.AssertionError);
});

test("a place in line is taken on request, takes no seat, is on no moderator's list, and knows what it waits for", async (t) => {
  const place = await newPlace(world, one);
  const { tenant, code, asAdmin } = place;
  await guestIn(t, place, "Gus");
  const refused = await open("joinRoom", { roomId: code, peerName: "Ann" });
  assert.deepEqual([refused.status, refused.body.code], [409, "seats_full"]);
  const ann = await waitAs(t, place, "Ann");
  assert.deepEqual([ann.answer.body.waiting, lobbyOf(ann)?.waitsFor], [true, "seat"]);
  const host = await enter(t, { url, ask: asAdmin }, "r", { peerName: "Mo" });
  assert.deepEqual(host.view?.waiting, []);
  const { meeting } = (await tenant.ask("getMeeting", { roomId: "r" })).body;
  assert.deepEqual([meeting.waiting, meeting.seats.participant.taken], [[], 1]);
  const allow = { roomId: "r", requesterPeerId: ann.peerId };
  assert.equal((await tenant.ask("allowRoomJoin", allow)).body.code, "peer_not_found");
  await tenant.ask("editRoom", { room: "r", roomOwnerId: tenant.admin.id, noOfParticipants: 2 });
  await until("one more seat lets them in", () => isIn(ann));
});

test("a place in line survives a reload, in order, and ends with the page", async (t) => {
  const place = await newPlace(world, { ...one, roomPassword: "open sesame" });
  const { code, tenant, asAdmin } = place;
  await enter(t, { url, ask: asAdmin }, "r", { peerType: "participant" });
  const password = { password: "open sesame" };
  const ann = await waitAs(t, place, "Ann", password);
  const bo = await waitAs(t, place, "Bo", password);
  await open("leaveRoom", { ticket: ann.ticket, mayReturn: true });
  const asked = { roomId: code, peerName: "Ann", waitsForSeat: true };
  const again = await open("joinRoom", asked, { cookie: ann.cookie });
  assert.deepEqual([again.status, again.body.peer?.peerId], [202, ann.peerId], "no password again");
  const back = await openSocket(t, url, { ticket: again.body.ticket, peerId: ann.peerId });
  await until("Ann waits again", () => lobbyOf(back) !== undefined);
  const { peers } = (await tenant.ask("getMeeting", { roomId: "r" })).body.meeting;
  await tenant.ask("removePeer", { roomId: "r", peerId: peers[0].peerId });
  await until("Ann is in", () => isIn(back));
  assert.equal(isIn(bo), false);
  await open("leaveRoom", { ticket: bo.ticket });
  await leave(tenant, back);
  await until("the meeting is over", async () => {
    const { meeting } = (await tenant.ask("getMeeting", { roomId: "r" })).body;
    return meeting.meetingId === null;
  });
});

test("a lock holds people in line for a seat, and a new password or link leaves them to the moderators", async (t) => {
  const place = await newPlace(world, one);
  const { tenant, edit, asAdmin } = place;
  const host = await enter(t, { url, ask: asAdmin }, "r");
  const gus = await guestIn(t, place, "Gus");
  const ann = await waitAs(t, place, "Ann");
  await tenant.ask("lockRoom", { roomId: "r", action: "lock" });
  await leave(tenant, gus);
  await host.sees("Gus has left", ({ peers }) => peers.length === 0);
  assert.equal(isIn(ann), false, "nobody new comes into a locked meeting");
  await tenant.ask("lockRoom", { roomId: "r", action: "unlock" });
  await until("Ann is in", () => isIn(ann));
  for (const change of [
    () => edit({ roomPassword: "open sesame" }),
    () => tenant.ask("getRoomLink", { roomId: "r", renew: true }),
  ]) {
    await edit({ roomPassword: "" });
    const { code } = (await tenant.ask("getRoomLink", { roomId: "r" })).body;
    const bo = await waitAs(t, { code }, "Bo");
    assert.equal((await change()).status, 200);
    await until("a moderator decides", () => lobbyOf(bo)?.waitsFor === "moderator");
    await host.sees("Bo waits", ({ waiting }) => waiting.length === 1);
    await tenant.ask("denyRoomJoin", { roomId: "r", all: true });
    await host.sees("nobody waits", ({ waiting }) => waiting.length === 0);
  }
});

test("as many people may wait for a seat as in a lobby, and no more", async (t) => {
  const place = await newPlace(world, one);
  await guestIn(t, place, "Gus");
  const ask = () => open("joinRoom", { roomId: place.code, peerName: "Ann", waitsForSeat: true });
  for (let n = 0; n < 50; n += 1) assert.equal((await ask()).status, 202);
  await keepSeats(world, "waiting");
  const refused = await ask();
  assert.deepEqual([refused.status, refused.body.code], [409, "lobby_full"]);
});

const waitsForHost = async (t: TestContext, here = world): Promise<void> => {
  const place = await newPlace(here);
  const { tenant, asMember } = place;
  const door = (input: object = {}) => tenant.ask("roomDoor", { roomId: "r", ...input });
  assert.equal((await door()).body.waitsForHost, false, "off by default");
  const before = (await tenant.ask("fetchRoom", { id: "r" })).body.roomSetting;
  assert.equal((await door({ waitsForHost: true })).body.waitsForHost, true);
  assert.equal((await door()).body.waitsForHost, true);
  const after = (await tenant.ask("fetchRoom", { id: "r" })).body.roomSetting;
  assert.deepEqual(after, before, "the record has no such field");
  const gus = await waitAs(t, place, "Gus", {}, here);
  assert.equal(lobbyOf(gus)?.waitsFor, "host");
  const sessionToken = await invite(tenant, "r", "Ina");
  const ina = await here.open("joinRoom", { roomId: place.code, sessionToken });
  assert.equal(ina.status, 202, "somebody who was invited to take part waits too");
  const looked = await here.open("fetchInvitation", { roomId: place.code });
  assert.equal(looked.body.invitation.waitsForHost, true);
  assert.equal((await tenant.ask("fetchRoom", { id: "r" })).body.roomSetting.roomStatus, "free");
  const mia = await enter(t, { url: here.url, ask: asMember }, "r");
  await until("Gus is in", () => isIn(gus));
  await leave(tenant, mia);
  const late = await here.open("joinRoom", { roomId: place.code, peerName: "Late" });
  assert.equal(late.status, 200, "a host has been there");
};

test("guests of a room that waits for its host come in by themselves when one has come", (t) =>
  waitsForHost(t));

testTwin("a twin that waits for no host is detected", async (t) => {
  const here = await startWorld(t, { twin: waitsForNobody });
  await assert.rejects(waitsForHost(t, here), assert.AssertionError);
});

/** Everybody who counts as a host. */
const hosts: Readonly<Record<string, (t: TestContext, place: Place) => Promise<Somebody>>> = {
  "an administrator who only watches": (t, { asAdmin }) =>
    enter(t, { url, ask: asAdmin }, "r", { peerType: "viewer" }),
  "a person of the organization": (t, { asMember }) => enter(t, { url, ask: asMember }, "r"),
  "an invited moderator": (t, { tenant }) => enterInvited(t, url, tenant, "r", "Max", "moderator"),
  "an access key": (t, { tenant }) =>
    enter(t, { url, ask: tenant.ask }, "r", { peerName: "Program" }),
};

for (const [who, comes] of Object.entries(hosts)) {
  test(`guests come in when ${who} has come`, async (t) => {
    const place = await newPlace(world);
    await place.tenant.ask("roomDoor", { roomId: "r", waitsForHost: true });
    const gus = await waitAs(t, place, "Gus");
    await comes(t, place);
    await until("Gus is in", () => isIn(gus));
  });
}

test("people who wait for a host are admitted by an administrator from outside, by the setting, and seat by seat", async (t) => {
  const place = await newPlace(world, one);
  const { tenant, asMember } = place;
  await tenant.ask("roomDoor", { roomId: "r", waitsForHost: true });
  const gus = await waitAs(t, place, "Gus");
  const { meeting } = (await tenant.ask("getMeeting", { roomId: "r" })).body;
  assert.equal(meeting.waiting.length, 1);
  assert.equal((await tenant.ask("allowRoomJoin", { roomId: "r", all: true })).status, 200);
  await until("Gus is in", () => isIn(gus));
  const ann = await waitAs(t, place, "Ann");
  assert.equal(lobbyOf(ann)?.waitsFor, "host");
  await enter(t, { url, ask: asMember }, "r", { peerType: "viewer" }).catch(() => undefined);
  await tenant.ask("roomDoor", { roomId: "r", waitsForHost: false });
  await until("Ann waits for a seat", () => lobbyOf(ann)?.waitsFor === "seat");
  await leave(tenant, gus);
  await until("Ann is in", () => isIn(ann));
});

test("owners who may edit change who comes in, others see no such room, and the change can be taken back", async () => {
  const { tenant, member, asMember, asAdmin } = await newPlace(world);
  assert.equal((await asMember("roomDoor", { roomId: "r" })).status, 403);
  await asAdmin("editOrganization", { ownersMay: "edit" });
  assert.equal((await asMember("roomDoor", { roomId: "r" })).body.code, "room_not_found");
  await tenant.ask("editRoom", { room: "r", roomOwnerId: member.id });
  const changed = await asMember("roomDoor", { roomId: "r", waitsForHost: true });
  assert.deepEqual([changed.status, changed.body.waitsForHost], [200, true]);
  const { entries } = (await asAdmin("listHistory", {})).body;
  assert.deepEqual(
    [entries[0].kind, entries[0].before, entries[0].after],
    ["roomEdited", { waitsForHost: false }, { waitsForHost: true }],
  );
  assert.equal((await asAdmin("undoChange", { number: entries[0].number })).status, 200);
  assert.equal((await tenant.ask("roomDoor", { roomId: "r" })).body.waitsForHost, false);
});

test("nobody who would wait for the host watches the stream of a meeting without one", async (t) => {
  const place = await newPlace(world, {
    enableLiveStreaming: true,
    noOfViewers: 5,
  });
  const { tenant, code } = place;
  const gus = await guestIn(t, place, "Gus");
  const { meetingId } = (await tenant.ask("getMeeting", { roomId: "r" })).body.meeting;
  await tenant.change((change) =>
    runElsewhere(change, meetingId, { id: `run-${meetingId}`, topic: "stream", kind: "hls" }),
  );
  const watch = async () => (await open("watchStream", { roomId: code })).body.code ?? "ok";
  assert.equal(await watch(), "ok");
  await tenant.ask("roomDoor", { roomId: "r", waitsForHost: true });
  assert.equal(await watch(), "must_be_admitted");
  await leave(tenant, gus);
});
