// Needs: media-engine

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { noEngine } from "../run/engine.ts";
import {
  countsWaits,
  freesBeforeTheEngine,
  type Hold,
  holdsRemovals,
  waitsForNobody,
} from "../twins/seats.ts";
import { testTwin } from "../twins/test-twin.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { begin, connectMedia, meetingOf, startEngine } from "./engine.ts";
import { enterInvited, invite } from "./invited.ts";

/** A person leaves while the engine does not answer; the next person's answer, and the people inside, are checked. */
const leaveWhileHeld = async (t: TestContext, twin: typeof holdsRemovals) => {
  const engine = await startEngine(t);
  const held = await startWorld(t, { twin, environment: engine.environment });
  const { url, guest, moderator, code } = await begin(held, { noOfParticipants: 1 });
  // Keeps the meeting running.
  await moderator(t);
  const ann = await guest(t, "Ann");
  const meetingId = meetingOf(ann);
  const client = await connectMedia(url, ann.ticket);
  await client.next("join");
  const hold = Promise.withResolvers<void>();
  const here = globalThis as { removals?: Hold };
  here.removals = { asked: 0, waits: 0, until: hold.promise };
  try {
    assert.equal(await ann.do("leave"), "ok");
    await until("the engine is asked", () => (here.removals?.asked ?? 0) > 0);
    const { status, body } = await held.open("joinRoom", { roomId: code, peerName: "Bob" });
    const bob = status === 200 ? await connectMedia(url, body.ticket) : undefined;
    const participants = (await engine.inside(meetingId)).size;
    hold.resolve();
    bob?.socket.terminate();
    if (status !== 200) {
      await until("the seat is free", async () => {
        const again = await held.open("joinRoom", { roomId: code, peerName: "Bob" });
        return again.status === 200;
      });
      assert.equal((await engine.inside(meetingId)).has(ann.peerId), false);
    }
    return { status, participants };
  } finally {
    hold.resolve();
    delete here.removals;
  }
};

test("a seat is free only after the engine has let its person go", {
  skip: noEngine,
}, async (t) => {
  assert.deepEqual(await leaveWhileHeld(t, holdsRemovals), { status: 409, participants: 1 });
});

testTwin("a twin that frees a seat before the engine has let go is detected", async (t) => {
  if (noEngine) return t.skip(noEngine);
  const { participants } = await leaveWhileHeld(t, freesBeforeTheEngine);
  assert.equal(participants, 2);
});

/** A person leaves the only seat, and enters again while the engine still has them. */
const comeBackWhileHeld = async (t: TestContext, twin: typeof holdsRemovals) => {
  const engine = await startEngine(t);
  const held = await startWorld(t, { twin, environment: engine.environment });
  const { url, moderator, tenant } = await begin(held, { noOfParticipants: 1 });
  await moderator(t);
  const ann = await enterInvited(t, url, tenant, "r", "Ann");
  const meetingId = meetingOf(ann);
  const join = async (person: string) => {
    const sessionToken = await invite(tenant, "r", person);
    return () => tenant.ask("joinRoom", { roomId: "r", sessionToken });
  };
  const [again, bob] = [await join("Ann"), await join("Bob")];
  const client = await connectMedia(url, ann.ticket);
  await client.next("join");
  const hold = Promise.withResolvers<void>();
  const here = globalThis as { removals?: Hold };
  here.removals = { asked: 0, waits: 0, until: hold.promise };
  try {
    assert.equal(await ann.do("leave"), "ok");
    assert.equal((await bob()).body.code, "seats_full", "somebody else has no seat yet");
    const former = again();
    await until("Ann has met her former seat", () => here.removals?.waits === 1);
    const coming = again();
    await until("Ann has met it again", () => here.removals?.waits === 2);
    assert.equal((await former).body.code, "seats_full", "her former request waits no more");
    hold.resolve();
    const { status, body } = await coming;
    assert.equal(status, 200, `Ann's answer: ${JSON.stringify(body)}`);
    const back = await connectMedia(url, body.ticket);
    await back.next("join");
    assert.deepEqual([...(await engine.inside(meetingId))], [body.peer.peerId]);
  } finally {
    hold.resolve();
    delete here.removals;
  }
};

test(
  "a person who leaves and enters again at once gets the only seat, after the engine has let go",
  {
    skip: noEngine,
  },
  (t) => comeBackWhileHeld(t, countsWaits),
);

testTwin(
  "a twin that does not wait tells people who return at once that the room is full",
  async (t) => {
    if (noEngine) return t.skip(noEngine);
    await assert.rejects(comeBackWhileHeld(t, waitsForNobody), /Ann's answer: .*seats_full/);
  },
);
