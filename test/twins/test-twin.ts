import { AssertionError } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { onPostgres } from "../world/empty-database.ts";
import { complete, soaking } from "../world/seed.ts";

/** How often a check may try to detect its twin: on a busy machine two requests do not always meet. */
const TRIES = 3;

interface TwinOptions {
  /** Why the test is skipped, if it is. */
  readonly skip?: string | false;
  /** Runs on SQLite too: its file runs only there, or the check is different there. */
  readonly onSqlite?: boolean;
}

/**
 * Tests that a check detects its twin, in complete runs: what the check could detect yesterday it detects today,
 * unless somebody changes it. A check that detects its twin on one database detects it on the other, so it runs
 * on PostgreSQL, where two processes meet, and in the long run on both.
 *
 * @param check fails if the twin is not detected: `assert.rejects` around the check
 */
export const testTwin = (
  name: string,
  check: (t: TestContext) => Promise<void>,
  { skip = false, onSqlite = false }: TwinOptions = {},
): void => {
  if (!complete || !(onPostgres || soaking || onSqlite)) return;
  void test(name, { skip }, (t) => find(check, t, TRIES));
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
    t.diagnostic("The twin was not found, or not as expected; once more.");
    await find(check, t, tries - 1);
  }
};

/**
 * The error of `assert.rejects`: the check passed though the twin is broken, or it failed for another reason
 * than the twin's defect, for example because something was too late on a busy machine.
 */
const isUnfound = (error: unknown): boolean =>
  error instanceof AssertionError && error.operator === "rejects";
