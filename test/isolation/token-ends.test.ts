// Runs: postgres-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { now } from "../../server/db/now.ts";
import { remembersCallers } from "../twins/open-doors.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { askAs, bearer } from "../world/ask.ts";
import { addRooms } from "../world/many.ts";
import { until } from "../world/process.ts";
import { count } from "../world/seed.ts";
import type { Tenant } from "../world/tenant.ts";
import { startWorld } from "../world/world.ts";

const sendsOn: Twin = {
  name: "sends a long answer to its end",
  replaced: [{ file: "http/answer.ts", lines: "await look();", by: "" }],
};

/** Events that end an account's access. */
const ends = {
  suspended: (tenant: Tenant, userId: string) =>
    tenant.ask("suspendRestoreUser", { userId, action: "suspend" }),
  revoked: (tenant: Tenant, userId: string) => tenant.ask("revokeUsers", [{ userId }]),
  "given a new password": (tenant: Tenant, userId: string) =>
    tenant.ask("resetPassword", { userId }),
  "deleted for good": async (tenant: Tenant, userId: string) => {
    await tenant.ask("revokeUsers", [{ userId }]);
    return tenant.ask("deleteUsers", [userId]);
  },
};

const FIFTY = 50;

/** After the answer of A, sends fifty requests to B, and counts how many are still let in. */
const accepted = async (
  second: string,
  tenant: Tenant,
  email: string,
  end: keyof typeof ends,
): Promise<number> => {
  const { id } = await tenant.addPerson(email);
  const ask = askAs(second, await tenant.tokenOf(id));
  // B has seen the token before.
  assert.equal((await ask("whoAmI", {})).status, 200);
  const { status } = await ends[end](tenant, id);
  assert.equal(status, 200);
  const answers = await Promise.all(Array.from({ length: FIFTY }, () => ask("listRooms", {})));
  return answers.filter(({ status }) => status !== 401).length;
};

const endEach = async (t: TestContext, rounds: number, twin?: Twin) => {
  const world = await startWorld(t, { twin });
  const second = await world.second();
  const tenant = await world.tenant();
  for (let n = 0; n < rounds; n += 1) {
    for (const end of Object.keys(ends) as (keyof typeof ends)[]) {
      const some = await accepted(second, tenant, `${end.replace(/ .*/, "")}${n}@example.org`, end);
      assert.equal(some, 0, `${some} requests were let in after the account was ${end}`);
    }
  }
  t.diagnostic(`${rounds * 4 * FIFTY} requests right after the end, 0 let in`);
};

test("P-TOK-5: a token ends with the answer that ends its holder's access, on every process", (t) =>
  endEach(t, count(2, 40, 1)));

testTwin(
  "P-TOK-5: a twin that remembers callers, so that tokens end late, is detected",
  async (t) => {
    await assert.rejects(endEach(t, 1, remembersCallers), { code: "ERR_ASSERTION" });
  },
);

/** More than the buffers of both systems hold, so that most of it is read after the first piece was received. */
const ROOMS = 4_000;

type World = Awaited<ReturnType<typeof startWorld>>;

/**
 * Something happens to a reader while a long answer is on its way.
 *
 * @returns whether the answer was read to its end
 */
const readsToTheEnd = async (
  world: World,
  happens: (tenant: Tenant, userId: string) => Promise<unknown>,
): Promise<boolean> => {
  const tenant = await world.tenant();
  await addRooms(tenant, ROOMS, ["R"], [tenant.admin.id], { roomAgenda: "x".repeat(4_000) });
  const { id } = await tenant.addPerson(`${tenant.id}@example.org`, { admin: true });
  const headers = bearer(await tenant.tokenOf(id));
  const answer = await fetch(`${world.url}/api/roomSetting/paginated?limit=${ROOMS}`, { headers });
  assert.equal(answer.status, 200);
  const reader = answer.body?.getReader();
  await reader?.read();
  await happens(tenant, id);
  // A long answer looks up its caller at most once a second.
  await sleep(1_000);
  try {
    while (!(await reader?.read())?.done);
    return true;
  } catch (error) {
    assert.equal((error as Error).message, "terminated");
    return false;
  }
};

test("P-TOK-5: a long answer is cut when its reader's access ends, and not when only the token expires", async (t) => {
  const world = await startWorld(t);
  const expire = (_: Tenant, userId: string) =>
    world.database.change((tx) =>
      tx.updateTable("tokens").set({ expires_at: now() }).where("user_id", "=", userId).execute(),
    );
  assert.equal(await readsToTheEnd(world, ends.suspended), false);
  assert.equal(await readsToTheEnd(world, expire), true);
});

testTwin("P-TOK-5: a twin that sends long answers to their end is detected", async (t) => {
  const world = await startWorld(t, { twin: sendsOn });
  assert.equal(await readsToTheEnd(world, ends.suspended), true);
});

test("P-TOK-6: tokens from before a suspension, revocation or reset stay invalid afterwards", async (t) => {
  const world = await startWorld(t);
  const tenant = await world.tenant();
  const again: Record<string, (userId: string) => Promise<unknown>> = {
    suspended: (userId) => tenant.ask("suspendRestoreUser", { userId, action: "restore" }),
    revoked: (userId) => tenant.ask("reactivateUser", { userId }),
    "given a new password": async () => {},
  };
  for (const [end, restore] of Object.entries(again)) {
    const { id } = await tenant.addPerson(`${end.replace(/ .*/, "")}@example.org`);
    const old = askAs(world.url, await tenant.tokenOf(id));
    assert.equal((await old("whoAmI", {})).status, 200);
    await ends[end as keyof typeof ends](tenant, id);
    await restore(id);
    assert.equal((await old("whoAmI", {})).status, 401, end);
    const fresh = askAs(world.url, await tenant.tokenOf(id));
    assert.equal((await fresh("whoAmI", {})).status, 200, end);
  }
});

test("P-TOK-7: access keys are exchanged for new ones under load without one failure", async (t) => {
  const world = await startWorld(t);
  const second = await world.second();
  const tenant = await world.tenant();
  const exchange = async (url: string, key: object) => {
    const { body } = await askAs(url, undefined)("getAuthToken", key);
    return body.authToken.token as string;
  };
  const make = async () => {
    const { accessKey, secretAccessKey } = (await tenant.ask("createAccessKey")).body.accessKey;
    return { accessKey, secretAccessKey };
  };
  let key = await make();
  let token = await exchange(second, key);
  let working = true;
  let asked = 0;
  /** The tokens with which the two send requests. */
  const underWay: string[] = [];
  const load = async (url: string, at: number) => {
    while (working) {
      underWay[at] = token;
      const { status } = await askAs(url, token)("listRooms", {});
      assert.equal(status, 200);
      asked += 1;
    }
  };
  const loads = [world.url, second].map(load);
  for (let n = 0; n < count(3, 30, 1); n += 1) {
    const [oldKey, oldToken] = [key, token];
    key = await make();
    token = await exchange(world.url, key);
    await until("nobody asks with the old token", () => !underWay.includes(oldToken));
    assert.equal((await tenant.ask("removeAccessKey", { id: oldKey.accessKey })).status, 200);
    for (const url of [world.url, second]) {
      assert.equal((await askAs(url, oldToken)("listRooms", {})).status, 401);
      assert.equal((await askAs(url, undefined)("getAuthToken", oldKey)).status, 401);
    }
  }
  working = false;
  await Promise.all(loads);
  t.diagnostic(`${asked} requests meanwhile, 0 failed`);
});
