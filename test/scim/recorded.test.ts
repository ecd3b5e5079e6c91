// Runs: sqlite-first
// The requests of Entra ID and Okta, as their documentation shows them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ENTERPRISE_SCHEMA, PARLEY_SCHEMA, USER_SCHEMA } from "../../server/scim/names.ts";
import { startWorld } from "../world/world.ts";
import { directoryOf, patchOf, personNamed } from "./directory.ts";

const world = await startWorld(test);

const kindsOf = async (ask: Awaited<ReturnType<typeof world.tenant>>["ask"]): Promise<string[]> =>
  (await ask("listHistory", { limit: 20 })).body.entries.map(
    ({ kind }: { readonly kind: string }) => kind,
  );

test("Entra ID tests the connection, finds nobody, creates a person, and finds them", async () => {
  const tenant = await world.tenant();
  const { scim } = await directoryOf(world.url, tenant);
  const upn = `test_user@${tenant.id}.example`;
  const find = (by: string, value: string) =>
    scim(`GET /Users?filter=${encodeURIComponent(`${by} eq "${value}"`)}`);
  const empty = await find("userName", "non-existent user");
  assert.deepEqual(
    [empty.status, empty.body],
    [
      200,
      {
        schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
        totalResults: 0,
        startIndex: 1,
        itemsPerPage: 0,
        Resources: [],
      },
    ],
  );
  assert.match(empty.headers.get("content-type") ?? "", /^application\/scim\+json/);
  const created = await scim("POST /Users", {
    schemas: [USER_SCHEMA, ENTERPRISE_SCHEMA],
    externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
    userName: upn,
    active: true,
    emails: [{ primary: true, type: "work", value: `mail.${upn}` }],
    meta: { resourceType: "User" },
    name: { formatted: "givenName familyName", familyName: "familyName", givenName: "givenName" },
    roles: [],
    title: "Professor",
    [ENTERPRISE_SCHEMA]: { department: "Physics" },
  });
  assert.equal(created.status, 201, created.text);
  const { id, meta, ...rest } = created.body;
  assert.deepEqual(rest, {
    schemas: [USER_SCHEMA],
    externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
    userName: upn,
    name: { familyName: "familyName", givenName: "givenName" },
    displayName: "givenName familyName",
    emails: [{ value: `mail.${upn}`, type: "work", primary: true }],
    active: true,
  });
  assert.equal(created.headers.get("location"), `${world.url}/scim/v2/Users/${id}`);
  assert.equal(created.headers.get("etag"), meta.version);
  for (const [by, value] of [
    ["userName", upn.toUpperCase()],
    ["externalId", rest.externalId],
    ["emails.value", `mail.${upn}`],
    ['emails[type eq "work"].value', `mail.${upn}`],
    ["id", id],
  ] as const) {
    const found = await find(by, value);
    assert.deepEqual([by, found.body.Resources?.[0]?.id], [by, id], found.text);
  }
  // In the interface the person is like any other.
  const { users } = (await tenant.ask("findUsers", { userIds: [id] })).body;
  assert.deepEqual([users[0].name, users[0].email], ["givenName familyName", `mail.${upn}`]);
  assert.deepEqual((await kindsOf(tenant.ask)).slice(0, 2), ["userCreated", "signedIn"]);
});

test("Entra ID updates, disables, enables and deletes a person", async () => {
  const tenant = await world.tenant();
  const { scim } = await directoryOf(world.url, tenant, "everything");
  const upn = `entra@${tenant.id}.example`;
  const { id } = (await scim("POST /Users", personNamed(upn))).body;
  const at = `/Users/${id}` as const;
  const patch = async (...operations: readonly object[]) => {
    const { status, body, text } = await scim(`PATCH ${at}`, patchOf(...operations));
    assert.equal(status, 200, text);
    return body;
  };
  const updated = await patch(
    { op: "Replace", path: 'emails[type eq "work"].value', value: `new.${upn}` },
    { op: "Replace", path: "name.familyName", value: "updatedFamilyName" },
    { op: "Add", path: "title", value: "Dean" },
    { op: "Add", path: `${ENTERPRISE_SCHEMA}:department`, value: "Physics" },
    { op: "Add", path: 'phoneNumbers[type eq "work"].value', value: "555" },
  );
  assert.deepEqual(
    [updated.emails, updated.displayName, updated.name.familyName],
    [
      [{ value: `new.${upn}`, type: "work", primary: true }],
      "Ann updatedFamilyName",
      "updatedFamilyName",
    ],
  );
  const flat = await patch({
    op: "Add",
    value: {
      "name.givenName": "Anna",
      displayName: "Anna L.",
      [`${PARLEY_SCHEMA}:role`]: "presenter",
    },
  });
  assert.deepEqual(
    [flat.name.givenName, flat.displayName, flat[PARLEY_SCHEMA].role],
    ["Anna", "Anna L.", "presenter"],
  );
  const renamed = await patch({ op: "Replace", path: "userName", value: `other.${upn}` });
  assert.equal(renamed.userName, `other.${upn}`);
  assert.equal((await patch({ op: "Replace", path: "active", value: "False" })).active, false);
  const [suspended] = (await tenant.ask("findUsers", { userIds: [id] })).body.users;
  assert.equal(suspended.accountSuspended, true);
  assert.equal((await patch({ op: "replace", path: "active", value: true })).active, true);
  const raised = await patch(
    { op: "Add", path: `${PARLEY_SCHEMA}:admin`, value: "True" },
    { op: "Add", path: `${PARLEY_SCHEMA}:tags`, value: [{ value: "a" }, { value: "b" }] },
    { op: "Remove", path: `${PARLEY_SCHEMA}:tags[value eq "a"]` },
  );
  assert.deepEqual(raised[PARLEY_SCHEMA], { role: "presenter", admin: true, tags: ["b"] });
  assert.deepEqual((await kindsOf(tenant.ask)).slice(0, 7), [
    "userEdited",
    "userRestored",
    "userSuspended",
    "userEdited",
    "userEdited",
    "userCreated",
    "signedIn",
  ]);
  assert.equal((await scim(`DELETE ${at}`)).status, 204);
  assert.equal((await scim(`GET ${at}`)).status, 404);
  assert.equal((await scim(`DELETE ${at}`)).status, 404);
  assert.equal((await scim("POST /Users", personNamed(`other.${upn}`))).status, 201);
});

