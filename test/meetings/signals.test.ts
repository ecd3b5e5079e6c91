import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { takesWhateverComes } from "../twins/claims.ts";
import { testTwin } from "../twins/test-twin.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { openSocket, type Somebody } from "./inside.ts";
import { meetIn } from "./place.ts";

const world = await startWorld(test);
const meet = meetIn(world);

test("signals never disconnect a person who reads slowly, however many people send them, and that person's page learns that some were dropped", async (t) => {
  const { guest, moderator, url } = await meet(t);
  const [ann, ben] = [await guest("Ann"), await guest("Ben")];
  const others = [ann, moderator, await guest("Cleo"), await guest("Dan"), await guest("Eve")];
  const flood = async (one: typeof ann) => {
    await one.sees("Ben", ({ peers }) => peers.some(({ peerId }) => peerId === ben.peerId));
    const signal = { to: ben.peerId, data: "x".repeat(65_536) };
    return Promise.all(Array.from({ length: 30 }, () => one.do("signal", signal)));
  };
  ben.pause();
  for (const answers of await Promise.all(others.map(flood))) {
    assert.ok(answers.slice(0, 15).every((answer) => answer === "ok"));
    assert.ok(answers.includes("too_many_requests"));
  }
  // Those who connect again may send as much again: more than a socket holds back.
  for (let round = 0; round < 3; round += 1) {
    const again = await Promise.all(others.map((one) => openSocket(t, url, one)));
    await Promise.all(again.map(flood));
  }
  const last = await openSocket(t, url, ann);
  await last.sees("Ben", ({ peers }) => peers.length === 5);
  assert.equal(await last.do("chat", { text: "hello" }), "ok");
  ben.resume();
  await until("Ben reads on", () => {
    return ben.chat.at(-1)?.text === "hello" || ben.closed !== undefined;
  });
  assert.equal(ben.closed, undefined);
  assert.ok(ben.messages.some((m) => m.type === "signal" && m.from === ann.peerId));
  assert.equal(await last.do("signal", { to: ben.peerId, data: "offer" }), "ok");
  await until("Ben has it", () =>
    ben.messages.some((m) => m.type === "signal" && m.data === "offer"),
  );
  await until("Ben's page learns that signals are missing", () =>
    ben.messages.some(({ type }) => type === "signalsLost"),
  );
});

/** Somebody sends the chat more than anybody writes, and once more on a new connection. */
const floods = async (t: TestContext, here = world): Promise<void> => {
  const { guest, url } = await meetIn(here)(t);
  const [ann, ben] = [await guest("Ann"), await guest("Ben")];
  const begun = performance.now();
  const flood = (one: Somebody) =>
    Promise.all(Array.from({ length: 60 }, () => one.do("chat", { text: "x" })));
  const answers = await flood(ann);
  const again = await openSocket(t, url, ann);
  await again.sees("everything", ({ you }) => you.peerId === ann.peerId);
  answers.push(...(await flood(again)));
  const seconds = (performance.now() - begun) / 1_000;
  assert.deepEqual(new Set(answers), new Set(["ok", "too_many_requests"]));
  const taken = answers.filter((answer) => answer === "ok").length;
  assert.ok(taken >= 30 && taken <= 31 + 3 * seconds, `${taken} in ${seconds} s`);
  assert.equal(await ben.do("chat", { text: "hello" }), "ok");
  await until("Ben has what was taken", () => ben.chat.length === taken + 1);
  assert.equal(await again.do("leave"), "ok");
};

test("a person who floods the chat is slowed down, also on a new connection; others are not", (t) =>
  floods(t));

testTwin("a twin that takes whatever a seat sends lets a person flood the chat", async (t) => {
  await assert.rejects(
    floods(t, await startWorld(t, { twin: takesWhateverComes })),
    /deepEqual|deep-equal/,
  );
});
