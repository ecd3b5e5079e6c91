import assert from "node:assert/strict";
import { test } from "node:test";
import { reason, textOf } from "../../contract/kit/reasons.ts";
import { lastReasonOf, lastTrouble } from "../../server/lib/last-trouble.ts";

test("the reason of a last try is answered with its own text only, not after one that an earlier version wrote", () => {
  const given = reason("mail_server", { cause: "unreachable", detail: "ECONNREFUSED" });
  const kept = lastTrouble({ error: textOf(given), reason: given });
  assert.equal(kept.last_error, "The mail server cannot be reached (ECONNREFUSED).");
  assert.deepEqual(lastReasonOf(kept), given);
  assert.equal(lastReasonOf({ ...kept, last_error: "550 no such mailbox" }), null);
  assert.equal(lastReasonOf({ ...kept, last_error: null }), null);
  assert.equal(lastReasonOf(lastTrouble({ error: "550 no such mailbox" })), null);
});
