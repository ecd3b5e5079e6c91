import assert from "node:assert/strict";
import { test } from "node:test";
import { type Scope, scopeFailures, scopeOf, scopes } from "../../contract/kit/scopes.ts";
import { all } from "../isolation/rows.ts";
import { enter } from "../meetings/inside.ts";
import { invite } from "../meetings/invited.ts";
import { type Ask, askAs, bearer } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { saidIn } from "../world/reasons.ts";
import { assertFails, failure } from "../world/refusals.ts";
import type { Tenant } from "../world/tenant.ts";
import { startWorld } from "../world/world.ts";
import { endKey } from "./keys.ts";
import { tokenStatus } from "./sessions.ts";

const world = await startWorld(test);
const { database, open, url } = world;

/** A new access key of an organization, and a token for it. */
const newKey = async ({ ask }: Pick<Tenant, "ask">, settings: object) => {
  const key = (await ask("createAccessKey", settings)).body.accessKey;
  const { accessKey, secretAccessKey } = key;
  const exchange = () => open("getAuthToken", { accessKey, secretAccessKey });
  const { token } = (await exchange()).body.authToken;
  return { ...key, exchange, token, ask: askAs(url, token) as Ask };
};

/** The scopes of keys that get tokens. */
const ofPrograms = scopes.filter((scope) => scope !== "scim");

/** Operations with tokens, and the scope that a key needs for them. */
const forKeys = all
  .filter(([, { access }]) => access !== "anyone" && access !== "person")
  .map(([id, operation]) => ({ id, operation, needed: scopeOf(operation) }));

/** Answers with everybody's addresses, or with everything known: a key needs `everything`. */
const tellsAll = [
  "exportUser",
  "exportOrganization",
  "listHistory",
  "exportHistory",
  "listDeliveries",
];

test("every operation has a scope: changes need more than reading", () => {
  for (const { id, operation, needed } of forKeys) {
    assert.ok(scopes.includes(needed), id);
    if (operation.changes) assert.notEqual(needed, "read", id);
    if (operation.group === "Users" && operation.changes && id !== "handOverRooms") {
      assert.equal(needed, "people", id);
    }
    if (needed === "read") {
      assert.match(id, /^(fetch|list|find|get|search|open|download|watch|whoAmI$|signOut$)/, id);
      assert.ok(!tellsAll.includes(id), id);
    } else if (!operation.changes) {
      const goesOn = ["continueImport", "continueUndo", "readImport"];
      assert.ok(operation.group === "Meetings" || [...tellsAll, ...goesOn].includes(id), id);
    }
  }
});

test("a key without the scope gets 403 with the scope that it needs, before the body is read", async () => {
  const tenant = await world.tenant();
  for (const scope of ofPrograms) {
    const { token } = await newKey(tenant, { scope });
    for (const { operation, needed } of forKeys) {
      const { method, path, failure: shape } = operation;
      const request = `${method} ${path}` as const;
      if (needed === "read" || needed === scope || scope === "everything") continue;
      const sent = method === "GET" ? undefined : "{";
      const { status, body } = await open(request, sent, bearer(token));
      assert.deepEqual([status, body.code], [403, scopeFailures[needed]], request);
      const said = shape === "typed error" ? body.error : body.message;
      assert.ok(said.includes(`"${needed}"`), request);
    }
  }
});

test("a key does what its scope allows, and needs no scope to read or end its own token", async () => {
  const tenant = await world.tenant();
  const { id: userId } = await tenant.addPerson(`scoped@${tenant.id}.example.org`);
  const does: readonly (readonly [Scope, string, (ask: Ask) => ReturnType<Ask>])[] = [
    ["read", "listRooms", (ask) => ask("listRooms", {})],
    ["read", "listUsers", (ask) => ask("listUsers", { role: "moderator" })],
    ["everything", "listHistory", (ask) => ask("listHistory", {})],
    ["everything", "exportHistory", (ask) => ask("GET /api/history/export")],
    ["everything", "exportUser", (ask) => ask(`GET /api/user/export?userId=${userId}`)],
    ["everything", "listDeliveries", (ask) => ask("listDeliveries", {})],
    ["rooms", "createRoom", (ask) => ask("createRoom", { name: "Made", roomOwnerId: userId })],
    ["people", "editUser", (ask) => ask("editUser", { userId, location: "Here" })],
    ["everything", "editOrganization", (ask) => ask("editOrganization", { recordingDays: 9 })],
    ["read", "signOut", (ask) => ask("signOut", {})],
  ];
  for (const scope of ofPrograms) {
    const { ask } = await newKey(tenant, { scope });
    for (const [needed, id, run] of does) {
      const may = needed === "read" || scope === "everything" || scope === needed;
      assert.equal((await run(ask)).status < 300, may, `${id} with the scope ${scope}`);
    }
  }
});

