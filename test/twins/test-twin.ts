import { AssertionError } from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { onPostgres } from "../world/empty-database.ts";
import { soaking } from "../world/seed.ts";

/** How often a check may look for its twin: on a busy machine two requests do not always meet. */
const TRIES = 3;

interface TwinOptions {
  /** Why it is skipped, if it is. */
  readonly skip?: string | false;
  /** On SQLite too: its file runs there only, or what it checks is another thing there. */
  readonly onSqlite?: boolean;
}

/**
 * A test that a check finds its twin. One that finds it on one database finds it on the other: it
 * runs on PostgreSQL, where two processes meet, and in the long run on both.
 *
 * @param check fails where the twin is not found: `assert.rejects` around what finds it
 */
export const testTwin = (
  name: string,
  check: (t: TestContext) => Promise<void>,
  { skip = false, onSqlite = false }: TwinOptions = {},
): void => {
  if (onPostgres || soaking || onSqlite) void test(name, { skip }, (t) => find(check, t, TRIES));
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
 * What `assert.rejects` throws: the check held though the twin is broken, or it failed in another
 * way than the twin makes it fail, as where something else was too late on a busy machine.
 */
const isUnfound = (error: unknown): boolean =>
  error instanceof AssertionError && error.operator === "rejects";
