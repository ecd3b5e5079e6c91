import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { emptyPlace } from "../world/empty-database.ts";
import { fetchJson } from "../world/fetch-json.ts";
import { type Service, startService } from "../world/service.ts";
import { type Environment, environmentOf, parley } from "./command-line.ts";

/** What a service answers about all that it stores. */
const answers = async (service: Service): Promise<string[]> => {
  const token = await service.token();
  const paths = [
    "/api/roomSetting/paginated",
    "/api/roomSetting/board",
    "/api/user/fetchOrgUsers",
    "/api/user/fetchDeletedOrgUsers",
    "/api/accessKey",
  ];
  return await Promise.all(
    paths.map(async (path) => `${path} ${(await fetchJson(service, "GET", path, { token })).text}`),
  );
};

const makeSomething = async (service: Service): Promise<void> => {
  const token = await service.token();
  const people = await Promise.all(
    ["ann", "bob"].map((name) =>
      fetchJson(service, "POST", "/api/user/orgUser", {
        token,
        body: { name, email: `${name}@example.org`, loginUrl: "https://example.org/" },
      }),
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
  assert.equal(
    (await fetchJson(service, "POST", "/api/roomSetting", { token, body: room })).status,
    201,
  );
  assert.equal(
    (
      await fetchJson(service, "POST", "/api/user/revokeOrgUsers", {
        token,
        body: [{ userId: bob }],
      })
    ).status,
    200,
  );
};

const letters = (dataDir: string) => readdir(join(dataDir, "mail")).catch(() => []);

test("P-OPS-9: a restored service answers as it did, and sends no letter that was waiting", async (t) => {
  const first = await startService({ env: { SMTP_URL: "smtp://127.0.0.1:9?tls=none" } });
  t.after(() => first.stop());
  await makeSomething(first);
  const before = await answers(first);
  const file = join(first.dataDir, "backup.db");
  assert.equal((await parley(first.env, "backup", file)).code, 0);

  // Another installation, with the same key.
  const place = await emptyPlace(t);
  const env: Environment = {
    ...first.env,
    ...environmentOf(place),
    PARLEY_SECRET: first.env.PARLEY_SECRET ?? "",
    SMTP_URL: "",
  };
  const { code, value, said } = await parley(env, "restore", file, "--yes");
  assert.equal(code, 0, said);
  // Bob's was withdrawn when he was revoked.
  assert.equal(value.lettersWithdrawn, 1);
  assert.ok(value.tokensEnded >= 1);
  const second = await startService({ on: { ...first, env } });
  t.after(() => second.stop());
  assert.equal(
    (await fetchJson(second, "GET", "/api/accessKey", { token: await first.token() })).status,
    401,
  );
  assert.deepEqual(await answers(second), before);
  await sleep(300);
  assert.deepEqual(await letters(place.dataDir), []);
});

test("P-OPS-9: letters that were waiting are sent after a restore where that is asked for", async (t) => {
  const first = await startService({ env: { SMTP_URL: "smtp://127.0.0.1:9?tls=none" } });
  t.after(() => first.stop());
  await makeSomething(first);
  const file = join(first.dataDir, "backup.db");
  assert.equal((await parley(first.env, "backup", file)).code, 0);
  // Due again soon: each failed delivery is followed by a pause.
  const backup = new DatabaseSync(file);
  backup.exec("update letters set due_at = '2026-01-01T00:00:00.000Z'");
  backup.close();
  const place = await emptyPlace(t);
  const env = {
    ...first.env,
    ...environmentOf(place),
    PARLEY_SECRET: first.env.PARLEY_SECRET ?? "",
    SMTP_URL: "",
  };
  const { value } = await parley(env, "restore", file, "--yes", "--send-letters");
  assert.deepEqual([value.lettersWithdrawn, value.lettersWaiting], [0, 1]);
  const second = await startService({ on: { ...first, env } });
  t.after(() => second.stop());
  for (let n = 0; n < 100 && (await letters(place.dataDir)).length === 0; n += 1) await sleep(50);
  assert.equal((await letters(place.dataDir)).length, 1);
});