test("a key for SCIM gets no token, and a key that becomes one loses its tokens", async () => {
  const tenant = await world.tenant();
  const { accessKey, secretAccessKey } = (await tenant.ask("createAccessKey", { scope: "scim" }))
    .body.accessKey;
  const { status, body } = await open("getAuthToken", { accessKey, secretAccessKey });
  assert.deepEqual([status, body.code], [401, "wrong_access_key"]);
  const narrowed = await newKey(tenant, { scope: "read" });
  assert.equal(await tokenStatus(open, narrowed.token), 200);
  await tenant.ask("editAccessKey", { accessKey: narrowed.accessKey, scope: "scim" });
  assert.equal(await tokenStatus(open, narrowed.token), 401);
});

test("a key for people neither makes administrators nor changes them", async () => {
  const tenant = await world.tenant();
  const { ask } = await newKey(tenant, { scope: "people" });
  const { id: userId } = await tenant.addPerson(`plain@${tenant.id}.example.org`);
  const boss = await tenant.addPerson(`boss@${tenant.id}.example.org`, { admin: true });
  const gone = await tenant.addPerson(`gone@${tenant.id}.example.org`, { admin: true });
  await tenant.ask("revokeUsers", [{ userId: gone.id }]);
  const login = { loginUrl: "https://example.org/" };
  const email = `new@${tenant.id}.example.org`;
  const refused = [
    await ask("createUser", { name: "New", email, admin: true, ...login }),
    await ask("editUser", { userId, admin: true }),
    await ask("editUser", { userId: boss.id, email }),
    await ask("resetPassword", { userId: boss.id }),
    await ask("suspendRestoreUser", { userId: boss.id, action: "suspend" }),
    await ask("revokeUsers", [{ userId }, { userId: boss.id }]),
    await ask("reactivateUser", { userId: gone.id }),
    await ask("reactivateUser", { email: gone.email }),
    await ask("deleteUsers", [gone.id]),
  ];
  for (const { status, body } of refused) {
    assert.deepEqual([status, body.code], [403, "everything_scope_needed"]);
  }
  // A key that changes rooms can change everybody's rooms.
  const rooms = await newKey(tenant, { scope: "rooms" });
  const handed = await rooms.ask("handOverRooms", { userId: boss.id, heirs: [userId] });
  assert.equal(handed.status, 200);
  const found = await ask("findUsers", { userIds: [userId, boss.id, gone.id] });
  const states = found.body.users.map((user: Record<string, unknown>) => [
    user.id,
    user.admin,
    user.accountSuspended,
    user.accountDeleted,
  ]);
  assert.deepEqual(states.sort(), [
    ...[
      [userId, false, false, false],
      [boss.id, true, false, false],
      [gone.id, true, false, true],
    ].sort(),
  ]);
  assert.equal((await ask("createUser", { name: "New", email, ...login })).status, 201);
  assert.equal((await ask("resetPassword", { userId })).status, 200);
});

test("name, scope and end are set, edited, listed, recorded in the history and taken back", async () => {
  const tenant = await world.tenant();
  const made = { name: "Booking", scope: "rooms", expiresAt: "2999-01-31T10:30:00+01:00" };
  const stored = { ...made, expiresAt: "2999-01-31T09:30:00.000Z" };
  const { accessKey, token } = await newKey(tenant, made);
  const keyNow = async () => {
    const { accessKeys } = (await tenant.ask("listAccessKeys", {})).body;
    const { createdAt, lastUsedAt, ...key } = accessKeys.find(
      (one: { readonly accessKey: string }) => one.accessKey === accessKey,
    );
    assert.ok(lastUsedAt >= createdAt, "a token was made with it");
    return key;
  };
  assert.deepEqual(await keyNow(), { accessKey, ...stored });
  const edited = await tenant.ask("editAccessKey", { accessKey, scope: "read" });
  assert.equal(edited.body.accessKey.scope, "read");
  assert.deepEqual(await keyNow(), { accessKey, ...stored, scope: "read" });
  const { entries } = (await tenant.ask("listHistory", { subjectId: accessKey })).body;
  const told = entries.map(({ kind, subject, before, after }: Record<string, unknown>) => ({
    kind,
    subject,
    before,
    after,
  }));
  const subject = { kind: "accessKey", id: accessKey, name: "Booking", roomId: null };
  assert.deepEqual(told, [
    { kind: "accessKeyEdited", subject, before: { scope: "rooms" }, after: { scope: "read" } },
    { kind: "signedIn", subject, before: null, after: null },
    { kind: "accessKeyCreated", subject, before: null, after: stored },
  ]);
  assert.equal((await tenant.ask("undoChange", { number: entries[0].number })).status, 200);
  assert.deepEqual(await keyNow(), { accessKey, ...stored });
  await tenant.ask("editAccessKey", { accessKey, name: "", expiresAt: null });
  assert.deepEqual(await keyNow(), { accessKey, name: "", scope: "rooms", expiresAt: null });
  assert.equal(await tokenStatus(open, token), 200);
});

