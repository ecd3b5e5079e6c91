import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { typeWaits } from "../../contract/rooms/rooms.ts";
import { passesTheChatOn } from "../twins/privacy.ts";
import { testTwin } from "../twins/test-twin.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { meetIn } from "./place.ts";

/*
 * The settings of a room, as the meeting socket enforces them; browser-settings.test.ts tests them with
 * pictures and sound.
 */

const world = await startWorld(test);
const meet = meetIn(world);

test("without enableChatOption nobody can write, even if it is switched off during a meeting", async (t) => {
  const { moderator, edit } = await meet(t);
  assert.equal(await moderator.do("chat", { text: "before" }), "ok");
  await edit({ enableChatOption: false });
  assert.equal(await moderator.do("chat", { text: "after" }), "not_in_this_room");
  await moderator.sees("the chat is off", ({ allowed }) => !allowed.chat);
});

test("audio, video and screens that the room does not allow count as off, at once after an edit", async (t) => {
  const { moderator, guest, edit } = await meet(t, { enableScreenSharing: false });
  const ann = await guest("Ann");
  await ann.do("media", { audio: true, video: true, share: true });
  await moderator.sees(
    "a share is refused",
    ({ peers: [peer] }) => peer?.audio === true && !peer.share,
  );
  await edit({ audioStatus: false, videoStatus: false });
  await ann.sees("nothing is allowed", ({ allowed }) => !allowed.audio && !allowed.video);
  // Although Ann's page reports nothing; and repeating the report does not help.
  await moderator.sees("all is off", ({ peers: [peer] }) => !peer?.audio && !peer?.video);
  await ann.do("media", { audio: true, video: true, share: true });
  await ann.do("hand", { up: true });
  await moderator.sees("the hand", ({ peers: [peer] }) => peer?.hand !== null);
  await moderator.sees("all is off", ({ peers: [peer] }) => !peer?.audio && !peer?.video);
});

test("viewers publish nothing until a moderator lets them take part, and no more than the limit", async (t) => {
  const { moderator, answer, guest } = await meet(t, { roomType: "event", noOfUpgradeRequests: 1 });
  const [vic, val] = [await guest("Vic", "viewer"), await guest("Val", "viewer")];
  await vic.sees("nothing is allowed", ({ allowed }) => !allowed.audio && !allowed.video);
  assert.deepEqual(vic.names(), ["Mo"], "viewers of an event do not see each other");
  assert.equal(await vic.do("upgrade", { action: "ask" }), "ok");
  assert.equal(await val.do("upgrade", { action: "ask" }), "upgrade_limit");
  await moderator.sees("the request", ({ upgrades }) => upgrades[0]?.peerId === vic.peerId);
  assert.equal(await answer("accept", vic), "ok");
  await vic.sees(
    "takes part",
    ({ you, allowed }) => you.peerType === "participant" && allowed.audio,
  );
  assert.equal(await val.do("upgrade", { action: "ask" }), "upgrade_limit");
  assert.equal(await answer("demote", vic), "ok");
  await vic.sees(
    "watches again",
    ({ you, allowed }) => you.peerType === "viewer" && !allowed.audio,
  );
  assert.equal(await val.do("upgrade", { action: "ask" }), "ok");
  assert.equal(await answer("refuse", val), "ok");
  await val.sees("is refused", ({ upgrades }) => upgrades.length === 0);
  // An offer that meets a request answers it.
  assert.equal(await val.do("upgrade", { action: "ask" }), "ok");
  assert.equal(await answer("offer", val), "ok");
  await val.sees("takes part", ({ you }) => you.peerType === "participant");
});

test("a lowered limit of upgrades applies to open offers and requests", async (t) => {
  const { answer, guest, edit } = await meet(t, { roomType: "event", noOfUpgradeRequests: 3 });
  const [vic, val, van] = [
    await guest("Vic", "viewer"),
    await guest("Val", "viewer"),
    await guest("Van", "viewer"),
  ];
  for (const one of [vic, val]) assert.equal(await answer("offer", one), "ok");
  assert.equal(await van.do("upgrade", { action: "ask" }), "ok");
  await edit({ noOfUpgradeRequests: 0 });
  assert.equal(await vic.do("upgrade", { action: "take" }), "upgrade_limit");
  assert.equal(await answer("accept", van), "upgrade_limit");
  await edit({ noOfUpgradeRequests: 1 });
  assert.equal(await vic.do("upgrade", { action: "take" }), "ok");
  assert.equal(await val.do("upgrade", { action: "take" }), "upgrade_limit");
});

