import assert from "node:assert/strict";
import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import PostalMime from "postal-mime";
import { openSeal } from "../../server/db/seal.ts";
import { postLetter } from "../../server/mail/outbox.ts";
import { removeOver } from "../../server/mail/tidy.ts";
import { create } from "../users/people.ts";
import { emptyDatabase, user } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { letterIn } from "./mailbox.ts";

const { organization, config } = await startWorld(test);
const { ask } = await organization("Without a mail server");
const folder = join(config.dataDir, "mail");

test("without SMTP_URL a letter is one .eml file that only its owner may read", async () => {
  const { id, email, username, password } = await create(ask, { loginUrl: "https://e.org/in" });
  const letter = await letterIn(ask, id, "sent");
  assert.equal(letter.sentTo, "file");
  const files = (await readdir(folder)).filter((name) => name.includes(letter.id));
  assert.equal(files.length, 1);
  assert.match(files[0] ?? "", /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-[0-9a-f-]{36}\.eml$/);
  const path = join(folder, files[0] ?? "");
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  const parsed = await PostalMime.parse(await readFile(path));
  assert.deepEqual(parsed.to, [{ address: email, name: "" }]);
  for (const part of [username, password, "https://e.org/in"]) {
    assert.ok(parsed.text?.includes(part) && parsed.html?.includes(part), part);
  }
});

test("the files sort in the order in which the letters were posted, and no draft is left", async () => {
  const { id, email } = await create(ask);
  await letterIn(ask, id, "sent");
  await ask("POST /api/user/adminPwdreset", { userId: id });
  await letterIn(ask, id, "sent", "password-reset");
  const files = (await readdir(folder)).sort();
  assert.ok(files.every((name) => !name.startsWith(".")));
  const subjects = [];
  for (const name of files) {
    const parsed = await PostalMime.parse(await readFile(join(folder, name)));
    if (parsed.to?.[0]?.address === email) subjects.push(parsed.subject);
  }
  assert.deepEqual(subjects, ["Your Parley account", "Your new Parley password"]);
});

const filesTo = async (email: string): Promise<readonly string[]> => {
  const names = await readdir(folder);
  const files = names.map(async (name) => {
    const raw = await readFile(join(folder, name), "utf8").catch(() => "");
    return raw.includes(email) ? [name] : [];
  });
  return (await Promise.all(files)).flat();
};

const noFilesTo = (email: string): Promise<unknown> =>
  until("the files are gone", async () => (await filesTo(email)).length === 0);

test("after a permanent deletion no row and no file names the address", async () => {
  const gone = await create(ask);
  const stays = await create(ask);
  for (const { id } of [gone, stays]) await letterIn(ask, id, "sent");
  assert.equal((await filesTo(gone.email)).length, 1);
  await ask("POST /api/user/revokeOrgUsers", [{ userId: gone.id }]);
  await ask("POST /api/user/permDeleteOrgUsers", [gone.id]);
  assert.doesNotMatch(
    JSON.stringify((await ask("GET /api/letter?limit=100")).body),
    new RegExp(gone.email),
  );
  await noFilesTo(gone.email);
  assert.equal((await filesTo(stays.email)).length, 1);
  await letterIn(ask, stays.id, "sent");
});

test("email files are removed after MAIL_FILE_DAYS, and so are those whose letter is gone", async (t) => {
  const { config, database, organization } = await startWorld(t, {
    environment: { MAIL_FILE_DAYS: "2" },
  });
  const mail = join(config.dataDir, "mail");
  const { ask } = await organization();
  const [old, young] = [await create(ask), await create(ask)];
  const letters = [];
  for (const { id } of [old, young]) letters.push((await letterIn(ask, id, "sent")).id);
  const names = (await readdir(mail)).sort();
  const nameOf = (id: string) => names.find((name) => name.includes(id)) ?? assert.fail(id);
  const before = (days: number) => new Date(Date.now() - days * 86_400_000);
  const [oldName, youngName] = letters.map(nameOf);
  await utimes(join(mail, oldName ?? ""), before(3), before(3));
  await utimes(join(mail, youngName ?? ""), before(1), before(1));
  const orphan = "2026-01-31T09-30-00.000Z-01a1fc08-7e28-77ec-856b-4e89f4538e28.eml";
  for (const name of [orphan, `.${orphan}`, "notes.txt"]) await writeFile(join(mail, name), "x");
  await removeOver(database, config, () => false);
  assert.deepEqual((await readdir(mail)).sort(), [youngName, "notes.txt"].sort());
});

test("rows of letters that ended long ago are removed, others stay", async (t) => {
  const database = await emptyDatabase(t);
  const seal = await openSeal({ secret: "ab".repeat(32), dataDir: "" });
  const added = (at: string, state: "sent" | "waiting") =>
    database.change(async (tx) => {
      const whose = { organizationId: "o1", userId: "u1", recipient: "a", credentials: 0 };
      const content = {
        ...({ language: "en", name: "", loginUrl: "", username: "", password: "" } as const),
      };
      const posted = await postLetter({ tx, leaveWork() {} }, seal, {
        ...whose,
        kind: "welcome",
        content,
      });
      await tx
        .updateTable("letters")
        .set({ created_at: at, state })
        .where("id", "=", posted)
        .execute();
      return posted;
    });
  await database.change((tx) => tx.insertInto("users").values(user("u1")).execute());
  const time = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  await added(time(91), "sent");
  const waiting = await added(time(92), "waiting");
  const young = await added(time(89), "sent");
  await removeOver(database, { dataDir: "/nowhere", mailFileDays: 1 }, () => false);
  const left = await database.read.selectFrom("letters").select("id").orderBy("id").execute();
  assert.deepEqual(
    left.map(({ id }) => id),
    [waiting, young],
  );
});
