import assert from "node:assert/strict";
import type { Answer } from "../world/ask.ts";

/**
 * Makes simultaneous wrong tries that share an allowance: five are checked, and on a busy machine one more
 * for every five seconds that they take; the others must wait.
 *
 * @param about whose allowance it is
 */
export const assertShared = async (
  many: number,
  tryOnce: (n: number) => Promise<Answer>,
  about: string,
): Promise<void> => {
  const begun = performance.now();
  const answers = await Promise.all(Array.from({ length: many }, (_, n) => tryOnce(n)));
  const seconds = (performance.now() - begun) / 1_000;
  const statuses = answers.map(({ status }) => status);
  const told = `${about}: ${statuses.slice(0, 20)} in ${seconds} s`;
  const lookedAt = statuses.filter((status) => status === 401).length;
  assert.equal(statuses.filter((status) => status === 429).length, many - lookedAt, told);
  assert.ok(lookedAt >= 5 && lookedAt <= 5 + seconds / 5, told);
};
