import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import PostalMime from "postal-mime";
import { startPlace } from "../place.ts";
import { create } from "../users/people.ts";
import { letterIn } from "./mailbox.ts";

const { organization, service } = await startPlace();
const { ask } = await organization("Without a mail server");
const folder = join(service.dataDir, "mail");

test("without SMTP_URL a letter is one .eml file that only its owner may read", async () => {
  const { id, email, username, password } = await create(ask, { loginUrl: "https://e.org/in" });
  const letter = await letterIn(ask, id, "sent");
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
