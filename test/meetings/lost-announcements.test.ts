// Runs: postgres, waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { looksOnlyWhenTold, losesAnnouncements } from "../twins/announcements.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { askAs } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { enter, type Somebody } from "./inside.ts";
import { newPlace } from "./place.ts";

/** Once this many checks were missed on two processes, no check is coming. */
const MISSED = 6;

const here = globalThis as { missedLooks?: number };

/** Waits until a person sees a change by the regular check, without an announcement. */
const learns = async (what: string, { messages }: Somebody, holds: () => boolean) => {
  here.missedLooks = 0;
  await until(what, () => holds() || (here.missedLooks ?? 0) > MISSED);
  assert.ok(holds(), `${what}, after ${messages.length} messages`);
};

/** A room is edited and people are removed on one process, and the announcements do not reach the other. */
const editUnheard = async (t: TestContext, twin: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const url = await world.second();
  const { tenant, code, edit } = await newPlace(world);
  const [ann, bob] = [
    await enter(t, { url, ask: askAs(url, undefined) }, code, { peerName: "Ann" }),
    await enter(t, { url, ask: askAs(url, undefined) }, code, { peerName: "Bob" }),
  ];
  await learns("Bob is there", ann, () => ann.names().length > 0);
  const plan = {
    name: "Tea",
    roomAgenda: "Numbers, then cake",
    scheduledDateTime: "2030-01-02T09:00:00.000Z",
  };
  assert.equal((await edit({ ...plan, enableChatOption: false })).status, 200);
  await learns("Ann sees the edit", ann, () => ann.view?.room.name === "Tea");
  assert.deepEqual({ ...ann.view?.room, ...plan }, ann.view?.room);
  assert.equal(ann.view?.allowed.chat, false);
  const removed = { roomId: "r", peerId: bob.peerId };
  assert.equal((await tenant.ask("removePeer", removed)).status, 200);
  await learns("Ann sees that Bob is gone", ann, () => ann.names().length === 0);
  await learns("Bob reads why", bob, () => bob.ended?.reason === "removed");
};

test("an edit and a removal whose announcements are lost reach people on another process with its next check", (t) =>
  editUnheard(t, losesAnnouncements));

testTwin("a twin that checks only after announcements leaves them as they were", async (t) => {
  await assert.rejects(editUnheard(t, looksOnlyWhenTold), assert.AssertionError);
});