test("without enablePresenters one viewer of an event takes part at a time, also when it is switched off meanwhile", async (t) => {
  const { answer, guest, edit } = await meet(t, { roomType: "event", noOfParticipants: 2 });
  const viewers = [await guest("Val", "viewer"), await guest("Vic", "viewer")] as const;
  const [val, vic] = viewers;
  const isViewer = (one: typeof val, yes: boolean) =>
    one.sees(`a viewer: ${yes}`, ({ you, allowed }) => {
      return (you.peerType === "viewer") === yes && allowed.audio !== yes;
    });
  const takesPart = async (one: typeof val) => {
    assert.equal(await one.do("upgrade", { action: "ask" }), "ok");
    return answer("accept", one);
  };
  // Vic came later, but has taken part the longest, whatever he withdraws.
  for (const one of [vic, val]) assert.equal(await takesPart(one), "ok");
  await vic.do("upgrade", { action: "withdraw" });
  await edit({ enablePresenters: false });
  await isViewer(val, true);
  await isViewer(vic, false);
  // A viewer who asks waits until the place is free.
  assert.equal(await takesPart(val), "upgrade_limit");
  await val.do("upgrade", { action: "withdraw" });
  assert.equal(await answer("offer", val), "ok");
  assert.equal(await val.do("upgrade", { action: "take" }), "upgrade_limit");
  assert.equal(await answer("demote", vic), "ok");
  assert.equal(await val.do("upgrade", { action: "take" }), "ok");
  await isViewer(val, false);
  await edit({ enablePresenters: true });
  // A person who asks while the offer stands takes it.
  assert.equal(await answer("offer", vic), "ok");
  assert.equal(await vic.do("upgrade", { action: "ask" }), "ok");
  await isViewer(vic, false);
  await isViewer(val, false);
});

/** People come and go while participants are hidden from each other: what do they learn? */
const participantsAreHidden = async (t: TestContext, here: typeof meet): Promise<void> => {
  const { moderator, guest, edit } = await here(t, { enablePresenters: false });
  const [ann, ben] = [await guest("Ann"), await guest("Ben")];
  await ann.sees("both", ({ peers }) => peers.length === 2);
  await edit({ participantPrivacy: true });
  for (const one of [ann, ben]) {
    await one.sees("the moderator only", ({ peers }) => peers.length === 1);
    assert.deepEqual(one.names(), ["Mo"]);
  }
  await moderator.sees("both", ({ peers }) => peers.length === 2);
  assert.equal(await ann.do("signal", { to: ben.peerId, data: "offer" }), "peer_not_found");
  assert.equal(await ann.do("signal", { to: moderator.peerId, data: "offer" }), "ok");
  const cleo = await guest("Cleo");
  assert.deepEqual(cleo.names(), ["Mo"]);

  // The presenter's place is taken, and only moderators know by whom.
  assert.equal(await ann.do("present", { on: true }), "ok");
  await moderator.sees("who presents", ({ meeting }) => meeting.presenter === ann.peerId);
  await ann.sees("she presents", ({ meeting }) => meeting.presenter === ann.peerId);
  await cleo.sees("somebody presents", ({ meeting }) => meeting.presenter === "hidden");

  // The chat: what participants write is for moderators, even those who come later.
  assert.equal(await ann.do("chat", { text: "from Ann" }), "ok");
  assert.equal(await moderator.do("chat", { text: "for all" }), "ok");
  const dan = await guest("Dan");
  const reads = async (one: typeof ann, texts: readonly string[]): Promise<void> => {
    const read = () => one.chat.map(({ text }) => text);
    await until("the last message has come", () => read().includes("for all"));
    assert.deepEqual(read(), texts);
  };
  for (const one of [moderator, ann]) await reads(one, ["from Ann", "for all"]);
  for (const one of [ben, cleo, dan]) await reads(one, ["for all"]);
  for (const { messages } of [cleo, dan]) {
    for (const secret of [ann.peerId, "Ann"]) assert.ok(!JSON.stringify(messages).includes(secret));
  }
  // Ann's messages to the moderators stay theirs when she is one; her next messages are for everybody.
  const promoted = { peerId: ann.peerId, peerType: "moderator" } as const;
  assert.equal(await moderator.do("changePeer", promoted), "ok");
  assert.equal(await ann.do("chat", { text: "to all" }), "ok");
  assert.deepEqual(
    (await guest("Eve")).chat.map(({ text }) => text),
    ["for all", "to all"],
  );
  await edit({ participantPrivacy: false });
  await ann.sees("everybody", ({ peers }) => peers.length === 5);
  await ben.sees("who presents", ({ meeting }) => meeting.presenter === ann.peerId);
};

