import assert from "node:assert/strict";
import { test } from "node:test";
import { noEngine } from "../run/engine.ts";
import { freesBeforeTheEngine, type Hold, holdsRemovals } from "../twins/seats.ts";
import type { Scope } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import { startWorld, type World } from "../world/world.ts";
import {
  begin,
  connectMedia,
  meetingOf,
  type SharedEngine,
  startEngine,
  tryMedia,
} from "./engine.ts";

const skip = { skip: noEngine };
const engine = noEngine ? undefined : await startEngine({ after: (end) => test.after(end) });
const shared = (): SharedEngine => {
  if (engine === undefined) throw new Error("There is no media engine.");
  return engine;
};
const world = noEngine
  ? undefined
  : await startWorld(test, { environment: engine?.environment ?? {} });

/** Somebody leaves while the engine does not answer: what does the next one get, and who is inside? */
const leaveWhileHeld = async (t: Scope, twin: typeof holdsRemovals) => {
  // Of its own: a service ends the meetings of others.
  const own = await startEngine(t);
  const held = await startWorld(t, { twin, environment: own.environment });
  const { url, guest, code } = await begin(held, { noOfParticipants: 1 });
  const ann = await guest(t, "Ann");
  const meetingId = meetingOf(ann);
  const client = await connectMedia(url, ann.ticket);
  await client.next("join");
  const hold = Promise.withResolvers<void>();
  const here = globalThis as { removals?: Hold };
  here.removals = { asked: 0, until: hold.promise };
  try {
    assert.equal(await ann.do("leave"), "ok");
    await until("the engine is asked", () => (here.removals?.asked ?? 0) > 0);
    const { status, body } = await held.open("joinRoom", { roomId: code, peerName: "Bob" });
    const bob = status === 200 ? await connectMedia(url, body.ticket) : undefined;
    const participants = (await own.inside(meetingId)).size;
    hold.resolve();
    bob?.socket.terminate();
    if (status !== 200) {
      await until("the seat is free", async () => {
        const again = await held.open("joinRoom", { roomId: code, peerName: "Bob" });
        return again.status === 200;
      });
      assert.equal((await own.inside(meetingId)).has(ann.peerId), false);
    }
    return { status, participants };
  } finally {
    hold.resolve();
    delete here.removals;
  }
};

test("a seat is free only when the engine has let its person go", skip, async (t) => {
  assert.deepEqual(await leaveWhileHeld(t, holdsRemovals), { status: 409, participants: 1 });
});

test("a service that frees a seat before the engine agreed is caught", skip, async (t) => {
  const { participants } = await leaveWhileHeld(t, freesBeforeTheEngine);
  assert.equal(participants, 2);
});

test("in a rush there are never more people in the engine than seats", skip, async (t) => {
  const here = world as World;
  const { url, moderator, code } = await begin(world, {
    noOfModerators: 1,
    noOfParticipants: 4,
  });
  const other = await here.second();
  const mod = await moderator(t);
  const meetingId = meetingOf(mod);
  let isOver = false;
  let most = 0;
  let looks = 0;
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, (await shared().inside(meetingId)).size);
      looks += 1;
    }
  })();
  let entered = 0;
  const come = async (number: number): Promise<void> => {
    const at = number % 2 === 0 ? url : other;
    for (let times = 0; times < 3; ) {
      const { status, body } = await here.open("joinRoom", {
        roomId: code,
        peerName: `P${number}`,
      });
      if (status === 409) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        continue;
      }
      assert.equal(status, 200, JSON.stringify(body));
      times += 1;
      const client = await tryMedia(at, body.ticket);
      if (typeof client === "number") continue;
      entered += 1;
      if (number % 3 === 0) await mod.do("removePeer", { peerId: body.peer.peerId });
      else await here.open("leaveRoom", { ticket: body.ticket });
      await client.closed;
    }
  };
  await Promise.all(Array.from({ length: 12 }, (_, number) => come(number)));
  isOver = true;
  await watching;
  assert.ok(entered >= 30 && looks > 5, `${entered} entered, ${looks} looks`);
  assert.ok(most >= 2 && most <= 4, `${most} people were in the engine at once`);
  await until("every seat is free again", async () => {
    const { status } = await here.open("joinRoom", { roomId: code, peerName: "Last" });
    return status === 200;
  });
});
