import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld } from "../world/world.ts";
import { fetchPromises } from "./fetch-promises.ts";
import { create, revoke, suspend } from "./people.ts";

const { organization } = await startWorld(test);
const own = await organization("Fetching the revoked");
const { ask } = own;
const request = "POST /api/user/fetchDeletedOrgUsers";

fetchPromises({ request, revoked: true, organization: own });

test("an entry has exactly its ten keys", async () => {
  const person = await create(ask, { role: "shape", location: "Oslo", meetNowEnabled: true });
  await suspend(ask, person.id);
  await revoke(ask, person.id);
  const { status, headers, body } = await ask(request, { role: "shape" });
  assert.equal(status, 200);
  assert.equal(headers.get("cache-control"), "no-store");
  const [{ profileId }] = body.users;
  assert.match(profileId, /^\d{10}$/);
  assert.deepEqual(body, {
    success: true,
    users: [
      {
        id: person.id,
        email: person.email,
        name: person.name,
        createdAt: person.createdAt,
        location: "Oslo",
        username: person.username,
        role: "shape",
        accountSuspended: true,
        profileId,
        meetNowEnabled: true,
      },
    ],
  });
});

test("people who are not revoked, and those of other organizations, are not listed", async () => {
  const role = "state";
  await create(ask, { role });
  const back = await create(ask, { role });
  await revoke(ask, back.id);
  await ask("POST /api/user/reactivateOrgUser", { userId: back.id });
  const other = await organization("Next door");
  await revoke(other.ask, (await create(other.ask, { role })).id);
  assert.deepEqual((await ask(request, { role })).body.users, []);
});
