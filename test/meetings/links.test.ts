import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { forgetsWhomItSentAway } from "../twins/seats.ts";
import { testTwin } from "../twins/test-twin.ts";
import { type Answer, askAs, cookieOf } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { enter, linkOf, openSocket } from "./inside.ts";
import { invite, leave } from "./invited.ts";
import { newPlace } from "./place.ts";

const world = await startWorld(test);
const { url, open } = world;
const place = (settings?: object) => newPlace(world, settings);

test("a link ends when it is renewed, and with its meeting unless the room keeps it", async (t) => {
  const { code, tenant, edit } = await place();
  const look = async (roomId: string) => {
    const { status, body } = await open("fetchInvitation", { roomId });
    return [status, body.code];
  };
  const { body } = await tenant.ask("getRoomLink", { roomId: "r", renew: true });
  assert.equal(body.url, `${url}/m/${body.code}`);
  assert.deepEqual(await look(code), [410, "link_ended"]);
  assert.deepEqual(await look(body.code), [200, undefined]);
  const meet = async (roomId: string) => {
    const gus = await enter(t, { url, ask: open }, roomId, { peerName: "Gus" });
    await leave(tenant, await enter(t, { url, ask: open }, roomId, { peerName: "Ida" }));
    await leave(tenant, gus);
  };
  await meet(body.code);
  assert.deepEqual(await look(body.code), [410, "link_ended"]);
  const refused = await open("joinRoom", { roomId: body.code, peerName: "G" });
  assert.deepEqual([refused.status, refused.body.code], [410, "link_ended"]);
  await edit({ roomPermaLink: true });
  const kept = await linkOf(tenant.ask, "r");
  await meet(kept);
  assert.deepEqual(await look(kept), [200, undefined]);
});

test("a room whose ID equals another room's code does not get its people", async () => {
  const { code, tenant, member } = await place();
  const taking = { name: "Taken", room: code, roomOwnerId: member.id };
  assert.equal((await tenant.ask("createRoom", taking)).status, 201);
  const ask = askAs(url, await tenant.tokenOf(member.id));
  const seen = async () => (await ask("fetchInvitation", { roomId: code })).body.invitation;
  assert.equal((await seen()).roomId, "r");
  await tenant.ask("getRoomLink", { roomId: "r", renew: true });
  assert.equal((await seen()).roomId, code);
});

test("suspension, revocation and a new password end the person's seat at once, and the ticket", async (t) => {
  const { tenant, member } = await place();
  const ends = {
    suspend: () => tenant.ask("suspendRestoreUser", { userId: member.id, action: "suspend" }),
    reset: () => tenant.ask("resetPassword", { userId: member.id }),
    revoke: () => tenant.ask("revokeUsers", [{ userId: member.id }]),
  };
  for (const [name, end] of Object.entries(ends)) {
    const ask = askAs(url, await tenant.tokenOf(member.id));
    const mia = await enter(t, { url, ask }, "r");
    assert.equal((await end()).status, 200, name);
    await until(`${name} ends the seat`, () => mia.ended?.reason === "signed_out");
    const again = await openSocket(t, url, mia);
    await until("the ticket is refused", () => again.closed === 4001);
    const { meeting } = (await tenant.ask("getMeeting", { roomId: "r" })).body;
    assert.deepEqual(meeting.peers, [], name);
    await tenant.ask("suspendRestoreUser", { userId: member.id, action: "restore" });
  }
});

test("a suspended or excluded person cannot return to the meeting as a guest in the same browser", async (t) => {
  const { tenant, member, code, asMember, asAdmin } = await place({ roomPermaLink: true });
  await enter(t, { url, ask: asAdmin }, "r");
  const first = await asMember("joinRoom", { roomId: "r" });
  await leave(tenant, first.body);
  const mia = await asMember("joinRoom", { roomId: "r" }, { cookie: cookieOf(first) });
  const sessionToken = await invite(tenant, "r", "Ina");
  const ina = await open("joinRoom", { roomId: code, sessionToken });
  const remove = { roomId: "r", peerId: ina.body.peer.peerId, ban: "meeting" };
  assert.equal((await tenant.ask("removePeer", remove)).status, 200);
  const suspend = { userId: member.id, action: "suspend" };
  assert.equal((await tenant.ask("suspendRestoreUser", suspend)).status, 200);
  const asGuest = async (cookie: string) => {
    const asked = { roomId: code, peerName: "Somebody" };
    const { status, body } = await open("joinRoom", asked, { cookie });
    return body.code ?? status;
  };
  for (const one of [mia, ina]) assert.equal(await asGuest(cookieOf(one)), "banned");
  const { bans } = (await tenant.ask("listBans", { roomId: "r" })).body;
  assert.deepEqual(
    bans.map(({ peerName }: { readonly peerName: string }) => peerName),
    ["Ina", member.name],
  );
  assert.equal(await asGuest(""), 200, "the link lets everybody else in");
  await tenant.ask("closeRoom", { roomId: "r" });
  for (const one of [mia, ina]) assert.equal(await asGuest(cookieOf(one)), 200);
  const known = world.database.read
    .selectFrom("seats")
    .select("id")
    .where("device", "is not", null);
  const ofMeeting = await known.where("seats.id", "=", mia.body.peer.peerId).execute();
  assert.deepEqual(ofMeeting, [], "no browser is known after the meeting");
});

