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
  const counts = `${about}: ${statuses.slice(0, 20)} in ${seconds} s`;
  const lookedAt = statuses.filter((status) => status === 401).length;
  assert.equal(statuses.filter((status) => status === 429).length, many - lookedAt, counts);
  assert.ok(lookedAt >= 5 && lookedAt <= 5 + seconds / 5, counts);
};

/**
 * Makes rounds of simultaneous requests of one holder, until one is refused, of a service with RATE_LIMIT=10:
 * fifty are taken at once, and ten more a second.
 *
 * @param expected the status of a request that is taken
 * @param tryOnce sends it once: the service may count a request that it then rejects as overload
 */
export const assertLimited = async <T extends Pick<Answer, "status">>(
  expected: number,
  tryOnce: () => Promise<T>,
): Promise<readonly T[]> => {
  const begun = performance.now();
  const answers: T[] = [];
  const having = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
  while (having(429) === 0 && answers.length < 4_000) {
    answers.push(...(await Promise.all(Array.from({ length: 80 }, tryOnce))));
  }
  const seconds = (performance.now() - begun) / 1_000;
  const [taken, refused] = [having(expected), having(429)];
  const counts = `${taken} of ${answers.length} taken, ${refused} refused in ${seconds} s`;
  assert.equal(taken + refused + having(503), answers.length, counts);
  assert.ok(refused > 0 && taken <= 50 + 10 * seconds, counts);
  return answers;
};
