// Runs: postgres, complete

import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { askOnce } from "../world/ask.ts";
import { addPeople } from "../world/many.ts";
import { startWorld } from "../world/world.ts";
import { openHostile } from "./hostile.ts";

const world = await startWorld(test, { environment: { ALLOWED_NETWORKS: "loopback" } });

test("the provider of twenty thousand people who are signed in is removed by one request", async (t) => {
  const { tenant, id } = await openHostile(t, world);
  for (let n = 0; n < 20; n += 1) {
    await addPeople(
      tenant,
      Array.from({ length: 1_000 }, () => ({})),
    );
  }
  const client = new Client({ connectionString: world.config.databaseUrl });
  await client.connect();
  t.after(() => client.end());
  await client.query(`
    insert into tokens
      (digest, purpose, organization_id, user_id, created_at, expires_at, session, level)
    select u.id || p, p, organization_id, u.id, parley_now(0), parley_now(36000000), u.id, 'password'
    from users u, unnest(array['access', 'renewal']) p where organization_id = '${tenant.id}'`);
  await client.query(`
    insert into provider_sessions (session, provider_id, user_id, subject, ends_at)
    select id, '${id}', id, id, parley_now(36000000)
    from users where organization_id = '${tenant.id}'`);
  const own = tenant.token;
  const { status } = await askOnce(world.url, own)("removeProvider", { id });
  assert.equal(status, 200);
  const { rows } = await client.query("select count(*) from tokens where session is not null");
  assert.equal(Number(rows[0].count), 0);
});
