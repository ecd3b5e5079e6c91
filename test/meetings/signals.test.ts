// Runs: postgres-first, waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { keepsSignalsForTheAway, takesWhateverComes } from "../twins/claims.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { askAs } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startWorld, type World } from "../world/world.ts";
import { enter, openSocket, type Somebody } from "./inside.ts";
import { holdChanges, keptAway, meetIn } from "./place.ts";

const world = await startWorld(test);
const meet = meetIn(world);

test("any number of signals does not disconnect a slow reader, whose page learns that some were dropped", async (t) => {
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
  // People who connect again have used up their allowance.
  const again = await Promise.all(others.map((one) => openSocket(t, url, one)));
  for (const answers of await Promise.all(again.map(flood))) {
    assert.ok(answers.filter((answer) => answer === "ok").length < 10);
  }
  // Others may come in their place: together they send more than a socket holds back.
  for (let round = 0; round < 2; round += 1) {
    const guests = again.filter((_, n) => n > 1);
    for (const one of guests) assert.equal(await one.do("leave"), "ok");
    const next = await Promise.all(guests.map((_, n) => guest(`Guest ${round} ${n}`)));
    await Promise.all(next.map(flood));
    again.splice(2, guests.length, ...next);
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

/** The rows that the database keeps for people whose sockets are on another process. */
const keptFor = async ({ database }: World, seatId: string): Promise<readonly string[]> => {
  const rows = await database.read
    .selectFrom("seat_messages")
    .select("message")
    .where("seat_id", "=", seatId)
    .execute();
  return rows.map(({ message }) => JSON.parse(message).type);
};

/** Somebody sends signals to a person on another process, and on and on once that person is away. */
const sendsToTheAway = async (t: TestContext, twin?: Twin): Promise<void> => {
  const here = await startWorld(t, { twin });
  const { guest, code } = await meetIn(here)(t);
  const ann = await guest("Ann");
  const second = await here.second();
  const ben = await enter(t, { url: second, ask: askAs(second, undefined) }, code, {
    peerName: "Ben",
  });
  await ann.sees("Ben", ({ peers }) => peers.some(({ peerId }) => peerId === ben.peerId));
  const signals = ({ messages }: Somebody) =>
    messages.flatMap((message) => (message.type === "signal" ? message.data : []));
  const few = Array.from({ length: 20 }, (_, n) => `candidate ${n}`);
  await Promise.all(few.map((data) => ann.do("signal", { to: ben.peerId, data })));
  await until("Ben has them", () => signals(ben).length === few.length);
  assert.deepEqual(signals(ben), few, "in their order");
  ben.cut();
  await keptAway(here, ben.peerId);
  await ann.sees("Ben is away", ({ peers }) =>
    peers.some(({ peerId, away }) => away && peerId === ben.peerId),
  );
  const flood = (one: Somebody) =>
    Promise.all(
      Array.from({ length: 20 }, () =>
        one.do("signal", { to: ben.peerId, data: "x".repeat(65_536) }),
      ),
    );
  const answers = await flood(ann);
  for (let round = 0; round < 3; round += 1) {
    const again = await openSocket(t, here.url, ann);
    await again.sees("Ben", ({ peers }) => peers.some(({ peerId }) => peerId === ben.peerId));
    answers.push(...(await flood(again)));
  }
  assert.ok(answers.includes("ok") && answers.includes("too_many_requests"));
  await until("something is stored", async () => (await keptFor(here, ben.peerId)).length > 0);
  assert.deepEqual(await keptFor(here, ben.peerId), ["signalsLost"], "no signal is kept");
  const back = await openSocket(t, second, ben);
  await until("Ben's page learns that signals are missing", () =>
    back.messages.some(({ type }) => type === "signalsLost"),
  );
  await back.sees("everything", ({ you }) => you.peerId === ben.peerId);
  const last = await openSocket(t, here.url, ann);
  await last.sees("Ben is back", ({ peers }) =>
    peers.some(({ peerId, away }) => !away && peerId === ben.peerId),
  );
  // A little may pass again after a second.
  await until("a signal passes", async () => {
    return (await last.do("signal", { to: ben.peerId, data: "offer" })) === "ok";
  });
  await until("Ben has it", () => signals(back).includes("offer"));
};

test("signals reach people on another process in order; none is kept for a person who is away, and that person's page learns so", (t) =>
  sendsToTheAway(t));

testTwin("a twin that keeps signals for people who are away fills the database", async (t) => {
  await assert.rejects(sendsToTheAway(t, keepsSignalsForTheAway), /no signal is kept/);
});

test("forbidden commands begin no change, and any number of them holds up nobody", async (t) => {
  const { guest, moderator } = await meet(t);
  const ann = await guest("Ann");
  const release = await holdChanges(t, world);
  const refused = await Promise.all([
    ann.do("mutePeer", { all: true }),
    ann.do("closeRoom", {}),
    ann.do("startRecording", {}),
    ann.do("startTranscription", {}),
  ]);
  await release();
  assert.deepEqual(new Set(refused), new Set(["moderators_only"]));
  const asked = Array.from({ length: 60 }, () => ann.do("promote", {}));
  const answers = new Set(await Promise.all(asked));
  assert.deepEqual(answers, new Set(["not_in_this_room", "too_many_requests"]));
  assert.equal(moderator.ended, undefined);
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

test("a person who floods the chat is slowed down, also on a new connection, and others are not", (t) =>
  floods(t));

testTwin("a twin that takes whatever a seat sends lets a person flood the chat", async (t) => {
  await assert.rejects(
    floods(t, await startWorld(t, { twin: takesWhateverComes })),
    /deepEqual|deep-equal/,
  );
});
