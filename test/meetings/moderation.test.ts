// Runs: postgres-first, waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { HistoryEntry } from "../../contract/history/history.ts";
import { endsNewcomers, looksLate, tellsReadings } from "../twins/seats.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { askAs } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { saidIn } from "../world/reasons.ts";
import { startWorld } from "../world/world.ts";
import { enter, openSocket } from "./inside.ts";
import { leave } from "./invited.ts";
import { meetIn, newPlace } from "./place.ts";

const world = await startWorld(test);
const meet = meetIn(world);

test("everybody inside sees who comes, who goes, and who raises a hand", async (t) => {
  const { moderator, guest } = await meet(t);
  const ann = await guest("Ann");
  await moderator.sees("Ann came", ({ peers }) => peers.length === 1);
  assert.deepEqual(ann.names(), ["Mo"]);
  assert.equal(await ann.do("hand", { up: true }), "ok");
  await moderator.sees("the hand is up", ({ peers }) => peers[0]?.hand !== null);
  assert.equal(await ann.do("leave", {}), "ok");
  await moderator.sees("Ann left", ({ peers }) => peers.length === 0);
  await until("Ann is told", () => ann.ended?.reason === "left" && ann.closed === 1000);
});

/** A person comes in while the service checks the meeting. */
const comesMeanwhile = async (t: TestContext, twin: Twin) => {
  const { moderator, guest } = await meetIn(await startWorld(t, { twin }))(t);
  assert.equal(await moderator.do("chat", { text: "Is somebody there?" }), "ok");
  const ann = await guest("Ann");
  assert.equal(await ann.do("chat", { text: "Yes." }), "ok");
  await moderator.sees("Ann is inside", ({ peers }) => peers.length === 1);
};

test("a person who enters during a check of the meeting stays", (t) =>
  comesMeanwhile(t, looksLate));

testTwin("a twin that treats newcomers as gone, and sends them away, is detected", (t) =>
  assert.rejects(comesMeanwhile(t, endsNewcomers), /Closed with/),
);

test("a chat message reaches everybody inside and later arrivals, in one order", async (t) => {
  const { moderator, guest } = await meet(t);
  const ann = await guest("Ann");
  const texts = Array.from({ length: 20 }, (_, i) => `message ${i}`);
  await Promise.all(
    texts.map(async (text, i) =>
      assert.equal(await [ann, moderator][i % 2]?.do("chat", { text }), "ok"),
    ),
  );
  const late = await guest("Late");
  for (const somebody of [ann, moderator, late]) {
    await until("all of the chat is there", () => somebody.chat.length === texts.length);
  }
  assert.deepEqual(ann.chat, moderator.chat);
  assert.deepEqual(late.chat, ann.chat);
  assert.deepEqual(late.chat.map(({ text }) => text).toSorted(), texts.toSorted());
});

test("chat messages that everybody inside has are not read again for waiting people", async (t) => {
  const { moderator, guest } = await meetIn(await startWorld(t, { twin: tellsReadings }))(t, {
    authenticationRequired: true,
  });
  assert.equal(await moderator.do("chat", { text: "Who waits?" }), "ok");
  await until("it is read", () => moderator.chat.length === 1);
  const readings: number[] = [];
  Object.assign(globalThis, { chatReadings: readings });
  await guest("Gus");
  await moderator.sees("Gus waits", ({ waiting }) => waiting.length === 1);
  assert.equal(await moderator.do("hand", { up: true }), "ok");
  await moderator.sees("the own hand", ({ you }) => you.hand !== null);
  assert.deepEqual(new Set(readings), new Set([1]));
});

test("only moderators moderate", async (t) => {
  const { guest, moderator } = await meet(t);
  const ann = await guest("Ann");
  const refused = [
    await ann.do("removePeer", { peerId: moderator.peerId }),
    await ann.do("mutePeer", { all: true }),
    await ann.do("lockRoom", { action: "lock" }),
    await ann.do("closeRoom", {}),
    await ann.do("allowRoomJoin", { all: true }),
    await ann.do("changePeer", { peerId: ann.peerId, peerType: "moderator" }),
    await ann.do("upgradeRequest", { peerId: ann.peerId, action: "offer" }),
  ];
  assert.deepEqual(new Set(refused), new Set(["moderators_only"]));
  assert.equal(moderator.ended, undefined);
});

