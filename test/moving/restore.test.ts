// Runs: both

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { NewAccessKey } from "../../server/access/access-keys.ts";
import { askAs } from "../world/ask.ts";
import { emptyPlace } from "../world/empty-database.ts";
import { emailsIn } from "../world/files.ts";
import { until } from "../world/process.ts";
import type { TestOrganization } from "../world/tenant.ts";
import { startWorld, type World } from "../world/world.ts";
import { type Environment, environmentOf, parley } from "./command-line.ts";

/** The service's answers about everything that it stores, to the holder of an access key. */
const answers = async ({ open, url }: World, accessKey: NewAccessKey): Promise<string[]> => {
  const exchanged = await open("getAuthToken", accessKey);
  const ask = askAs(url, exchanged.body.authToken.token);
  const paths = [
    "/api/roomSetting/paginated",
    "/api/roomSetting/board",
    "/api/user/fetchOrgUsers",
    "/api/user/fetchDeletedOrgUsers",
    "/api/accessKey",
  ];
  const answered = paths.map(async (path) => `${path} ${(await ask(`GET ${path}`)).text}`);
  // The key has just been used.
  return (await Promise.all(answered)).map((text) => text.replace(/"lastUsedAt":"[^"]+"/, ""));
};

const makeSomething = async ({ ask }: TestOrganization): Promise<void> => {
  const people = await Promise.all(
    ["ann", "bob"].map((name) =>
      ask("createUser", { name, email: `${name}@example.org`, loginUrl: "https://example.org/" }),
    ),
  );
  const [ann, bob] = people.map(({ body }) => body.user.id as string);
  const room = {
    name: "Board 😀",
    room: "board",
    roomOwnerId: ann,
    roomAgenda: 'a\n"b"',
    roomPassword: null,
  };
  assert.equal((await ask("createRoom", room)).status, 201);
  assert.equal((await ask("revokeUsers", [{ userId: bob }])).status, 200);
};

/** No mail server listens there: letters wait. */
const away = { SMTP_URL: "smtp://127.0.0.1:9?tls=none" };

test("P-OPS-9: a restored service answers as it did, and sends no letter that was waiting", async (t) => {
  const first = await startWorld(t, { environment: away });
  const made = await first.organization();
  await makeSomething(made);
  const before = await answers(first, made.accessKey);
  const file = join(first.config.dataDir, "backup.db");
  assert.equal((await parley(first.environment, "backup", file)).code, 0);

  // Another installation with the same key.
  const place = await emptyPlace(t);
  const env: Environment = {
    ...first.environment,
    ...environmentOf(place),
    PARLEY_SECRET: first.environment.PARLEY_SECRET ?? "",
    SMTP_URL: "",
  };
  const { code, value, said } = await parley(env, "restore", file, "--yes");
  assert.equal(code, 0, said);
  // Bob's letter was withdrawn when he was revoked.
  assert.equal(value.lettersWithdrawn, 1);
  assert.ok(value.tokensEnded >= 1);
  const second = await startWorld(t, { place: env });
  assert.equal((await made.askAt(second.url)("listAccessKeys")).status, 401);
  assert.deepEqual(await answers(second, made.accessKey), before);
  // The next letter leaves, and none before it.
  const { body } = await second.open("getAuthToken", made.accessKey);
  const person = { name: "eve", email: "eve@example.org", loginUrl: "https://example.org/" };
  await askAs(second.url, body.authToken.token)("createUser", person);
  await until("the next letter leaves", () => emailsIn(place.dataDir).length > 0);
  const texts = emailsIn(place.dataDir).map((name) =>
    readFile(join(place.dataDir, "mail", name), "utf8"),
  );
  assert.deepEqual(
    (await Promise.all(texts)).map((text) => /^To: .*$/m.exec(text)?.[0]),
    ["To: eve@example.org"],
  );
});

test("P-OPS-9: letters that were waiting are sent after a restore on request", async (t) => {
  const first = await startWorld(t, { environment: away });
  const made = await first.organization();
  await makeSomething(made);
  const file = join(first.config.dataDir, "backup.db");
  assert.equal((await parley(first.environment, "backup", file)).code, 0);
  // Makes them due soon: each failed delivery is followed by a pause.
  const backup = new DatabaseSync(file);
  backup.exec("update letters set due_at = '2026-01-01T00:00:00.000Z'");
  backup.close();
  const place = await emptyPlace(t);
  const env = {
    ...first.environment,
    ...environmentOf(place),
    PARLEY_SECRET: first.environment.PARLEY_SECRET ?? "",
    SMTP_URL: "",
  };
  const { value } = await parley(env, "restore", file, "--yes", "--send-letters");
  assert.deepEqual([value.lettersWithdrawn, value.lettersWaiting], [0, 1]);
  await startWorld(t, { place: env });
  await until("the letter is sent", () => emailsIn(place.dataDir).length > 0);
  assert.equal(emailsIn(place.dataDir).length, 1);
});
