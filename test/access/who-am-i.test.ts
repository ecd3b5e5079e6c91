import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "../users/people.ts";
import { bearer } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";
import { signInWithCookie } from "./sessions.ts";

const { open, organization } = await startWorld(test);
const { ask, accessKey } = await organization("Asking");
const request = "GET /api/session";

test("a person gets their own account, and when their token ends", async () => {
  const { id, email, name, username, password } = await create(ask, { role: "host" });
  const { token } = await signInWithCookie(open, email, password);
  const { status, headers, body } = await open(request, undefined, bearer(token));
  assert.equal(status, 200);
  assert.equal(headers.get("cache-control"), "no-store");
  const { expiresAt } = body;
  const user = { id, email, name, username, role: "host", admin: false };
  assert.deepEqual(body, { success: true, expiresAt, user, accessKey: null, ownersMay: "nothing" });
  assert.ok(Date.parse(expiresAt) > Date.now());
});

test("an access key gets its own name", async () => {
  const { body } = await ask(request);
  const { expiresAt } = body;
  assert.deepEqual(body, {
    success: true,
    expiresAt,
    user: null,
    accessKey: accessKey.accessKey,
    ownersMay: null,
  });
});

test("an administrator's change to a person takes effect with the next request", async () => {
  const { id, email, password } = await create(ask, { admin: true });
  const { token } = await signInWithCookie(open, email, password);
  const list = () => open("POST /api/user/fetchOrgUsers", {}, bearer(token));
  assert.equal((await list()).status, 200);
  await ask("PUT /api/user/orgUser", { userId: id, admin: false, name: "Less" });
  assert.equal((await list()).status, 403);
  const { user } = (await open(request, undefined, bearer(token))).body;
  assert.deepEqual([user.name, user.admin], ["Less", false]);
});