test("Okta looks for a person, creates, reads, replaces and deactivates them, and imports everybody", async () => {
  const tenant = await world.tenant();
  const { scim } = await directoryOf(world.url, tenant);
  const userName = `okta@${tenant.id}.example`;
  const found = await scim(
    `GET /Users?filter=userName%20eq%20%22${encodeURIComponent(userName)}%22&startIndex=1&count=100`,
  );
  assert.equal(found.body.totalResults, 0);
  const okta = {
    schemas: [USER_SCHEMA],
    userName,
    name: { givenName: "Test", familyName: "User" },
    emails: [{ primary: true, value: userName, type: "work" }],
    displayName: "Test User",
    locale: "en-US",
    externalId: "00ujl29u0le5T6Aj10h7",
    groups: [],
    password: "1mz050nq",
    active: true,
  };
  const { id } = (await scim("POST /Users", okta)).body;
  const again = await scim("POST /Users", okta);
  assert.deepEqual(
    [again.status, again.body.status, again.body.scimType],
    [409, "409", "uniqueness"],
  );
  const replaced = await scim(`PUT /Users/${id}`, {
    ...okta,
    id,
    name: { givenName: "Another", middleName: "Excited", familyName: "User" },
    displayName: "Another User",
  });
  assert.deepEqual(
    [replaced.status, replaced.body.name, replaced.body.displayName],
    [200, { givenName: "Another", familyName: "User" }, "Another User"],
  );
  const off = await scim(`PUT /Users/${id}`, { ...okta, id, active: false });
  assert.equal(off.body.active, false);
  const on = await scim(`PATCH /Users/${id}`, patchOf({ op: "replace", value: { active: true } }));
  assert.equal(on.body.active, true);
  for (let number = 1; number <= 4; number += 1) {
    await scim("POST /Users", personNamed(`p${number}@${tenant.id}.example`));
  }
  const seen: string[] = [];
  for (let startIndex = 1; startIndex <= 6; startIndex += 2) {
    const page = (await scim(`GET /Users?startIndex=${startIndex}&count=2`)).body;
    assert.deepEqual([page.totalResults, page.startIndex, page.itemsPerPage], [6, startIndex, 2]);
    seen.push(...page.Resources.map((one: { readonly userName: string }) => one.userName));
  }
  assert.equal(new Set(seen).size, 6);
  assert.equal((await scim("GET /Users/unknown")).status, 404);
});

test("a person of the interface is found by their address, and becomes the directory's", async () => {
  const tenant = await world.tenant();
  const { scim } = await directoryOf(world.url, tenant);
  const person = await tenant.addPerson(`here@${tenant.id}.example`, { name: "Here" });
  const filter = encodeURIComponent(`userName eq "HERE@${tenant.id}.example"`);
  const found = await scim(`GET /Users?filter=${filter}`);
  assert.equal(found.body.Resources[0].id, person.id);
  const changed = await scim(
    `PATCH /Users/${person.id}`,
    patchOf({ op: "Add", path: "externalId", value: "e1" }),
  );
  assert.deepEqual([changed.body.externalId, changed.body.displayName], ["e1", "Here"]);
  const taken = await scim("POST /Users", personNamed(person.email));
  assert.deepEqual([taken.status, taken.body.scimType], [409, "uniqueness"]);
});
