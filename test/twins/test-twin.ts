import { type TestContext, test } from "node:test";
import { onPostgres } from "../world/empty-database.ts";
import { soaking } from "../world/seed.ts";

/**
 * A test that a check finds its twin, in a file that runs on both databases. A check that finds it
 * on one finds it on the other: it runs on PostgreSQL, where two processes meet, and in the long
 * run on both.
 */
export const testTwin = (name: string, check: (t: TestContext) => Promise<void>): void => {
  if (onPostgres || soaking) void test(name, check);
};
