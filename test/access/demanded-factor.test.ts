import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { operations } from "../../contract/index.ts";
import { organizationOf } from "../../server/access/caller.ts";
import { openSession } from "../../server/access/sessions.ts";
import { findCaller } from "../../server/access/tokens.ts";
import { nobody, openOrganization } from "../../server/change/organization.ts";
import { openSeal } from "../../server/db/seal.ts";
import { proveMyself } from "../../server/users/second-factor.ts";
import { demandsNothing } from "../twins/second-factors.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { create } from "../users/people.ts";
import { askAs } from "../world/ask.ts";
import { startWorld, type World } from "../world/world.ts";
import { setUpApp } from "./factors.ts";
import { signInWithCookie, withCookie } from "./sessions.ts";

const signedIn = async (there: World, person: { email: string; password: string }) =>
  (await there.open("signIn", { login: person.email, password: person.password })).body;

/** An organization that demands a factor of administrators, and one of them who has none. */
const demanding = async (t: TestContext, twin?: Twin) => {
  const world = await startWorld(t, { twin });
  const tenant = await world.tenant({ rooms: 1 });
  await tenant.ask("editOrganization", { secondFactorFor: "administrators" });
  const admin = await create(tenant.ask, { admin: true });
  return { world, tenant, admin };
};

const keptOut = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { world, tenant, admin } = await demanding(t, twin);
  const { token, cookie } = await signInWithCookie(world.open, admin.email, admin.password);
  const renewed = await world.open("renewSession", undefined, withCookie(cookie));
  for (const own of [askAs(world.url, token), askAs(world.url, renewed.body.token)]) {
    for (const [id, input] of [
      ["listRooms", {}],
      ["listUsers", { role: "admin" }],
      ["changePassword", { password: "x", newPassword: "four quiet herons at dawn" }],
      ["joinRoom", { roomId: tenant.id }],
    ] as const) {
      assert.equal((await own(id, input)).body.code, "factor_to_set_up", id);
    }
    assert.equal((await own("whoAmI")).status, 200);
  }
};

test("people of whom a second factor is demanded can only set one up, also with a renewed token", (t) =>
  keptOut(t));

testTwin("a twin that does not keep them from anything is detected", (t) =>
  assert.rejects(keptOut(t, demandsNothing), { code: "ERR_ASSERTION" }),
);

test("somebody who becomes an administrator can only set one up, also in sessions that are open", async (t) => {
  const { world, tenant } = await demanding(t);
  const people = [await create(tenant.ask), await create(tenant.ask)] as const;
  const [own, other] = await Promise.all(
    people.map(async (person) => askAs(world.url, (await signedIn(world, person)).token)),
  );
  assert.ok(own && other);
  const { codes } = await setUpApp(other);
  assert.equal(codes.length, 10);
  for (const { id } of people) {
    assert.equal((await tenant.ask("editUser", { userId: id, admin: true })).status, 200);
  }
  assert.equal((await own("listRooms", {})).body.code, "factor_to_set_up");
  assert.equal((await other("listRooms", {})).status, 200);
  await setUpApp(own);
  assert.equal((await own("listRooms", {})).status, 200);
});

test("nobody stays at the setup of a second factor that is no longer demanded", async (t) => {
  const { world, tenant, admin } = await demanding(t);
  const person = await create(tenant.ask);
  const raised = askAs(world.url, (await signedIn(world, person)).token);
  const other = askAs(world.url, (await signedIn(world, admin)).token);
  await tenant.ask("editUser", { userId: person.id, admin: true });
  for (const own of [raised, other]) {
    assert.equal((await own("listRooms", {})).body.code, "factor_to_set_up");
  }
  await tenant.ask("editUser", { userId: person.id, admin: false });
  assert.equal((await raised("listRooms", {})).status, 200);
  assert.equal((await other("listRooms", {})).body.code, "factor_to_set_up");
  await tenant.ask("editOrganization", { secondFactorFor: "nobody" });
  assert.equal((await other("listRooms", {})).status, 200);
});

test("with the factor they can do everything, and cannot remove it; others are asked for nothing", async (t) => {
  const { world, tenant, admin } = await demanding(t);
  const member = await create(tenant.ask);
  const other = askAs(world.url, (await signedIn(world, member)).token);
  assert.equal((await other("listRooms", {})).status, 200);
  const own = askAs(world.url, (await signedIn(world, admin)).token);
  const { codes } = await setUpApp(own);
  assert.equal((await own("listRooms", {})).status, 200);
  assert.equal((await own("removeAuthenticator")).body.code, "factor_demanded");
  const { ticket } = await signedIn(world, admin);
  const entered = await world.open("signInWithFactor", { ticket, code: codes[0] ?? "" });
  assert.equal((await askAs(world.url, entered.body.token)("listRooms", {})).status, 200);
  await tenant.ask("editOrganization", { secondFactorFor: "nobody" });
  assert.equal((await own("removeAuthenticator")).status, 200);
  assert.equal((await own("listRooms", {})).status, 200);
});

test("somebody who becomes an administrator while their password is checked can only set one up", async (t) => {
  const { world, tenant } = await demanding(t);
  const person = await create(tenant.ask);
  const read = world.database.read.selectFrom("users").selectAll().where("id", "=", person.id);
  const checked = await read.executeTakeFirstOrThrow();
  assert.equal((await tenant.ask("editUser", { userId: person.id, admin: true })).status, 200);
  const { change } = openOrganization(world.database, tenant.id, nobody, { address: "192.0.2.1" });
  const { token } = await change((begun) =>
    openSession(begun, checked, { userAgent: undefined, by: "password" }),
  );
  const own = askAs(world.url, token);
  assert.equal((await own("listRooms", {})).body.code, "factor_to_set_up");
});

test("somebody who becomes an administrator while they prove who they are can only set one up", async (t) => {
  const { world, tenant } = await demanding(t);
  const { database, config } = world;
  const person = await create(tenant.ask);
  const { token } = await signedIn(world, person);
  const auth = (await findCaller(database, token)) ?? assert.fail();
  assert.equal((await tenant.ask("editUser", { userId: person.id, admin: true })).status, 200);
  const service = { database, seal: await openSeal(config), publicUrl: config.publicUrl };
  const proof = { password: person.password, devices: [] };
  await proveMyself(service, organizationOf(database, auth, operations.proveMyself), auth, proof);
  const own = askAs(world.url, token);
  assert.equal((await own("listRooms", {})).body.code, "factor_to_set_up");
});