test("with participantPrivacy participants see and read only moderators, and it can be switched during a meeting", (t) =>
  participantsAreHidden(t, meet));

testTwin("a twin that passes on what participants write is detected", async (t) => {
  const twin = await startWorld(t, { twin: passesTheChatOn });
  await assert.rejects(participantsAreHidden(t, meetIn(twin)), assert.AssertionError);
});

test("without enablePresenters one person shares at a time", async (t) => {
  const { moderator, guest } = await meet(t, { enablePresenters: false });
  const ann = await guest("Ann");
  assert.equal(await ann.do("present", { on: true }), "ok");
  assert.equal(await moderator.do("present", { on: true }), "presenter_taken");
  await moderator.sees("who presents", ({ meeting }) => meeting.presenter === ann.peerId);
  await moderator.do("media", { audio: false, video: false, share: true });
  await ann.do("media", { audio: false, video: false, share: true });
  await moderator.sees("Ann shares", ({ peers: [peer] }) => peer?.share === true);
  await ann.sees("Mo does not", ({ peers: [peer] }) => peer?.share === false);
  // A place that is held without a screen is taken away like one with a screen.
  assert.equal(await ann.do("media", { audio: false, video: false, share: false }), "ok");
  assert.equal(await moderator.do("present", { on: true }), "presenter_taken");
  assert.equal(await moderator.do("mutePeer", { peerId: ann.peerId, type: "video" }), "ok");
  assert.equal(await moderator.do("present", { on: true }), "presenter_taken");
  assert.equal(await moderator.do("mutePeer", { peerId: ann.peerId, type: "share" }), "ok");
  assert.equal(await moderator.do("present", { on: true }), "ok");
  assert.equal(await moderator.do("present", { on: false }), "ok");
  assert.equal(await ann.do("present", { on: true }), "ok");
  await ann.do("leave");
  await moderator.sees("the place is free", ({ meeting }) => meeting.presenter === null);
  assert.equal(await moderator.do("present", { on: true }), "ok");
});

test("a viewer cannot take the only presenter's place, and a presenter who becomes a viewer loses it", async (t) => {
  const { moderator, guest } = await meet(t, { enablePresenters: false });
  const [ann, vic] = [await guest("Ann"), await guest("Vic", "viewer")];
  assert.equal(await vic.do("present", { on: true }), "not_in_this_room");
  assert.equal(await ann.do("present", { on: true }), "ok");
  await vic.sees("Ann has the place", ({ meeting }) => meeting.presenter === ann.peerId);
  assert.equal(await moderator.do("changePeer", { peerId: ann.peerId, peerType: "viewer" }), "ok");
  for (const one of [moderator, ann, vic])
    await one.sees("the place is free", ({ meeting }) => meeting.presenter === null);
  assert.equal(await moderator.do("present", { on: true }), "ok");
});

