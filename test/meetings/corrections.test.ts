// Runs: postgres-first

import assert from "node:assert/strict";
import { test } from "node:test";
import { storeDevices } from "../../server/meetings/engine/devices.ts";
import { correctionsOf, unmutes } from "../twins/corrections.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Scope } from "../world/empty-database.ts";
import { startWorld } from "../world/world.ts";
import { meetIn, seatOf } from "./place.ts";

const world = await startWorld(test);
const meet = meetIn(world);

/** Corrections that were decided before something ended the device, and are stored after it. */
const lateCorrections = async (t: Scope, store: typeof storeDevices): Promise<void> => {
  const { moderator, guest, edit } = await meet(t);
  const ann = await guest("Ann");
  const corrected = async (): Promise<boolean> => {
    await store(world.database, await seatOf(world, ann.peerId), { audio: true });
    return Boolean((await seatOf(world, ann.peerId)).audio);
  };
  assert.equal(await corrected(), true, "nothing is in its way");
  assert.equal(await moderator.do("mutePeer", { peerId: ann.peerId, type: "audio" }), "ok");
  assert.equal(await corrected(), false, "a moderator has muted her");
  await world.database.change(async (tx) => {
    const muted_at = "2000-01-01T00:00:00.000Z";
    await tx.updateTable("seats").set({ muted_at }).where("id", "=", ann.peerId).execute();
  });
  assert.equal(await corrected(), true, "that is long ago");
  assert.equal((await edit({ audioStatus: false })).status, 200);
  assert.equal(await corrected(), false, "the room allows no sound");
};

test("a report of the engine from before a mute is not stored after it", (t) =>
  lateCorrections(t, storeDevices));

testTwin("a twin that writes a correction over a mute is detected", async (t) => {
  const store = await correctionsOf(unmutes);
  await assert.rejects(lateCorrections(t, store), /a moderator has muted her/);
});
