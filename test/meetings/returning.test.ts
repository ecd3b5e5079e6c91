import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { View } from "../../contract/meetings/socket.ts";
import { returnsUncounted } from "../twins/seats.ts";
import { testTwin } from "../twins/test-twin.ts";
import { cookieOf } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { enter, openSocket } from "./inside.ts";
import { newPlace, seatOf } from "./place.ts";

const world = await startWorld(test);
const { url, open, database } = world;

const ok = ({ status }: { readonly status: number }): number => status;

/** A guest inside, or before the door, who can close the page and come back with the cookie. */
const guestIn = async (
  t: Parameters<typeof enter>[0],
  roomId: string,
  entry: object = {},
  { url, open } = world,
) => {
  const join = (more: object = {}) =>
    open("joinRoom", { roomId, peerName: "Gus", ...entry, ...more });
  const first = await join();
  const cookie = cookieOf(first);
  const inside = await openSocket(t, url, {
    ticket: first.body.ticket,
    peerId: first.body.peer.peerId,
  });
  await until("the socket is welcomed", () => inside.messages.length > 0);
  return {
    inside,
    /** The message that the page sends when it closes. */
    close: async (more: object = { mayReturn: true }) =>
      assert.equal((await open("leaveRoom", { ticket: inside.ticket, ...more })).status, 200),
    comeBack: (more: object = {}) =>
      open("joinRoom", { roomId, peerName: "Gus", ...more }, { cookie }),
  };
};

test("a reload brings a person back past lobby, password and lock, with the hand still raised", async (t) => {
  const { code, tenant, asAdmin, edit } = await newPlace(world, { authenticationRequired: true });
  const moderator = await enter(t, { url, ask: asAdmin }, "r");
  const { inside, close, comeBack } = await guestIn(t, code);
  await moderator.sees("Gus waits", ({ waiting }) => waiting.length === 1);
  assert.equal(await moderator.do("allowRoomJoin", { all: true }), "ok");
  await inside.sees("everything", ({ you }) => you.hand === null);
  assert.equal(await inside.do("hand", { up: true }), "ok");
  await inside.sees("the own hand", ({ you }) => you.hand !== null);
  await edit({ roomPassword: "open sesame" });
  await tenant.ask("lockRoom", { roomId: "r", action: "lock" });

  await close();
  await until("the page gets the end", () => inside.ended?.reason === "left");
  await moderator.sees("Gus is gone", ({ peers }) => peers.length === 0);
  const back = await comeBack();
  assert.deepEqual([back.status, back.body.waiting], [200, false], JSON.stringify(back.body));
  const again = await openSocket(t, url, back.body);
  await again.sees("the hand is up", ({ you }) => you.hand !== null);
  await moderator.sees("the hand", ({ peers: [peer] }) => (peer?.hand ?? null) !== null);

  const other = await open("joinRoom", { roomId: code, peerName: "Gus" });
  assert.equal(other.body.code, "room_locked", "another guest is still locked out");
  await open("leaveRoom", { ticket: back.body.ticket });
  assert.equal((await comeBack()).body.code, "room_locked", "and so is who left by the button");
});

test("a waiting person keeps the place through a lost connection and, for twenty seconds, a reload, and moderators see who is away", async (t) => {
  const { code, tenant, asAdmin, edit } = await newPlace(world, { authenticationRequired: true });
  await edit({ roomPassword: "open sesame" });
  const password = { password: "open sesame" };
  const moderator = await enter(t, { url, ask: asAdmin }, "r");
  const gus = await guestIn(t, code, password);
  const hal = await guestIn(t, code, { ...password, peerName: "Hal" });
  const isAway = (away: boolean) => (view: View) => view.waiting[0]?.away === away;
  await moderator.sees("both wait", ({ waiting }) => waiting.length === 2);
  assert.deepEqual(await tenant.ask("lockRoom", { roomId: "r", action: "lock" }).then(ok), 200);
  /** How long the place is kept, in seconds. */
  const kept = async (): Promise<number> => {
    const { lease_until } = await seatOf(world, gus.inside.peerId);
    return (Date.parse(lease_until ?? "") - Date.now()) / 1_000;
  };
  const returns = async (): Promise<void> => {
    const { status, body } = await gus.comeBack();
    assert.deepEqual([status, body.peer?.peerId], [202, gus.inside.peerId], JSON.stringify(body));
    await openSocket(t, url, body);
    await moderator.sees("Gus is there", isAway(false));
  };

  gus.inside.cut();
  await moderator.sees("Gus is away", isAway(true));
  assert.ok((await kept()) > 500, "for minutes");
  await returns();
  await gus.close();
  assert.notEqual((await seatOf(world, gus.inside.peerId)).state, "left", "the ticket is old");
  const back = (await gus.comeBack()).body;
  await open("leaveRoom", { ticket: back.ticket, mayReturn: true });
  await moderator.sees("Gus is away", isAway(true));
  assert.ok((await kept()) <= 20, "a closed page and a reloaded one look the same");
  await returns();
  const names = moderator.view?.waiting.map(({ peerName }) => peerName);
  assert.deepEqual(names, ["Gus", "Hal"], "in the order in which they came");

  await hal.close({});
  await moderator.sees("Hal waits no longer", ({ waiting }) => waiting.length === 1);
});

