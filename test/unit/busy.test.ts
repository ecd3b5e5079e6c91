import assert from "node:assert/strict";
import { test } from "node:test";
import { ParleyError } from "../../contract/client.ts";

// Imported by its address: a browser's types are the console's alone.
const { whileBusy } = await import(new URL("../../console/kit/busy.ts", import.meta.url).href);

const failure = (code: "overloaded" | "unavailable", retryAfter?: number) =>
  new ParleyError(code, { code, status: 503, errors: [], retryAfter, requestId: undefined });

/** Asks a service that fails so many times. @returns the pauses, and the outcome */
const ask = async (times: number, what = failure("overloaded", 2)) => {
  const pauses: number[] = [];
  let asked = 0;
  const outcome = await whileBusy(
    async () => {
      asked += 1;
      if (asked <= times) throw what;
      return "seat";
    },
    async (ms: number) => void pauses.push(ms),
  ).catch((error: ParleyError) => error.code);
  return { pauses, outcome, asked };
};

test("a page retries by itself when the service is busy, with growing, varied pauses", async () => {
  const { pauses, outcome } = await ask(3);
  assert.equal(outcome, "seat");
  for (const [n, ms] of pauses.entries()) {
    assert.ok(ms >= 1_000 * (n + 1) && ms <= 3_000 * (n + 1), `${ms} ms before try ${n + 2}`);
  }
  assert.notDeepEqual((await ask(3)).pauses, pauses);
});

test("a page stops retrying in the end, and at once for any other failure", async () => {
  const { outcome, asked } = await ask(100);
  assert.deepEqual([outcome, asked], ["overloaded", 6]);
  const other = await ask(1, failure("unavailable"));
  assert.deepEqual([other.outcome, other.asked], ["unavailable", 1]);
});
