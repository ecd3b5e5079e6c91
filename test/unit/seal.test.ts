import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { checkSeal, openSeal, SealError } from "../../server/db/seal.ts";
import { emptyDatabase } from "../world/empty-database.ts";

const emptyFolder = async (t: TestContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "parley-seal-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "data");
};

test("processes that start at once make one key, readable by its owner only", async (t) => {
  const dataDir = await emptyFolder(t);
  const seals = await Promise.all(
    Array.from({ length: 20 }, () => openSeal({ secret: undefined, dataDir })),
  );
  const sealed = seals[0]?.seal("häl\u{1f511}lo", "a") ?? "";
  for (const seal of seals) assert.equal(seal.open(sealed, "a"), "häl\u{1f511}lo");
  assert.deepEqual(await readdir(dataDir), ["secret.key"]);
  assert.equal((await stat(join(dataDir, "secret.key"))).mode & 0o777, 0o600);
  assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
});

test("a sealed text opens only whole, with its key and where it belongs", async () => {
  const seal = await openSeal({ secret: "ab".repeat(32), dataDir: "" });
  const other = await openSeal({ secret: "cd".repeat(32), dataDir: "" });
  const sealed = seal.seal("text", "letter:1");
  assert.notEqual(sealed, seal.seal("text", "letter:1"));
  assert.throws(() => seal.open(sealed, "letter:2"), SealError);
  assert.throws(() => other.open(sealed, "letter:1"), SealError);
  for (const damaged of [
    "",
    "v1",
    "v1..",
    sealed.slice(0, -2),
    `v2${sealed.slice(2)}`,
    `${sealed}.x`,
  ]) {
    assert.throws(() => seal.open(damaged, "letter:1"), SealError);
  }
});

test("a key file without 64 hexadecimal digits is refused by its name", async (t) => {
  const dataDir = await emptyFolder(t);
  await openSeal({ secret: undefined, dataDir });
  await writeFile(join(dataDir, "secret.key"), "not a key");
  await assert.rejects(
    openSeal({ secret: undefined, dataDir }),
    /secret\.key does not hold 64 hexadecimal digits/,
  );
});

test("a database accepts only the key that it was created with", async (t) => {
  const database = await emptyDatabase(t);
  const seal = await openSeal({ secret: "ab".repeat(32), dataDir: "" });
  const other = await openSeal({ secret: "cd".repeat(32), dataDir: "" });
  await Promise.all([1, 2, 3].map(() => database.change((tx) => checkSeal(tx, seal))));
  await assert.rejects(
    database.change((tx) => checkSeal(tx, other)),
    /^SealError: PARLEY_SECRET does not open what is stored/,
  );
  await database.change((tx) => checkSeal(tx, seal));
});
