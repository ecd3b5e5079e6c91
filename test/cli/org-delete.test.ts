import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readConfig } from "../../server/config/config.ts";
import { openDatabase } from "../../server/db/open.ts";
import { letterIn } from "../letters/mailbox.ts";
import { create } from "../users/people.ts";
import { askAs } from "../world/ask.ts";
import { emptyPlace } from "../world/empty-database.ts";
import { filesBelow, readIfThere } from "../world/files.ts";
import { openHouse } from "../world/house.ts";
import { startProcess } from "../world/process.ts";
import { onlyComplete } from "../world/seed.ts";
import { begin, type Environment, environmentOf, failure, value } from "./run.ts";

/** A service with two organizations, each with people, rooms, keys and emails. */
const started = async (t: TestContext) => {
  const { environment: env } = await openHouse(t);
  const service = await startProcess(t, env);
  const open = askAs(service.url, undefined);
  const organization = async (name: string) => {
    const { id } = await value(env, "org", "create", name);
    const { accessKey, secretAccessKey } = await value(env, "access-key", "create", "--org", name);
    const exchanged = await open("POST /api/siteSetting/getAuthToken", {
      accessKey,
      secretAccessKey,
    });
    const ask = askAs(service.url, exchanged.body.authToken.token);
    const ids: string[] = [id, accessKey];
    for (let n = 0; n < 3; n += 1) {
      const person = await create(ask);
      ids.push(person.id, person.email);
      await letterIn(ask, person.id, "sent");
      for (let rooms = 0; rooms < 2; rooms += 1) {
        const { body } = await ask("POST /api/roomSetting", {
          name: `Room of ${person.email}`,
          roomOwnerId: person.id,
        });
        ids.push(body.roomSetting._id ?? person.id);
      }
    }
    return { id, ask, ids };
  };
  return { env, gone: await organization("Gone"), stays: await organization("Stays") };
};

/** Every row of every table, and every email file, as one text. */
const everything = async (env: Environment) => {
  const { databaseUrl, dataDir } = readConfig(env);
  const database = await openDatabase({ databaseUrl, dataDir });
  try {
    const tables = await database.read.introspection.getTables();
    const rows = [];
    for (const { name } of tables) {
      rows.push(
        await database.read
          .selectFrom(name as "users")
          .selectAll()
          .execute(),
      );
    }
    assert.ok(rows.flat().length > 10);
    const mail = join(dataDir, "mail");
    // The service may be removing files.
    const files = filesBelow(mail).map((name) => readIfThere(join(mail, name)));
    return JSON.stringify([rows, files]);
  } finally {
    await database.close();
  }
};

test("org delete leaves nothing of the organization, and the running service keeps working", async (t) => {
  const { env, gone, stays } = await started(t);
  const before = await everything(env);
  for (const id of [...gone.ids, ...stays.ids]) assert.ok(before.includes(id), id);
  const { deleted, rooms, users, accessKeys, letters } = await value(
    env,
    ...["org", "delete", "Gone", "--yes"],
  );
  assert.deepEqual([deleted, rooms, users, accessKeys, letters], [true, 6, 3, 1, 3]);
  const after = await everything(env);
  for (const id of gone.ids) assert.ok(!after.includes(id), id);
  for (const id of stays.ids) assert.ok(after.includes(id), id);
  assert.equal((await gone.ask("GET /api/organization")).status, 401);
  const { body } = await stays.ask("GET /api/organization");
  assert.deepEqual(body.organization.used, { rooms: 6, users: 3 });
  await create(stays.ask);
  assert.match(await failure(1, env, "org", "delete", "Gone", "--yes"), /no organization "Gone"/);
});

test("org delete shows what it would delete, and deletes once the name is typed", {
  skip: onlyComplete,
}, async (t) => {
  const { env } = await started(t);
  assert.match(await failure(1, env, "org", "delete", "Gone"), /--yes is needed/);
  for (const answer of ["", "gone\n", "yes\n"]) {
    const { code, out, err } = await begin(env, ["org", "delete", "Gone"], answer).ended;
    assert.deepEqual([code, out], [1, ""]);
    assert.match(
      err,
      /"Gone" goes for good, with 6 rooms, 3 people, 1 access key, 3 emails, 0 recordings, 0 meetings, 0 webhooks, \d+ entries of the history\./,
    );
    assert.match(err, /Nothing is deleted: that is not the name "Gone"\.\n$/);
  }
  assert.equal((await value(env, "org", "list")).length, 3);
  const { code, out } = await begin(env, ["org", "delete", "Gone"], "Gone\n").ended;
  assert.deepEqual([code, out.startsWith('"Gone" is deleted, with 6 rooms')], [0, true]);
  assert.equal((await value(env, "org", "list")).length, 2);
});

test("org delete does not count former people whose rooms are still to be cleaned up", async (t) => {
  const place = await emptyPlace(t);
  const env = environmentOf(place);
  await value(env, "migrate");
  await value(env, "org", "create", "Gone");
  for (const name of ["ann", "bob"]) {
    const email = `${name}@example.org`;
    await value(
      env,
      ...["user", "create-admin", "--org", "Gone", "--email", email, "--name", name],
    );
  }
  const database = await openDatabase(place);
  // The state that a killed service leaves.
  await database.change((tx) =>
    tx
      .updateTable("users")
      .set({ gone_at: "2026-01-31T09:30:00.000Z", account_deleted: true })
      .where("email", "=", "bob@example.org")
      .execute(),
  );
  await database.close();
  const { users } = await value(env, "org", "delete", "Gone", "--yes");
  assert.equal(users, 1);
  const after = await openDatabase(place);
  assert.deepEqual(await after.read.selectFrom("users").select("id").execute(), []);
  await after.close();
});
