// Runs: waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { letsEverybodySpeak, takesEveryReport } from "../twins/controls.ts";
import { testTwin } from "../twins/test-twin.ts";
import { askAs } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { enter, type Somebody } from "./inside.ts";
import { meetIn, newPlace } from "./place.ts";
import { close, openBrowser } from "./visits.ts";

/*
 * Entering with the microphone off, how good each connection is, and how people rate it afterwards.
 */

const world = await startWorld(test);
const meet = meetIn(world);

const muted = ({ messages }: Somebody) => messages.filter(({ type }) => type === "muted");

/** Checks that the lobby says to somebody new that they come in with the microphone off. */
const entersMuted = async (t: TestContext, here: typeof world): Promise<void> => {
  const { moderator, guest } = await meetIn(here)(t);
  assert.equal(await moderator.do("muteOnEntry", { on: true }), "ok");
  const gus = await guest("Gus");
  await until("the welcome", async () => gus.messages.some(({ type }) => type === "welcome"));
  assert.deepEqual(
    gus.messages.map(({ type }) => type).slice(0, 2),
    ["muted", "welcome"],
    "before the page knows that it is inside",
  );
  assert.deepEqual(muted(gus), [
    { type: "muted", media: ["audio"], by: "A moderator", entering: true },
  ]);
};

test("people enter with the microphone off where a moderator chooses so, and may turn it on", async (t) => {
  await entersMuted(t, world);
  const { moderator, guest, ask, url, tenant } = await meet(t);
  const early = await guest("Eve");
  await moderator.do("muteOnEntry", { on: true });
  await early.sees("the choice", ({ meeting }) => meeting.mutesEntry);
  assert.deepEqual(muted(early), [], "it is about those who enter from now on");
  const late = await guest("Lou");
  assert.equal(await late.do("media", { audio: true, video: false, share: false }), "ok");
  await moderator.sees("the microphone", ({ peers }) =>
    peers.some(({ peerId, audio }) => peerId === late.peerId && audio),
  );
  const other = await tenant.addPerson(`second-${tenant.id}@example.org`, { admin: true });
  const asSecond = askAs(url, await tenant.tokenOf(other.id));
  const second = await enter(t, { url, ask: asSecond }, "r");
  assert.deepEqual(muted(second), [], "moderators decide for themselves");
  assert.equal((await ask("getMeeting", { roomId: "r" })).body.meeting.mutesEntry, true);
  assert.equal((await ask("muteOnEntry", { roomId: "r", on: false })).status, 200);
  assert.deepEqual(muted(await guest("Zoe")), []);
});

testTwin("a twin that tells nobody lets people enter with the microphone on", async (t) => {
  const here = await startWorld(t, { twin: letsEverybodySpeak });
  await assert.rejects(entersMuted(t, here), /before the page knows/);
});

test("a person who reloads is no newcomer; one who left and enters again is", async (t) => {
  const place = await newPlace(world);
  const moderator = await enter(t, { url: world.url, ask: place.asAdmin }, "r");
  const gus = openBrowser(t, world, { roomId: place.code, peerName: "Gus" });
  const first = await gus.enter();
  await moderator.do("muteOnEntry", { on: true });
  await close(world, first, true);
  const second = await gus.enter();
  assert.deepEqual(muted(second), []);
  await close(world, second, false);
  assert.equal(muted(await gus.enter()).length, 1);
});

test("an admitted person enters with the microphone off too", async (t) => {
  const place = await newPlace(world, { authenticationRequired: true });
  const moderator = await enter(t, { url: world.url, ask: place.asAdmin }, "r");
  await moderator.do("muteOnEntry", { on: true });
  const gus = await openBrowser(t, world, { roomId: place.code, peerName: "Gus" }).enter();
  assert.deepEqual(muted(gus), [], "before the door there is nothing to mute");
  await moderator.do("allowRoomJoin", { requesterPeerId: gus.peerId });
  await until("they are inside", () => gus.view !== undefined);
  assert.equal(muted(gus).length, 1);
});

test("only moderators switch microphones off on entry, and it ends with the meeting", async (t) => {
  const { moderator, guest, ask } = await meet(t, { roomPermaLink: true });
  const gus = await guest("Gus");
  assert.equal(await gus.do("muteOnEntry", { on: true }), "moderators_only");
  assert.equal(await moderator.do("muteOnEntry", { on: "maybe" as never }), "invalid_input");
  await moderator.do("muteOnEntry", { on: true });
  await moderator.do("closeRoom", {});
  await until("the meeting is over", async () => {
    const { meeting } = (await ask("getMeeting", { roomId: "r" })).body;
    return meeting.meetingId === null;
  });
  const refused = await ask("muteOnEntry", { roomId: "r", on: true });
  assert.deepEqual([refused.status, refused.body.code], [409, "no_meeting"]);
  assert.deepEqual(muted(await guest("Zoe")), []);
});