test("a page that returns by itself takes over no seat to which its person is connected elsewhere", async (t) => {
  for (const settings of [{}, { authenticationRequired: true }]) {
    const { code } = await newPlace(world, settings);
    const { inside, comeBack } = await guestIn(t, code);
    const byItself = () => comeBack({ takesOver: false });
    assert.deepEqual(await byItself().then(({ body }) => body.code), "already_inside");
    assert.equal(inside.closed, undefined);
    inside.cut();
    let back = await byItself();
    await until("the loss is stored", async () => {
      back = await byItself();
      return back.status < 400;
    });
    assert.equal(back.body.peer.peerId, inside.peerId);
    await openSocket(t, url, back.body);
    assert.ok((await comeBack()).status < 400, "a person who asks moves");
  }
});

test("the last person's reload ends neither the meeting nor its link; a page that stays closed ends the meeting", async (t) => {
  const { code, tenant } = await newPlace(world);
  const meetingOf = async () => (await tenant.ask("getMeeting", { roomId: "r" })).body.meeting;
  const { inside, close, comeBack } = await guestIn(t, code);
  const { meetingId } = await meetingOf();
  await close();
  await until("the page gets the end", () => inside.ended !== undefined);
  const empty = await meetingOf();
  assert.deepEqual(
    [empty.meetingId, empty.roomStatus, empty.peers, empty.seats.participant.taken],
    [meetingId, "free", [], 0],
    "the seat is free at once, and nobody is inside",
  );
  const back = await comeBack();
  const again = await openSocket(t, url, back.body);
  await again.sees("the same meeting", ({ meeting }) => meeting.meetingId === meetingId);

  const { ticket } = back.body;
  assert.equal((await open("leaveRoom", { ticket, mayReturn: true })).status, 200);
  const left = await database.read
    .selectFrom("seats")
    .select("left_at")
    .where("id", "=", back.body.peer.peerId)
    .executeTakeFirstOrThrow();
  // Twenty seconds later.
  await database.change(async (tx) => {
    const past = { lease_until: "2020-01-01T00:00:00.000Z" };
    await tx.updateTable("seats").set(past).where("state", "=", "returning").execute();
  });
  await until("the meeting has ended", async () => (await meetingOf()).meetingId === null);
  const { ended_at } = await database.read
    .selectFrom("meetings")
    .select("ended_at")
    .where("id", "=", meetingId)
    .executeTakeFirstOrThrow();
  assert.equal(ended_at, left.left_at, "at the moment at which the page was closed");
  const kept = await database.read
    .selectFrom("seats")
    .select("joined_at")
    .where("meeting_id", "=", meetingId)
    .execute();
  assert.ok(
    kept.every(({ joined_at }) => joined_at !== null),
    "nobody came a further time",
  );
  const later = (await comeBack()).body.peer.peerId;
  assert.notEqual((await seatOf(world, later)).meeting_id, meetingId, "the link lives");
});

test("the name of a guest who was never admitted is not kept after the meeting", async (t) => {
  const { code, tenant, asAdmin } = await newPlace(world, { authenticationRequired: true });
  await enter(t, { url, ask: asAdmin }, "r");
  const { body } = await open("joinRoom", { roomId: code, peerName: "Gus" });
  assert.equal((await seatOf(world, body.peer.peerId)).peer_name, "Gus");
  assert.equal((await tenant.ask("closeRoom", { roomId: "r" })).status, 200);
  const { state, peer_name } = await seatOf(world, body.peer.peerId);
  assert.deepEqual([state, peer_name], ["left", ""]);
});

