import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { emptyPlace } from "../world/empty-database.ts";
import { startProcess, until } from "../world/process.ts";
import { type Environment, environmentOf, parley, secret } from "./command-line.ts";
import { fill, opened } from "./rows.ts";

test("P-OPS-9: restore --new-key brings everything back without the lost key, except emails that were not sent", async (t) => {
  const from = await emptyPlace(t);
  await fill(from, 7);
  const email = "ann@example.org";
  // A second letter, that was refused, could be tried again.
  await opened(from, async ({ change }) => {
    await change(async (tx) => {
      const letter = await tx.selectFrom("letters").selectAll().executeTakeFirstOrThrow();
      const refused = { ...letter, id: "refused", state: "refused" as const };
      await tx.insertInto("letters").values(refused).execute();
      await tx
        .updateTable("users")
        .set({ email, email_key: email })
        .where("id", "=", "u1")
        .execute();
    });
  });
  const file = join(from.dataDir, "backup.db");
  assert.equal((await parley(environmentOf(from), "backup", file)).code, 0);

  const place = await emptyPlace(t);
  const env: Environment = { ...environmentOf(place), PARLEY_SECRET: "cd".repeat(32) };
  const refused = await parley(env, "restore", file, "--yes");
  assert.equal(refused.code, 1);
  assert.match(refused.said, /does not open what is stored/);
  const restored = await parley(env, "restore", file, "--yes", "--new-key", "--send-letters");
  assert.equal(restored.code, 0, restored.said);
  assert.deepEqual([restored.value.lettersWithdrawn, restored.value.lettersWaiting], [2, 0]);
  await opened(place, async ({ read }) => {
    const letters = await read.selectFrom("letters").select(["state", "content"]).execute();
    for (const { state, content } of letters)
      assert.deepEqual([state, content], ["withdrawn", null]);
    assert.equal(letters.length, 2);
    assert.equal((await read.selectFrom("rooms").select("id").execute()).length, 7);
  });
  // The service works with the new key, and with no other.
  const settings: Environment = { ...env, PORT: "0", DRAIN_SECONDS: "0" };
  const service = await startProcess(t, settings);
  assert.deepEqual(await service.end(), { code: 0, signal: null });
  await assert.rejects(
    startProcess(t, { ...settings, PARLEY_SECRET: secret }),
    /does not open what is stored/,
  );
  const reset = await parley(env, "user", "reset-password", email, "--letter");
  assert.equal(reset.code, 0, reset.said);
  await startProcess(t, settings);
  const mail = () => readdir(join(place.dataDir, "mail")).catch(() => []);
  await until("the new email leaves", async () => (await mail()).length === 1);
});