test("everybody who sees a person sees the quality of the connection, and so do administrators", async (t) => {
  const { moderator, guest, ask } = await meet(t);
  const gus = await guest("Gus");
  const of = ({ peerId }: Somebody) => ({
    is: (quality: string | null) =>
      moderator.sees(`${quality}`, ({ peers }) =>
        peers.some((peer) => peer.peerId === peerId && peer.quality === quality),
      ),
  });
  await of(gus).is(null);
  assert.equal(await gus.do("quality", { level: "poor" }), "ok");
  await of(gus).is("poor");
  const { peers } = (await ask("getMeeting", { roomId: "r" })).body.meeting;
  assert.deepEqual(
    peers.map(({ quality }: { readonly quality: string | null }) => quality),
    [null, "poor"],
  );
  assert.equal(await gus.do("quality", { level: "great" as never }), "invalid_input");
  gus.cut();
  await of(gus).is(null);
});

test("a hidden person's quality of connection is hidden", async (t) => {
  const { guest } = await meet(t, { participantPrivacy: true });
  const [gus, zoe] = [await guest("Gus"), await guest("Zoe")];
  await gus.do("quality", { level: "fair" });
  assert.equal(await zoe.do("hand", { up: true }), "ok");
  assert.deepEqual(zoe.names(), ["Mo"]);
  assert.equal(JSON.stringify(zoe.messages).includes("fair"), false);
});

/** How many reports of a person pass at once. */
const reports = async (t: TestContext, here: typeof world): Promise<void> => {
  const { guest } = await meetIn(here)(t);
  const gus = await guest("Gus");
  const levels = Array.from({ length: 40 }, (_, n) =>
    n % 2 === 0 ? ("good" as const) : ("poor" as const),
  );
  const answers = await Promise.all(levels.map((level) => gus.do("quality", { level })));
  assert.ok(answers.includes("too_many_requests"), "some are refused");
  assert.equal(await gus.do("hand", { up: true }), "ok", "other commands have their own limit");
};

test("a page reports its connection at most at intervals", (t) => reports(t, world));

testTwin("a twin that takes every report is detected", async (t) => {
  const here = await startWorld(t, { twin: takesEveryReport });
  await assert.rejects(reports(t, here), /some are refused/);
});

test("people rate a meeting that they have left, where the organization asks for it", async (t) => {
  const { guest, ask, code } = await meet(t);
  const { open } = world;
  const [gus, zoe] = [await guest("Gus"), await guest("Zoe")];
  const rate = async (ticket: string, rating: unknown) =>
    (await open("rateMeeting", { ticket, rating })).body.code ?? "ok";
  assert.equal((await open("fetchInvitation", { roomId: code })).body.invitation.rating, false);
  await open("leaveRoom", { ticket: gus.ticket });
  assert.equal(await rate(gus.ticket, 4), "ticket_ended", "nobody is asked");
  await ask("editOrganization", { rateMeetings: true });
  assert.equal((await open("fetchInvitation", { roomId: code })).body.invitation.rating, true);
  assert.equal(await rate(zoe.ticket, 4), "ticket_ended", "they are still inside");
  assert.equal(await rate("nobody's", 4), "ticket_ended");
  assert.equal(await rate(gus.ticket, 6), "invalid_input");
  assert.equal(await rate(gus.ticket, 2), "ok");
  assert.equal(await rate(gus.ticket, 4), "ok", "a later one replaces it");
  await open("leaveRoom", { ticket: zoe.ticket });
  assert.equal(await rate(zoe.ticket, 5), "ok");
  const listed = async () => (await ask("listMeetings", { roomId: "r" })).body.meetings[0];
  const { rating, ratings } = await listed();
  assert.deepEqual([rating, ratings], [4.5, 2]);
  const many = Array.from({ length: 8 }, () => rate(gus.ticket, 1));
  assert.ok((await Promise.all(many)).includes("too_many_requests"));
});

test("a rating is erased with its person", async (t) => {
  const { enterMember, member, ask } = await meet(t);
  await ask("editOrganization", { rateMeetings: true });
  const mia = await enterMember();
  await world.open("leaveRoom", { ticket: mia.ticket });
  await world.open("rateMeeting", { ticket: mia.ticket, rating: 1 });
  const listed = async () => (await ask("listMeetings", { roomId: "r" })).body.meetings[0];
  assert.equal((await listed()).ratings, 1);
  assert.equal((await ask("revokeUsers", [{ userId: member.id }])).status, 200);
  assert.equal((await ask("deleteUsers", [member.id])).status, 200);
  assert.equal((await listed()).ratings, 0);
  const again = await world.open("rateMeeting", { ticket: mia.ticket, rating: 1 });
  assert.equal(again.body.code, "ticket_ended");
});