const givenOnce = async (t: TestContext, here = world): Promise<void> => {
  const { code, asAdmin } = await newPlace(here, { noOfParticipants: 1 });
  await enter(t, { url: here.url, ask: asAdmin }, "r");
  const { close, comeBack } = await guestIn(t, code, {}, here);
  await close();
  const taken = await here.open("joinRoom", { roomId: code, peerName: "Ida" });
  assert.equal(taken.status, 200, "the seat was free at once");
  const refused = await comeBack();
  assert.deepEqual([refused.status, refused.body.code], [409, "seats_full"]);
  const viewer = await comeBack({ peerType: "viewer" });
  assert.deepEqual([viewer.status, viewer.body.peer.peerType], [200, "viewer"]);
};

test("a person who leaves and enters again at once gets the only seat again, whichever request arrives first", async (t) => {
  const { code, asAdmin } = await newPlace(world, { noOfParticipants: 1 });
  const moderator = await enter(t, { url, ask: asAdmin }, "r");
  const { inside, close, comeBack } = await guestIn(t, code);
  await close({});
  const back = await comeBack();
  assert.equal(back.status, 200, JSON.stringify(back.body));
  const again = await openSocket(t, url, back.body);
  await again.sees("everything", () => true);

  const first = await comeBack();
  assert.equal(first.status, 200, JSON.stringify(first.body));
  await open("leaveRoom", { ticket: back.body.ticket });
  const last = await openSocket(t, url, first.body);
  await last.sees("everything", () => true);
  assert.deepEqual(moderator.names(), ["Gus"]);
  assert.equal(inside.ended?.reason, "left");
});

test("a seat taken by somebody else meanwhile is not given twice", (t) => givenOnce(t));

testTwin("a twin that does not look for a free seat gives it twice", async (t) => {
  const here = await startWorld(t, { twin: returnsUncounted });
  await assert.rejects(givenOnce(t, here), assert.AssertionError);
});

/** @param takes whether the other person takes part before the first one is back, or is only invited to */
const comesBackUpgraded = async (
  t: TestContext,
  settings: object,
  takes: boolean,
): Promise<void> => {
  const { code, asAdmin } = await newPlace(world, { roomType: "event", ...settings });
  const moderator = await enter(t, { url, ask: asAdmin }, "r");
  const upgrade = async (peerId: string) => {
    assert.equal(await moderator.do("upgradeRequest", { peerId, action: "offer" }), "ok");
  };
  const gus = await guestIn(t, code);
  await upgrade(gus.inside.peerId);
  assert.equal(await gus.inside.do("upgrade", { action: "take" }), "ok");
  await gus.close();
  const back = (await gus.comeBack()).body;
  assert.equal(back.peer.peerType, "participant");
  const again = await openSocket(t, url, back);
  await again.sees("everything", () => true);
  await open("leaveRoom", { ticket: back.ticket, mayReturn: true });
  const ida = await guestIn(t, code, { peerName: "Ida" });
  await upgrade(ida.inside.peerId);
  if (takes) assert.equal(await ida.inside.do("upgrade", { action: "take" }), "ok");
  assert.equal((await gus.comeBack()).body.peer.peerType, "viewer");
};

test("a promoted viewer returns as a participant, unless others have the place", async (t) => {
  await comesBackUpgraded(t, { noOfUpgradeRequests: 1 }, false);
  await comesBackUpgraded(t, { enablePresenters: false }, true);
});

test("a person who was removed or lost the account does not return, and a deleted room without people goes", async (t) => {
  const { code, tenant, member, asMember, asAdmin } = await newPlace(world);
  const moderator = await enter(t, { url, ask: asAdmin }, "r");
  const gus = await guestIn(t, code);
  assert.equal(
    await moderator.do("removePeer", { peerId: gus.inside.peerId, ban: "meeting" }),
    "ok",
  );
  await gus.close();
  assert.equal((await gus.comeBack()).body.code, "banned");

  const mia = await enter(t, { url, ask: asMember }, "r");
  await open("leaveRoom", { ticket: mia.ticket, mayReturn: true });
  await tenant.ask("suspendRestoreUser", { userId: member.id, action: "suspend" });
  const states = await database.read
    .selectFrom("seats")
    .select("state")
    .where("user_id", "=", member.id)
    .execute();
  assert.deepEqual(new Set(states.map(({ state }) => state)), new Set(["left"]));

  await open("leaveRoom", { ticket: moderator.ticket, mayReturn: true });
  assert.equal((await tenant.ask("deleteRoom", { id: "r" })).status, 200, "nobody is inside");
});
