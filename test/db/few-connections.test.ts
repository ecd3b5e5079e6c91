// Runs: postgres

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import { Client } from "pg";
import { openHouse } from "../world/house.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";

const AT_ONCE = 60;

/** Works as the server's administrator. */
const asOwner = async (work: (owner: Client) => Promise<unknown>): Promise<void> => {
  const owner = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await owner.connect();
  try {
    await work(owner);
  } finally {
    await owner.end();
  }
};

/** A role with the rights of the service's, and so many connections. @returns the URL for it */
const limitedRole = async (t: TestContext, databaseUrl: string, most: number) => {
  const role = `few_${randomBytes(6).toString("hex")}`;
  await asOwner(async (owner) => {
    await owner.query(
      `create role ${role} login password '${role}' connection limit ${most} in role parley`,
    );
    await owner.query(`alter role ${role} set role to parley`);
  });
  // After the service: a role that is connected cannot be removed.
  t.after(() => asOwner((owner) => owner.query(`drop role if exists ${role}`)));
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = role;
  return { role, url: url.href };
};

test("where a role allows fewer connections than the service wants, requests wait and none fails", async (t) => {
  const house = await openHouse(t);
  const tenant = await house.beside((beside) => beside.tenant());
  const { url } = await limitedRole(t, house.environment.DATABASE_URL ?? "", 4);
  const world = await startWorld(t, { place: { ...house.environment, DATABASE_URL: url } });
  const ask = tenant.askAt(world.url);
  for (let round = 0; round < 2; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) =>
        n % 2 === 0
          ? ask("createRoom", { name: `Room ${round} ${n}`, roomOwnerId: tenant.admin.id })
          : ask("listRooms", {}),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map((_, n) => (n % 2 === 0 ? 201 : 200)),
    );
  }
});

test("when a role may have more connections again, the service uses them", async (t) => {
  const house = await openHouse(t);
  const tenant = await house.beside((beside) => beside.tenant());
  const { role, url } = await limitedRole(t, house.environment.DATABASE_URL ?? "", 4);
  const world = await startWorld(t, { place: { ...house.environment, DATABASE_URL: url } });
  const ask = tenant.askAt(world.url);
  const together = () => Promise.all(Array.from({ length: AT_ONCE }, () => ask("listRooms", {})));
  await together();
  await asOwner((owner) => owner.query(`alter role ${role} connection limit -1`));
  let open = 0;
  await until("more connections are used", async () => {
    await together();
    await asOwner(async (owner) => {
      const { rows } = await owner.query("select 1 from pg_stat_activity where usename = $1", [
        role,
      ]);
      open = rows.length;
    });
    return open > 4;
  });
});

test("a process has DATABASE_CONNECTIONS connections, and one that listens", async (t) => {
  const house = await openHouse(t, { environment: { DATABASE_CONNECTIONS: "3" } });
  const tenant = await house.beside((beside) => beside.tenant());
  const { role, url } = await limitedRole(t, house.environment.DATABASE_URL ?? "", -1);
  const world = await startWorld(t, { place: { ...house.environment, DATABASE_URL: url } });
  const ask = tenant.askAt(world.url);
  await Promise.all(Array.from({ length: AT_ONCE }, () => ask("listRooms", {})));
  await asOwner((owner) =>
    // Connections that prepared the tables have ended, but the server may still show them.
    until("all are counted", async () => {
      const { rows } = await owner.query("select query from pg_stat_activity where usename = $1", [
        role,
      ]);
      const listening = rows.filter(({ query }) => /^listen/i.test(query));
      return listening.length === 1 && rows.length === 4;
    }),
  );
});