/** A moderator refuses one guest repeatedly, and then everybody from the same address. */
const asksInVain = async (t: TestContext, here = world): Promise<void> => {
  const { tenant, code, asMember, asAdmin } = await newPlace(here, {
    authenticationRequired: true,
  });
  await enter(t, { url: here.url, ask: asAdmin }, "r");
  const ask = (cookie = "") =>
    here.open("joinRoom", { roomId: code, peerName: "Gus" }, cookie === "" ? {} : { cookie });
  const refuse = async ({ body }: Answer) => {
    const denied = { roomId: "r", requesterPeerId: body.peer.peerId };
    assert.equal((await tenant.ask("denyRoomJoin", denied)).status, 200);
  };
  const throttles = () => here.database.read.selectFrom("throttles").selectAll().execute();
  const before = await throttles();
  const first = await ask();
  assert.deepEqual(await throttles(), before, "nothing is written of guests whom nobody refused");
  const cookie = cookieOf(first);
  await refuse(first);
  const second = await ask(cookie);
  assert.equal(second.status, 202, "a moderator may have mistaken them");
  await refuse(second);
  const third = await ask(cookie);
  assert.deepEqual([third.status, third.body.code], [429, "too_many_requests"]);
  assert.match(third.headers.get("retry-after") ?? "", /^[1-9]/);
  let other = await ask();
  assert.equal(other.status, 202, "others may ask");
  for (let refused = 2; other.status === 202 && refused < 30; refused += 1) {
    await refuse(other);
    other = await ask();
  }
  assert.equal(other.body.code, "too_many_requests", "under any name");
  assert.equal((await asMember("joinRoom", { roomId: "r" })).status, 200);
  await here.database.change(async (tx) => {
    const over = { used_until: new Date().toISOString() };
    await tx.updateTable("throttles").set(over).execute();
  });
  assert.equal((await ask(cookie)).status, 202, "after a while they may ask again");
};

test("guests whom moderators refuse repeatedly must wait before they ask, even with a new cookie", (t) =>
  asksInVain(t));

testTwin("a twin that forgets whom it refused lets them ask endlessly", async (t) => {
  const here = await startWorld(t, { twin: forgetsWhomItSentAway });
  await assert.rejects(asksInVain(t, here), assert.AssertionError);
});

/** The cells of a line without quoted cells. */
const readRow = (line: string): string[] => line.split(",");

test("a meeting is listed with its length and its people, for administrators and the room's owners", async (t) => {
  const { tenant, member, asMember, asAdmin } = await place({ name: "The weekly" });
  const mia = await enter(t, { url, ask: asMember }, "r");
  await enter(t, { url, ask: asAdmin }, "r", { peerName: "Mo" });
  const { body: running } = await tenant.ask("listMeetings", { roomId: "r" });
  assert.deepEqual([running.meetings.length, running.meetings[0].endedAt], [1, null]);
  await leave(tenant, mia);
  await tenant.ask("closeRoom", { roomId: "r" });
  const [meeting] = (await tenant.ask("listMeetings", {})).body.meetings;
  assert.equal(meeting.people, 2);
  const { attendance } = (await tenant.ask("getAttendance", meeting)).body;
  assert.deepEqual(
    attendance.map((seat: Record<string, unknown>) => [seat.peerName, seat.userId, seat.reason]),
    [
      [member.name, member.id, "left"],
      ["Mo", tenant.admin.id, "closed"],
    ],
  );
  assert.equal(attendance[1].leftAt, meeting.endedAt);
  const table = await tenant.ask("downloadAttendance", meeting);
  assert.match(table.headers.get("content-type") ?? "", /^text\/csv/);
  assert.deepEqual(
    table.text.split("\r\n").slice(1, -1).map(readRow),
    attendance.map((seat: Record<string, unknown>) => Object.values(seat).map(String)),
  );
  const found = async (search: string) =>
    (await tenant.ask("listMeetings", { search })).body.meetings.length;
  assert.deepEqual([await found("WEEKLY"), await found("daily")], [1, 0]);
  assert.deepEqual((await asMember("listMeetings", {})).body.meetings, []);
  assert.equal((await asMember("getAttendance", meeting)).body.code, "meeting_not_found");
  assert.equal((await asMember("downloadAttendance", meeting)).body.code, "meeting_not_found");
  assert.equal((await asMember("getMeeting", { roomId: "r" })).body.code, "room_not_found");
  assert.equal((await asMember("getRoomLink", { roomId: "r" })).body.code, "room_not_found");
  const stranger = await world.tenant();
  assert.equal((await stranger.ask("getAttendance", meeting)).body.code, "meeting_not_found");
  assert.equal((await stranger.ask("getMeeting", { roomId: "r" })).body.code, "room_not_found");
  await tenant.ask("revokeUsers", [{ userId: member.id }]);
  await tenant.ask("deleteUsers", [member.id]);
  const after = (await tenant.ask("getAttendance", meeting)).body.attendance;
  assert.deepEqual([after[0].peerName, after[0].userId], ["", null], "no name is left");
});
