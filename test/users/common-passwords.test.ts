// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { bearer } from "../world/ask.ts";
import { commonPasswords } from "../world/corpora.ts";
import { startWorld } from "../world/world.ts";
import { createSignedIn } from "./people.ts";

const { organization, open } = await startWorld(test);
const { ask } = await organization("Common passwords");

test("none of the ten thousand most common passwords is accepted", async () => {
  const { token, password } = await createSignedIn(open, ask);
  const common = commonPasswords();
  const long = common.filter((one) => [...one].length >= 15);
  assert.ok(long.length > 0);
  for (const newPassword of [...long, ...common.slice(0, 20).map((word) => word.repeat(4))]) {
    const { status, body } = await ask(
      "PUT /api/session/password",
      { password, newPassword },
      bearer(token),
    );
    assert.deepEqual([status, body.errors?.[0].field], [400, "newPassword"], newPassword);
  }
});