test("with enablePresenters switched off, the person who has shared the longest keeps sharing", async (t) => {
  const { moderator, guest, edit } = await meet(t, { enablePresenters: true });
  const [ann, ben] = [await guest("Ann"), await guest("Ben")];
  const share = (one: typeof ann, on: boolean) =>
    one.do("media", { audio: false, video: false, share: on });
  // Ann begins again, so Ben has shared the longest; repeating the report of what is on is not a new
  // beginning.
  for (const [one, on] of [
    [ann, true] as const,
    [ben, true] as const,
    [moderator, true] as const,
    [ann, false] as const,
    [ann, true] as const,
    [ben, true] as const,
  ]) {
    assert.equal(await share(one, on), "ok");
    // Times are in milliseconds: nobody begins at the same one.
    await sleep(2);
  }
  const sharing = ({
    peers,
  }: {
    readonly peers: readonly { peerName: string; share: boolean }[];
  }) =>
    peers
      .filter((peer) => peer.share)
      .map(({ peerName }) => peerName)
      .toSorted()
      .join();
  await moderator.sees("both share", (view) => sharing(view) === "Ann,Ben");
  assert.equal((await edit({ enablePresenters: false })).status, 200);
  await moderator.sees("Ben shares", (view) => sharing(view) === "Ben");
  await ann.sees("Ben has the place", ({ meeting }) => meeting.presenter === ben.peerId);
  assert.equal(await ann.do("present", { on: true }), "presenter_taken");
  await share(ann, true);
  assert.equal(await ben.do("present", { on: false }), "ok");
  assert.equal(await ann.do("present", { on: true }), "ok");
});

test("a type edited while people are inside applies from the next meeting, and the answer says so", async (t) => {
  const hidden = { participantPrivacy: true, roomPermaLink: true };
  const { ask, moderator, guest, edit } = await meet(t, hidden);
  const [ann, ben] = [await guest("Ann"), await guest("Ben")];
  const edited = await edit({ roomType: "p2p", roomAgenda: "New" });
  assert.equal(edited.headers.get("parley-note"), typeWaits);
  assert.equal(edited.body.roomSetting.roomType, "p2p");
  assert.equal(edited.body.roomSetting.roomStatus, "busy");
  for (const one of [ann, ben]) {
    await one.sees("the new agenda", ({ room }) => room.roomAgenda === "New");
    assert.equal(one.view?.room.roomType, "conferencing");
    assert.deepEqual(one.names(), ["Mo"]);
  }
  assert.equal(await ann.do("signal", { to: ben.peerId, data: "offer" }), "peer_not_found");
  assert.deepEqual((await guest("Cleo")).names(), ["Mo"]);
  assert.equal((await ask("fetchRoom", { id: "r" })).body.roomSetting.roomStatus, "busy");
  assert.equal((await edit({ name: "Renamed" })).headers.get("parley-note"), typeWaits);
  assert.equal((await edit({ roomType: "conferencing" })).headers.get("parley-note"), null);
  await edit({ roomType: "p2p" });

  assert.equal(await moderator.do("closeRoom", {}), "ok");
  await until("it is over", () => moderator.ended?.reason === "closed");
  const next = [await guest("Ann"), await guest("Ben")] as const;
  await next[0].sees("Ben", ({ peers, room }) => room.roomType === "p2p" && peers.length === 1);
  await assert.rejects(guest("Cleo"), /seats_full/);
  assert.equal((await edit({ name: "Pair" })).headers.get("parley-note"), null);
});

test("a person who becomes an owner while inside may become a moderator if a seat is free, and nobody else may", async (t) => {
  const { tenant, guest, member, enterMember, edit } = await meet(t, { noOfModerators: 1 });
  const [mia, ann] = [await enterMember(), await guest("Ann")];
  assert.equal(mia.view?.allowed.promote, false);
  assert.equal(await mia.do("promote"), "not_in_this_room");
  await edit({ roomOwnerId: `${tenant.admin.id},${member.id}`, roomAgenda: "New" });
  await mia.sees("it is hers", ({ allowed }) => allowed.promote && !allowed.moderate);
  await ann.sees("the new agenda", ({ room }) => room.roomAgenda === "New");
  assert.equal(ann.view?.allowed.promote, false);
  assert.equal(await ann.do("promote"), "not_in_this_room");
  assert.equal(await mia.do("promote"), "seats_full");
  const owners = { roomOwnerId: `${tenant.admin.id},${member.id}` };
  await edit({ ...owners, noOfModerators: 2 });
  assert.equal(await mia.do("promote"), "ok");
  await mia.sees("she moderates", ({ allowed, you }) => {
    return you.peerType === "moderator" && allowed.moderate && !allowed.promote;
  });
  assert.equal(await mia.do("lockRoom", { action: "lock" }), "ok");
});
