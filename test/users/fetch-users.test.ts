import assert from "node:assert/strict";
import { test } from "node:test";
import { bearer } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";
import { fetchPromises } from "./fetch-promises.ts";
import { create, createSignedIn, revoke, suspend } from "./people.ts";

const { open, organization } = await startWorld(test);
const own = await organization("Fetching");
const { ask } = own;
const request = "POST /api/user/fetchOrgUsers";

fetchPromises({ request, revoked: false, organization: own });

test("an entry has exactly its fourteen keys, without rooms and roomIds", async () => {
  const { password, ...person } = await create(ask, { role: "shape", displayRating: true });
  await ask("POST /api/roomSetting", { name: "Owned", roomOwnerId: person.id });
  const { status, headers, body } = await ask(request, { role: "shape" });
  assert.equal(status, 200);
  assert.equal(headers.get("cache-control"), "no-store");
  const [{ profileId, ...entry }] = body.users;
  assert.match(profileId, /^\d{10}$/);
  assert.deepEqual(entry, { ...person, displayRating: true });
  assert.deepEqual(body, { success: true, users: [{ profileId, ...entry }] });
  assert.equal(Object.keys(body.users[0]).length, 14);
});

test("suspended people and the caller are listed; revoked and foreign ones are not", async () => {
  const role = "state";
  const me = await createSignedIn(open, ask, { role, admin: true, name: "Me" });
  const suspended = await create(ask, { role, name: "Suspended" });
  const revoked = await create(ask, { role, name: "Revoked" });
  await suspend(ask, suspended.id);
  await revoke(ask, revoked.id);
  const other = await organization("Next door");
  await create(other.ask, { role });
  const { users } = (await ask(request, { role }, bearer(me.token))).body;
  assert.deepEqual(
    users.map((user: { readonly id: string; readonly accountSuspended: boolean }) => [
      user.id,
      user.accountSuspended,
    ]),
    [
      [me.id, false],
      [suspended.id, true],
    ],
  );
});
