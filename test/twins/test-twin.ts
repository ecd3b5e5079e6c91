import { AssertionError } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { onPostgres } from "../world/empty-database.ts";
import { soaking } from "../world/seed.ts";

/** How often a check may look for its twin: on a busy machine two requests do not always meet. */
const TRIES = 3;

/**
 * A test that a check finds its twin, in a file that runs on both databases. A check that finds it
 * on one finds it on the other: it runs on PostgreSQL, where two processes meet, and in the long
 * run on both.
 */
export const testTwin = (name: string, check: (t: TestContext) => Promise<void>): void => {
  if (onPostgres || soaking) void test(name, (t) => find(check, t, TRIES));
};

const find = async (
  check: (t: TestContext) => Promise<void>,
  t: TestContext,
  tries: number,
): Promise<void> => {
  try {
    await check(t);
  } catch (error) {
    if (tries === 1 || !isUnfound(error)) throw error;
    t.diagnostic("The twin was not found; once more.");
    await find(check, t, tries - 1);
  }
};

/** `assert.rejects` around a check that held, though the twin is broken. */
const isUnfound = (error: unknown): boolean =>
  error instanceof AssertionError && error.message.startsWith("Missing expected rejection");
