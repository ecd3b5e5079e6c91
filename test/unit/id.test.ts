import assert from "node:assert/strict";
import { test } from "node:test";
import { uuid7 } from "../../server/lib/id.ts";

test("IDs are UUIDs of version 7, all different, and sort in the order of creation", () => {
  const ids = Array.from({ length: 50_000 }, uuid7);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(ids.toSorted(), ids);
  for (const id of ids.slice(0, 100)) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});
