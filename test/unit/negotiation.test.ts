import assert from "node:assert/strict";
import { test } from "node:test";

// Imported by a computed address: only the console has a browser's types.
const { fateOf } = await import(new URL("../../console/meet/call/link.ts", import.meta.url).href);

const states = ["stable", "have-local-offer", "have-remote-offer", "closed"];

test("an answer is accepted only while its offer waits, on either side", () => {
  for (const polite of [true, false])
    for (const isOffering of [true, false])
      for (const state of states)
        assert.equal(
          fateOf("answer", { polite, isOffering, state }),
          state === "have-local-offer" ? "taken" : "late",
        );
});

test("of two crossing offers, exactly one is accepted, by the side that yields", () => {
  const fates = (isOffering: boolean, state: string) =>
    [true, false].map((polite) => fateOf("offer", { polite, isOffering, state }));
  assert.deepEqual(fates(false, "stable"), ["taken", "taken"]);
  assert.deepEqual(fates(true, "stable"), ["taken", "ignored"]);
  assert.deepEqual(fates(false, "have-local-offer"), ["taken", "ignored"]);
  assert.deepEqual(fates(true, "have-local-offer"), ["taken", "ignored"]);
});
