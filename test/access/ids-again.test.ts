// Runs: both

import assert from "node:assert/strict";
import { test } from "node:test";
import { hashPassword } from "../../server/access/passwords.ts";
import { addUser } from "../../server/users/create.ts";
import { until } from "../world/process.ts";
import type { Tenant } from "../world/tenant.ts";
import { startWorld } from "../world/world.ts";
import { deviceOf } from "./sessions.ts";

/* The ID of a person who was deleted permanently may come back with an import, also in another organization. */

const { tenant, open, database } = await startWorld(test, {
  environment: { TRUST_PROXY: "loopback" },
});

const PASSWORD = "four quiet herons at dawn";

/** Adds a person with this ID, as an import does. */
const add = async ({ change }: Tenant, id: string, email: string) => {
  const digest = await hashPassword(PASSWORD);
  return change((begun) => addUser(begun, { id, email, name: "Ann" }, { password: "", digest }));
};

const signIn = (login: string, from = "192.0.2.1", more = {}) =>
  open("signIn", { login, password: PASSWORD }, { "x-forwarded-for": from, ...more });

const deletePerson = async ({ ask }: Tenant, id: string): Promise<void> => {
  await ask("revokeUsers", [{ userId: id }]);
  assert.equal((await ask("deleteUsers", [id])).status, 200);
  const row = () =>
    database.read.selectFrom("users").select("id").where("id", "=", id).executeTakeFirst();
  await until("the last of the person is erased", async () => (await row()) === undefined);
};

test("the ticket of a deleted account opens no account that gets its ID", async () => {
  const [one, other] = [await tenant(), await tenant()];
  const { email } = await add(one, "again", "ticket-one@example.org");
  await one.ask("editUser", { userId: "again", mustChoosePassword: true });
  const { ticket } = (await signIn(email)).body;
  await deletePerson(one, "again");
  const { id } = await add(other, "again", "ticket-other@example.org");
  assert.equal(id, "again");
  const newPassword = "five quiet herons at dawn";
  const { body } = await open("signInWithNewPassword", { ticket, newPassword });
  assert.equal(body.code, "session_ended");
  assert.equal((await signIn("ticket-other@example.org")).status, 200);
});

test("a device of a deleted account is none of an account that gets its ID", async () => {
  const [one, other] = [await tenant(), await tenant()];
  const { email } = await add(one, "device", "device-one@example.org");
  const cookie = deviceOf(await signIn(email));
  await deletePerson(one, "device");
  await add(other, "device", "device-other@example.org");
  await signIn("device-other@example.org");
  await signIn("device-other@example.org", "198.51.100.7", { cookie });
  const { letters } = (await other.ask("listLetters", { limit: 100 })).body;
  const kinds = letters.map(({ kind }: { readonly kind: string }) => kind);
  assert.deepEqual(kinds, ["new-sign-in"]);
});