test("a removed person learns why, and their ticket opens nothing", async (t) => {
  const { moderator, guest, url } = await meet(t);
  const ann = await guest("Ann");
  assert.equal(await moderator.do("removePeer", { peerId: ann.peerId }), "ok");
  await until("Ann is told", () => ann.ended?.reason === "removed");
  await moderator.sees("Ann is gone", ({ peers }) => peers.length === 0);
  const again = await openSocket(t, url, ann);
  await until("the ticket is refused", () => again.closed === 4001);
  assert.deepEqual([again.view, again.ended?.reason], [undefined, "removed"]);
});

test("a muted person learns who muted them, and is shown as muted", async (t) => {
  const { moderator, guest } = await meet(t);
  assert.equal(await moderator.do("mutePeer", { all: true }), "ok", "nobody is there to be muted");
  const ann = await guest("Ann");
  assert.equal(await ann.do("media", { audio: true, video: true, share: false }), "ok");
  await moderator.sees("Ann is heard", ({ peers }) => peers[0]?.audio === true);
  assert.equal(await moderator.do("mutePeer", { all: true }), "ok");
  await until("Ann is told", () =>
    ann.messages.some((m) => m.type === "muted" && m.by === "Mo" && m.media[0] === "audio"),
  );
  await moderator.sees("Ann is muted", ({ peers: [peer] }) => !peer?.audio && peer?.video === true);
  const view = await guest("Vic", "viewer");
  assert.equal(await moderator.do("mutePeer", { all: true, type: "video" }), "ok");
  await moderator.sees("Ann's picture is off", ({ peers }) => peers.every(({ video }) => !video));
  assert.equal(await view.do("hand", { up: true }), "ok");
  assert.ok(!view.messages.some(({ type }) => type === "muted"), "who sends nothing hears nothing");
});

test("a meeting that a moderator ends is over for everybody, with the moderator's words", async (t) => {
  const { moderator, guest, ask } = await meet(t);
  const ann = await guest("Ann");
  assert.equal(await moderator.do("closeRoom", { message: "See you on Monday." }), "ok");
  for (const one of [ann, moderator]) {
    await until("it has ended", () => one.ended?.reason === "closed" && one.closed === 1000);
    assert.deepEqual([one.ended?.code, one.ended?.message], [undefined, "See you on Monday."]);
  }
  assert.equal((await ask("fetchRoom", { id: "r" })).body.roomSetting.roomStatus, "free");
});

test("administrators and owners moderate from outside, and to others the room does not exist", async (t) => {
  const { tenant, ask, guest, moderator } = await meet(t);
  const ann = await guest("Ann");
  const stranger = await tenant.addPerson(`stranger${Date.now()}@example.org`);
  const strange = askAs(world.url, await tenant.tokenOf(stranger.id));
  const other = await world.tenant();
  for (const asker of [strange, other.ask]) {
    for (const operation of ["closeRoom", "mutePeer", "removePeer", "lockRoom"] as const) {
      const input = { roomId: "r", peerId: ann.peerId, action: "lock" };
      assert.equal((await asker(operation, input)).body.code, "room_not_found");
    }
  }
  assert.equal((await ask("lockRoom", { roomId: "r", action: "lock" })).status, 200);
  await ann.sees("it is locked", ({ meeting }) => meeting.locked);
  assert.equal((await ask("removePeer", { roomId: "r", peerId: ann.peerId })).status, 200);
  await until("Ann is told", () => ann.ended?.reason === "removed");
  assert.equal((await ask("closeRoom", { roomId: "r" })).status, 200);
  assert.equal((await ask("closeRoom", { roomId: "r" })).status, 200, "ending twice is no failure");
  await until("Mo is told", () => moderator.ended?.reason === "closed");
  assert.equal((await ask("lockRoom", { roomId: "r", action: "lock" })).body.code, "no_meeting");
});

