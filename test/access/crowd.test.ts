// Runs: postgres, waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { triesAtOnce } from "../twins/shares.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { create } from "../users/people.ts";
import { type Answer, askOnce } from "../world/ask.ts";
import { hold } from "../world/hold.ts";
import { until } from "../world/process.ts";
import { startWorld, type World } from "../world/world.ts";

const STRANGER = "192.0.2.1";

/** How many connections wait for a row that another transaction holds. */
const blocked = async ({ database }: World): Promise<number> => {
  const { rows } = await sql<{ readonly many: number }>`
    select count(*)::int as many from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(database.read);
  return rows[0]?.many ?? 0;
};

/** A hundred tries at a time from one address, while the row that counts them is held. */
const crowd = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin, environment: { TRUST_PROXY: "loopback" } });
  const tenant = await world.tenant();
  const { email: login, password } = await create(tenant.ask);
  const open = askOnce(world.url, undefined);
  const ask = askOnce(world.url, tenant.token);
  const guess = () =>
    open("signIn", { login: "nobody", password: "wrong" }, { "x-forwarded-for": STRANGER });
  assert.equal((await guess()).status, 401);
  const release = await hold(
    world.config.databaseUrl ?? "",
    "select key from throttles where key like 'address:%' for update",
  );
  /** Sends a request beside the crowd, again while a busy machine sheds it: the crowd holds one connection. */
  const served = async (request: () => Promise<Answer>): Promise<number> => {
    for (;;) {
      const { status, body } = await request();
      const waiting = await blocked(world);
      assert.ok(waiting <= 1, `${waiting} connections wait for the row`);
      if (body?.code !== "overloaded") return status;
    }
  };
  let isOn = true;
  const guessOn = async () => {
    while (isOn) assert.ok([401, 429, 503].includes((await guess()).status));
  };
  const guessing = Promise.all(Array.from({ length: 100 }, guessOn));
  try {
    await until("a try waits for the row", async () => (await blocked(world)) > 0);
    assert.equal(await served(() => ask("getOrganization")), 200, "a read");
    const room = { name: "Beside", roomOwnerId: tenant.admin.id };
    assert.equal(await served(() => ask("createRoom", room)), 201, "a change");
    const elsewhere = { "x-forwarded-for": "192.0.2.2" };
    const signIn = () => open("signIn", { login, password }, elsewhere);
    assert.equal(await served(signIn), 200, "a sign-in");
  } finally {
    isOn = false;
    await release();
    await guessing;
  }
};

test("any number of tries from one address leaves connections to PostgreSQL free for others", (t) =>
  crowd(t));

testTwin("a twin that counts tries at once is detected", async (t) => {
  await assert.rejects(crowd(t, triesAtOnce), { code: "ERR_ASSERTION" });
});
