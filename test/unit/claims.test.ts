import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { whoGivesUp } from "../../server/meetings/seats/claims-by-address.ts";

const held = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([claimed_from, count]) => ({ claimed_from, count: String(count) }));

test("the address with most claims gives one up, unless it would then have fewer than the newcomer", () => {
  for (const [counts, own, from] of [
    [{}, "a", undefined],
    [{ a: 1 }, "b", undefined],
    [{ a: 2 }, "b", "a"],
    [{ a: 2, b: 1 }, "b", undefined],
    [{ a: 3, b: 1 }, "b", "a"],
    [{ a: 9 }, "a", undefined],
    [{ a: 2, b: 9, c: 4 }, "a", "b"],
    // Only guests have claims.
    [{ a: 1 }, null, undefined],
    [{ a: 2 }, null, "a"],
    // Numbers, not texts, are compared.
    [{ a: 9, b: 10 }, "c", "b"],
  ] as const) {
    assert.equal(whoGivesUp(held(counts), own), from, JSON.stringify([counts, own]));
  }
});

test("giving up claims ends, never takes the last one, and leaves nobody with two fewer than the newcomer", () => {
  const addresses = ["a", "b", "c", "d"] as const;
  fc.assert(
    fc.property(
      fc.array(fc.nat(20), { minLength: 4, maxLength: 4 }),
      fc.constantFrom(...addresses),
      (numbers, own) => {
        const counts = Object.fromEntries(addresses.map((name, n) => [name, numbers[n] ?? 0]));
        let rounds = 0;
        for (;;) {
          const some = held(counts).filter(({ count }) => count !== "0");
          const from = whoGivesUp(some, own);
          if (from === undefined) break;
          assert.notEqual(from, own);
          counts[from] = (counts[from] ?? 0) - 1;
          counts[own] = (counts[own] ?? 0) + 1;
          assert.ok((counts[from] ?? 0) >= 1);
          assert.ok((counts[from] ?? 0) >= (counts[own] ?? 0));
          rounds += 1;
          assert.ok(rounds < 100);
        }
        for (const name of addresses) assert.ok((counts[name] ?? 0) <= (counts[own] ?? 0) + 1);
      },
    ),
  );
});