test("people connected to different processes meet and reach each other", async (t) => {
  const { tenant, guest, code } = await meet(t);
  const ann = await guest("Ann");
  const url = await world.second();
  const ben = await enter(t, { url, ask: askAs(url, undefined) }, code, { peerName: "Ben" });
  await ann.sees("Ben came", ({ peers }) => peers.some(({ peerName }) => peerName === "Ben"));
  assert.deepEqual(ben.names(), ["Ann", "Mo"]);
  assert.equal(await ben.do("chat", { text: "hello" }), "ok");
  await until("Ann reads it", () => ann.chat.at(-1)?.text === "hello");
  assert.equal(await ben.do("signal", { to: ann.peerId, data: "offer" }), "ok");
  await until("Ann has the signal", () =>
    ann.messages.some((m) => m.type === "signal" && m.from === ben.peerId && m.data === "offer"),
  );
  assert.equal((await tenant.ask("closeRoom", { roomId: "r", message: "Bye" })).status, 200);
  for (const one of [ann, ben]) {
    await until("it has ended", () => one.closed === 1000);
    assert.deepEqual([one.ended?.reason, one.ended?.message], ["closed", "Bye"]);
  }
});

test("a person who reconnects to another process is connected there only", async (t) => {
  const { guest, moderator } = await meet(t);
  const ann = await guest("Ann");
  const ben = await guest("Ben");
  const url = await world.second();
  const again = await openSocket(t, url, ben);
  await again.sees("the others", ({ peers }) => peers.length === 2);
  await until("the former socket is closed", () => ben.closed === 1012);
  assert.equal(ben.ended, undefined, "with the same ticket nobody has moved");
  assert.equal(await ann.do("signal", { to: ben.peerId, data: "offer" }), "ok");
  await until("the signal is there", () =>
    again.messages.some((m) => m.type === "signal" && m.from === ann.peerId),
  );
  assert.equal(await moderator.do("removePeer", { peerId: ben.peerId }), "ok");
  await until("Ben gets the end", () => again.ended?.reason === "removed");
});

test("a socket without a ticket, with a wrong one or with invalid JSON is closed", async (t) => {
  await meet(t);
  for (const ticket of ["", "unknown"]) {
    const somebody = await openSocket(t, world.url, { ticket });
    await until("it is closed", () => somebody.closed === 4001);
  }
});

