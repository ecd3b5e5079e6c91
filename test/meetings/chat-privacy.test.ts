import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { filtersByOldSettings, numbersAll, readsTheChatLate } from "../twins/privacy.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { openSocket } from "./inside.ts";
import { meetIn } from "./place.ts";

/** Participants become hidden from each other, and one writes, while a look at the meeting is under way. */
const hidesMeanwhile = async (t: TestContext, twin: Twin): Promise<void> => {
  const { moderator, guest, edit } = await meetIn(await startWorld(t, { twin }))(t);
  const [ann, ben] = [await guest("Ann"), await guest("Ben")];
  await ann.sees("both", ({ peers }) => peers.length === 2);
  const here = globalThis as { beforeChat?: (() => Promise<void>) | undefined };
  const written = Promise.withResolvers<void>();
  here.beforeChat = async () => {
    here.beforeChat = undefined;
    assert.equal((await edit({ participantPrivacy: true })).status, 200);
    assert.equal(await ann.do("chat", { text: "to the moderators" }), "ok");
    written.resolve();
  };
  try {
    assert.equal(await moderator.do("hand", { up: true }), "ok");
    await written.promise;
  } finally {
    here.beforeChat = undefined;
  }
  assert.equal(await moderator.do("chat", { text: "to all" }), "ok");
  await until("Ben has the last message", () => ben.chat.at(-1)?.text === "to all");
  assert.deepEqual(
    [moderator, ben].map(({ chat }) => chat.map(({ text }) => text)),
    [["to the moderators", "to all"], ["to all"]],
  );
};

test("a message written right after participantPrivacy was switched on reaches no other participant", (t) =>
  hidesMeanwhile(t, readsTheChatLate));

testTwin("a twin that filters the chat by settings of an earlier moment is detected", async (t) => {
  await assert.rejects(hidesMeanwhile(t, filtersByOldSettings), assert.AssertionError);
});

/** A participant who may read two of the moderator's messages, and none that others write between them. */
const countsHidden = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const { moderator, guest, url } = await meetIn(world)(t, { participantPrivacy: true });
  const [ann, ben] = [await guest("Ann"), await guest("Ben")];
  const say = async (who: typeof ann, text: string) =>
    assert.equal(await who.do("chat", { text }), "ok");
  await say(moderator, "first");
  for (let n = 0; n < 5; n += 1) await say(ann, `hidden ${n}`);
  await say(moderator, "last");
  await until("Ben has both", () => ben.chat.length === 2);
  const again = await openSocket(t, url, ben);
  await until("Ben has both again", () => again.chat.length === 2);
  for (const { chat } of [ben, again]) {
    const [first, last] = chat.map(({ number, sentAt }) => number - Date.parse(sentAt));
    assert.deepEqual([first, last], [0, 0], "the numbers say no more than the times");
  }
  await until("the moderator has all", () => moderator.chat.length === 7);
  const numbers = moderator.chat.map(({ number }) => number);
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].toSorted((one, other) => one - other),
    "each is larger than the one before",
  );
};

test("numbers of chat messages do not reveal how many are hidden in between, even after a reconnection", (t) =>
  countsHidden(t));

testTwin("a twin that numbers everybody's messages reveals how many are hidden", async (t) => {
  await assert.rejects(countsHidden(t, numbersAll), /say no more than the times/);
});

test("neither free seats nor the takeout reveals how many others there are or how much they write", async (t) => {
  const world = await startWorld(t);
  const settings = { participantPrivacy: true, noOfViewers: 1 };
  const { moderator, guest, enterMember, member, ask, code } = await meetIn(world)(t, settings);
  await guest("Vic", "viewer");
  const join = async () =>
    (await world.open("joinRoom", { roomId: code, peerName: "Will", peerType: "viewer" })).body;
  const before = await join();
  const mia = await enterMember();
  assert.equal(before.code, "seats_full");
  assert.deepEqual(await join(), before, "one person more is inside");
  for (const who of [moderator, mia, moderator, mia]) {
    assert.equal(await who.do("chat", { text: "hello" }), "ok");
  }
  const { messages } = (await ask("exportUser", { userId: member.id })).body;
  assert.equal(messages.length, 2);
  for (const message of messages) assert.ok(!("number" in message), JSON.stringify(message));
});
