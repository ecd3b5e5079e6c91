import assert from "node:assert/strict";
import { test } from "node:test";
import { atLeast, retryAfterMs } from "../../server/lib/backoff.ts";

test("a Retry-After is read in seconds or as a date", () => {
  assert.equal(retryAfterMs("120"), 120_000);
  assert.equal(retryAfterMs(" 0 "), 0);
  const soon = retryAfterMs(new Date(Date.now() + 60_000).toUTCString()) ?? 0;
  assert.ok(soon > 30_000 && soon <= 60_000, String(soon));
  assert.equal(retryAfterMs("Wed, 21 Oct 2015 07:28:00 GMT"), 0);
  for (const none of [undefined, null, "", "soon"]) assert.equal(retryAfterMs(none), undefined);
});

test("a requested pause has a ceiling, and shortens no pause", () => {
  assert.equal(atLeast(1_000, undefined, 10_000), 1_000);
  assert.equal(atLeast(1_000, 500, 10_000), 1_000);
  assert.equal(atLeast(1_000, 5_000, 10_000), 5_000);
  assert.equal(atLeast(1_000, 50_000, 10_000), 10_000);
  assert.equal(atLeast(20_000, 50_000, 10_000), 20_000);
});
