// Runs: postgres, waits, complete

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { countsOverlapsTwice, freesAtOnce } from "../twins/seats.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { count, rollDice, soaking } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";
import { startRoom } from "./meeting-side.ts";
import { step } from "./meeting-steps.ts";

/** The longest history; each begins in a new room. */
const LENGTH = 30;
const RUNS = count(3, 300, 1);
/** The most histories for a twin, which ends with the first one that differs. */
const TWIN_RUNS = 80;
/**
 * Few histories lose a seat that somebody wants meanwhile, or have people inside together for long: the first
 * histories of these seeds do. The long run uses new seeds.
 */
const SEEDS = { lost: 5405, together: 1962 } as const;

const seedOf = (t: TestContext, known: number): number => (soaking ? rollDice(t).seed : known);

/** Runs random histories on both databases, or for a twin on one, until one differs from the model. */
const compare = async (t: TestContext, seed: number, numRuns: number, twin?: Twin) => {
  const worlds = [await startWorld(t, { on: "sqlite", twin })];
  if (twin === undefined) worlds.push(await startWorld(t, { on: "postgres" }));
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: LENGTH, size: "max" }), (history) =>
      Promise.all(
        worlds.map(async (world) => {
          const room = await startRoom(t, world);
          try {
            for (const next of history) await room.run(next);
          } finally {
            room.end();
          }
          steps += history.length;
        }),
      ).then(() => {}),
    ),
    { seed, numRuns, endOnFailure: true },
  );
  return steps;
};

test("P-MEET-6: seats, roomStatus and totalCallTime follow random histories, on both databases", async (t) => {
  t.diagnostic(`${await compare(t, seedOf(t, 1), RUNS)} steps`);
});

testTwin("P-MEET-6: a twin that frees seats before their leases end is detected", (t) =>
  assert.rejects(compare(t, seedOf(t, SEEDS.lost), TWIN_RUNS, freesAtOnce), /Property failed/),
);

testTwin("P-MEET-6: a twin that counts two people's minutes twice is detected", (t) =>
  assert.rejects(
    compare(t, seedOf(t, SEEDS.together), TWIN_RUNS, countsOverlapsTwice),
    /Property failed/,
  ),
);