test("a banned person stays out: until the meeting ends, for some minutes, or for good", async (t) => {
  const { asMember, asAdmin, tenant, member } = await newPlace(world);
  const join = async () => (await asMember("joinRoom", { roomId: "r" })).body.code ?? "in";
  const host = await enter(t, { url: world.url, ask: asAdmin }, "r");
  const once = await enter(t, { url: world.url, ask: asMember }, "r");
  await tenant.ask("removePeer", { roomId: "r", peerId: once.peerId, ban: "meeting" });
  assert.equal(await join(), "banned");
  await leave(tenant, host);
  assert.equal(await join(), "in");
  const { body } = await tenant.ask("getMeeting", { roomId: "r" });
  const [{ peerId }] = body.meeting.peers;
  await tenant.ask("removePeer", { roomId: "r", peerId, ban: 60 });
  await tenant.ask("closeRoom", { roomId: "r" });
  assert.equal(await join(), "banned", "the hour is not over");
  const ended = { ends_at: new Date().toISOString() };
  await world.database.change((tx) => tx.updateTable("bans").set(ended).execute());
  const again = await asMember("joinRoom", { roomId: "r" });
  assert.equal(again.status, 200, "the hour is over");
  const back = again.body.peer.peerId;
  const never = await tenant.ask("removePeer", { roomId: "r", peerId: back, ban: 0 });
  assert.deepEqual(saidIn(never.body.errors), [
    {
      field: "ban",
      message: "ban must be a whole number from 1 to 525600",
    },
  ]);
  await tenant.ask("removePeer", { roomId: "r", peerId: back, ban: "always" });
  await tenant.ask("closeRoom", { roomId: "r" });
  assert.equal(await join(), "banned", "also where the room keeps nothing (isStatic is false)");
  const listed = async () => (await tenant.ask("listBans", { roomId: "r" })).body.bans;
  const [{ createdAt, ...mia }, ...more] = await listed();
  const who = { peerId: back, peerName: "Mia Member", userId: member.id };
  assert.deepEqual([mia, more], [{ ...who, lasts: "always", endsAt: null }, []]);
  // A ban outlives its meeting and the seats in it.
  await tenant.change(async ({ tx, organization }) => {
    await tx
      .updateTable("meetings")
      .set({ ended_at: "2000-01-01T00:00:00.000Z" })
      .where("organization_id", "=", organization.id)
      .execute();
  });
  await tenant.ask("editOrganization", { meetingDays: 30 });
  const meetings = async () => (await tenant.ask("listMeetings", { roomId: "r" })).body.meetings;
  await until("the meetings are gone", async () => (await meetings()).length === 0);
  assert.deepEqual(await listed(), [{ ...mia, createdAt }], "whom it means is still known");
  const lift = { roomId: "r", peerId: back };
  assert.equal((await asMember("liftBan", lift)).body.code, "room_not_found");
  assert.equal((await tenant.ask("liftBan", lift)).status, 200);
  assert.equal((await tenant.ask("liftBan", lift)).body.code, "peer_not_found");
  assert.deepEqual((await tenant.ask("listBans", { roomId: "r" })).body.bans, []);
  assert.equal(await join(), "in");

  // Each ban, and each lifting of a ban, is in the history of the room and of the person.
  const told = async (wanted: object) => {
    const kind = "personBanned,banLifted";
    const { entries } = (await tenant.ask("listHistory", { kind, ...wanted })).body;
    return (entries as HistoryEntry[]).reverse();
  };
  const entries = await told({ roomId: "r" });
  assert.deepEqual(entries, await told({ personId: member.id }));
  const subject = { kind: "user", id: member.id, name: "Mia Member", roomId: "r" };
  assert.ok(entries.every((entry) => isDeepStrictEqual(entry.subject, subject)));
  assert.ok(entries.every(({ actor }) => actor.id === tenant.accessKey.accessKey));
  const [, timed] = entries;
  assert.match(String(timed?.after?.endsAt), /^\d{4}-/);
  const { roomName } = entries[0]?.after ?? {};
  const always = { roomName, lasts: "always" };
  assert.deepEqual(
    entries.map(({ kind, before, after }) => [kind, before, after]),
    [
      ["personBanned", null, { roomName, lasts: "meeting" }],
      ["personBanned", null, { roomName, lasts: "time", endsAt: timed?.after?.endsAt }],
      ["personBanned", null, always],
      ["banLifted", always, null],
    ],
  );
});

test("an exclusion of a guest is in the room's history with the names of moderator and guest", async (t) => {
  const { tenant, guest, moderator } = await meet(t);
  const gus = await guest("Gus");
  assert.equal(await moderator.do("removePeer", { peerId: gus.peerId, ban: "always" }), "ok");
  await until("Gus gets the end", () => gus.ended?.reason === "banned");
  const lift = { roomId: "r", peerId: gus.peerId };
  assert.equal((await tenant.ask("liftBan", lift)).status, 200);
  const { entries } = (await tenant.ask("listHistory", { roomId: "r" })).body;
  const [lifted, banned] = entries;
  const facts = { peerName: "Gus", lasts: "always" };
  assert.deepEqual([banned.kind, banned.after], ["personBanned", facts]);
  assert.deepEqual([lifted.kind, lifted.before], ["banLifted", facts]);
  assert.deepEqual([banned.subject.kind, banned.subject.id], ["room", "r"]);
  assert.deepEqual([banned.actor.name, lifted.actor.kind], [tenant.admin.name, "accessKey"]);
  const undone = await tenant.ask("undoChange", { number: banned.number });
  assert.equal(undone.body.code, "undo_impossible");
});