test("an end in the past, an unknown scope and an unknown key are refused", async () => {
  const { ask } = await world.tenant();
  const other = await world.tenant();
  const { accessKey } = await newKey({ ask }, {});
  const cases = [
    [{ expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt must be in the future"],
    [{ expiresAt: "9999-12-31T23:59:59-05:00" }, "expiresAt must be before the year 10000"],
    [{ scope: "write" }, "scope must be one of read, secrets, rooms, people, scim, everything"],
  ] as const;
  for (const [wrong, message] of cases) {
    const [field] = Object.keys(wrong);
    for (const asked of [
      ask("createAccessKey", wrong),
      ask("editAccessKey", { accessKey, ...wrong }),
    ]) {
      const { status, body } = await asked;
      assert.deepEqual(
        [status, body.message, saidIn(body.errors)],
        [400, message, [{ field, message }]],
      );
    }
  }
  const notFound = failure("access_key_not_found", "Access key not found.");
  await assertFails(other.ask("editAccessKey", { accessKey, name: "Mine" }), 404, notFound);
});

test("after its end a key gets no tokens, and its tokens and invitations end", async () => {
  const tenant = await world.tenant();
  const expiresAt = new Date(Date.now() + 600_000).toISOString();
  const key = await newKey(tenant, { expiresAt });
  const seats = { noOfParticipants: 9, room: "r" };
  await tenant.ask("createRoom", { name: "Board", roomOwnerId: tenant.admin.id, ...seats });
  const sessionToken = await invite({ ask: key.ask, accessKey: key }, "r", "Ina");
  assert.equal((await key.ask("whoAmI", {})).body.expiresAt, expiresAt, "not later than the key");
  await endKey(database, key.accessKey);
  assert.equal((await key.ask("whoAmI", {})).status, 401);
  const { status, body } = await key.exchange();
  assert.deepEqual([status, body.code], [401, "access_key_ended"]);
  const { accessKey, secretAccessKey } = key;
  const asked = await open("createSessionToken", { accessKey, secretAccessKey, roomId: "r" });
  assert.equal(asked.body.code, "access_key_ended");
  const wrong = await open("getAuthToken", { accessKey, secretAccessKey: "wrong" });
  assert.equal(wrong.body.code, "wrong_access_key", "only the secret reveals the end");
  assert.equal((await open("joinRoom", { roomId: "r", sessionToken })).body.code, "link_ended");
  const later = new Date(Date.now() + 600_000).toISOString();
  await tenant.ask("editAccessKey", { accessKey, expiresAt: later });
  assert.equal((await key.ask("whoAmI", {})).status, 200);
  assert.equal((await open("joinRoom", { roomId: "r", sessionToken })).status, 200);
});

test("a key that loses the right to change rooms invites nobody, and the people it invited must leave", async (t) => {
  const tenant = await world.tenant();
  const key = await newKey(tenant, { scope: "rooms" });
  const host = { ask: key.ask, accessKey: key };
  const seats = { noOfParticipants: 9, room: "r" };
  await tenant.ask("createRoom", { name: "Board", roomOwnerId: tenant.admin.id, ...seats });
  const sessionToken = await invite(host, "r", "Ina");
  const ina = await enter(t, { url, ask: open }, "r", { sessionToken });
  await tenant.ask("editAccessKey", { accessKey: key.accessKey, scope: "people" });
  await until("Ina is out", () => ina.ended?.reason === "signed_out");
  assert.equal((await open("joinRoom", { roomId: "r", sessionToken })).body.code, "link_ended");
  const { accessKey, secretAccessKey } = key;
  const secret = { accessKey, secretAccessKey, roomId: "r" };
  for (const asked of [
    await open("createSessionToken", secret),
    await open("revokeSessionToken", { ...secret, sessionToken }),
  ]) {
    assert.deepEqual([asked.status, asked.body.code], [403, "rooms_scope_needed"]);
  }
});
