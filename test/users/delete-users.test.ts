import assert from "node:assert/strict";
import { test } from "node:test";
import { bearer } from "../world/ask.ts";
import { addPeople } from "../world/many.ts";
import { assertFails, failure } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { create, createSignedIn, everybody, ownAccount, revoke } from "./people.ts";

const { open, organization } = await startWorld(test);
const own = await organization("Deleting");
const { ask } = own;
const request = "POST /api/user/permDeleteOrgUsers";

const notFound = "User not found.";
const notRevoked = "The account is not revoked.";
const at = (index: number, message: string) => ({ field: `[${index}]`, message });

const addRevoked = async (...people: { readonly role?: string }[]): Promise<string[]> => {
  const ids = await addPeople(own, people);
  await revoke(ask, ...ids);
  return ids;
};

test("the answer is only success; the people are then in no list", async () => {
  const ids = await addRevoked({}, {});
  const { status, headers, body } = await ask(request, ids);
  assert.equal(status, 200);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.deepEqual(body, { success: true });
  assert.deepEqual((await ask("POST /api/user/findOrgUsers", { userIds: ids })).body.users, []);
  const role = "moderator";
  const listed = await ask("POST /api/user/fetchDeletedOrgUsersWithPagination", { role });
  assert.equal(listed.body.pagination.total, 0);
});

test("a body that is not an array of IDs is refused with the exact text", async () => {
  const format = "Invalid request format. Expected an array of user IDs.";
  const expected = failure("user_ids_not_array", format, [{ field: "", message: format }]);
  for (const body of [{}, undefined, "null", '"x"', "5", { userIds: ["x"] }]) {
    await assertFails(ask(request, body), 400, expected);
  }
  for (const [body, code, message] of [
    [[], "user_ids_empty", "User IDs array cannot be empty."],
    [Array(1001).fill("x"), "invalid_input", "The body must be at most 1000 entries"],
  ] as const) {
    await assertFails(ask(request, body), 400, failure(code, message, [{ field: "", message }]));
  }
});

test("every wrong entry is named by its index, and nobody is deleted", async () => {
  const [id = ""] = await addRevoked({});
  const before = await everybody(ask);
  const phrase = "must be text of 1 to 128 characters";
  const errors = [at(1, `[1] ${phrase}`), at(2, "[2] must be a user ID"), at(3, `[3] ${phrase}`)];
  await assertFails(
    ask(request, [id, { userId: id }, "", 7, null]),
    400,
    failure("invalid_input", `[1] ${phrase}`, [...errors, at(4, "[4] must be a user ID")]),
  );
  assert.deepEqual(await everybody(ask), before);
});

test("all or none: every entry that prevents the deletion is named", async () => {
  const me = await createSignedIn(open, ask, { admin: true });
  const other = await organization("Next door");
  const foreign = await create(other.ask);
  await revoke(other.ask, foreign.id);
  const [id = ""] = await addRevoked({});
  const [active = ""] = await addPeople(own, [{}]);
  const before = await everybody(ask);
  await assertFails(
    ask(request, [id, active, me.id, foreign.id, "unknown"], bearer(me.token)),
    409,
    failure("user_not_revoked", notRevoked, [
      at(1, notRevoked),
      at(2, ownAccount.message),
      at(3, notFound),
      at(4, notFound),
    ]),
  );
  await assertFails(
    ask(request, ["unknown", active]),
    404,
    failure("user_not_found", notFound, [at(0, notFound), at(1, notRevoked)]),
  );
  assert.deepEqual(await everybody(ask), before);
  assert.equal((await everybody(other.ask)).revoked.length, 1);
});

test("nobody can delete their own account", async () => {
  const me = await createSignedIn(open, ask, { admin: true });
  const asked = ask(request, [me.id], bearer(me.token));
  await assertFails(asked, 409, { ...ownAccount, errors: [at(0, ownAccount.message)] });
});

test("a duplicate ID is not an error; a deleted person is unknown", async () => {
  const [id = ""] = await addRevoked({});
  assert.equal((await ask(request, [id, id])).status, 200);
  const gone = failure("user_not_found", notFound);
  await assertFails(ask(request, [id]), 404, { ...gone, errors: [at(0, notFound)] });
  const { status } = await ask("POST /api/user/reactivateOrgUser", { userId: id });
  assert.equal(status, 404);
  await assertFails(ask("PUT /api/user/orgUser", { userId: id, name: "Back" }), 404, gone);
});

test("email and username are available again, and nothing of the former person comes back", async () => {
  const former = await createSignedIn(open, ask, { location: "here", tags: ["x"], role: "host" });
  await revoke(ask, former.id);
  await ask(request, [former.id]);
  const heir = await create(ask, { email: former.email });
  assert.notEqual(heir.id, former.id);
  assert.deepEqual([heir.location, heir.tags, heir.role], [null, [], "moderator"]);
  assert.equal((await open("GET /api/session", undefined, bearer(former.token))).status, 401);
  for (const login of [former.email, former.username]) {
    const { status } = await open("POST /api/session", { login, password: former.password });
    assert.equal(status, 401);
  }
});

test("a deleted person's rooms stay, and the ownership goes", async () => {
  const [going = ""] = await addPeople(own, [{}]);
  const staying = await create(ask);
  const rooms = [
    ["alone", going, ""],
    ["shared", `${going},${staying.id}`, staying.id],
  ] as const;
  for (const [room, roomOwnerId] of rooms) {
    await ask("POST /api/roomSetting", { name: room, room, roomOwnerId });
  }
  await revoke(ask, going);
  await ask(request, [going]);
  for (const [room, , left] of rooms) {
    const { roomSetting } = (await ask(`GET /api/roomSetting/${room}`)).body;
    assert.equal(roomSetting.roomOwnerId, left);
  }
});

test("a thousand people are deleted at once", async () => {
  const ids = await addRevoked(...Array.from({ length: 1000 }, () => ({ role: "crowd" })));
  assert.equal((await ask(request, ids)).status, 200);
  const { roles } = (await ask("GET /api/organization")).body.organization;
  assert.ok(!roles.includes("crowd"));
});
