import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { filtersByOldSettings, readsTheChatLate } from "../twins/privacy.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
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

test("what a participant writes right after participantPrivacy was switched on reaches no other one", (t) =>
  hidesMeanwhile(t, readsTheChatLate));

testTwin("a twin that filters the chat by settings of an earlier moment is detected", async (t) => {
  await assert.rejects(hidesMeanwhile(t, filtersByOldSettings), assert.AssertionError);
});
