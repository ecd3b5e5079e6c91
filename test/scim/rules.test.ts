// Runs: sqlite-first

import assert from "node:assert/strict";
import { test } from "node:test";
import { PARLEY_SCHEMA } from "../../server/scim/names.ts";
import { endKey } from "../access/keys.ts";
import { usesNamesAgain } from "../twins/directories.ts";
import { testTwin } from "../twins/test-twin.ts";
import { startWorld, type World } from "../world/world.ts";
import { asDirectory, directoryOf, patchOf, personNamed } from "./directory.ts";

const world = await startWorld(test);

const query = (text: string) => encodeURIComponent(text);

test("filters, their combinations and orders find the people that they mean", async () => {
  const tenant = await world.tenant();
  const { scim } = await directoryOf(world.url, tenant);
  const ids: Record<string, string> = {};
  const add = async (word: string, more: object = {}) => {
    const made = await scim(
      "POST /Users",
      personNamed(`${word}@${tenant.id}.example`, {
        externalId: `X-${word}`,
        displayName: word,
        ...more,
      }),
    );
    ids[made.body.id] = word;
    return made.body;
  };
  await add("alpha");
  await add("beta", { active: false });
  const { meta } = await add("gamma", { userName: `gamma-upn` });
  const others = `not (id eq "${tenant.admin.id}")`;
  const found = async (filter: string, more = "") => {
    const whole = `${others} and (${filter})`;
    const { status, body } = await scim(`GET /Users?filter=${query(whole)}&sortBy=userName${more}`);
    assert.equal(status, 200, `${filter}: ${JSON.stringify(body)}`);
    return body.Resources.map(({ id }: { readonly id: string }) => ids[id]).join(" ");
  };
  const cases: readonly (readonly [string, string])[] = [
    [`userName eq "ALPHA@${tenant.id}.example"`, "alpha"],
    ['userName eq "gamma-UPN"', "gamma"],
    ['userName sw "g"', "gamma"],
    ['userName ew ".example"', "alpha beta"],
    ['userName co "-upn"', "gamma"],
    ['userName ne "gamma-upn"', "alpha beta"],
    ['userName gt "b"', "beta gamma"],
    ["userName pr", "alpha beta gamma"],
    ['externalId eq "X-alpha"', "alpha"],
    ['externalId eq "x-alpha"', ""],
    ['externalId sw "X-"', "alpha beta gamma"],
    ["externalId pr and active eq false", "beta"],
    ['active eq "True"', "alpha gamma"],
    ["active ne true", "beta"],
    [`emails.value co "gamma@"`, "gamma"],
    [`emails[type eq "work" and value sw "beta"]`, "beta"],
    [`emails[type eq "home"]`, ""],
    ['displayName co "ET"', "beta"],
    [`${"urn:ietf:params:scim:schemas:core:2.0:User"}:userName eq "gamma-upn"`, "gamma"],
    [`meta.lastModified ge "${meta.lastModified}" and userName sw "gamma"`, "gamma"],
    ['meta.created gt "2999-01-01T00:00:00Z"', ""],
    ['userName sw "alpha" or userName sw "beta" and active eq true', "alpha"],
    ['(userName sw "alpha" or userName sw "beta") and active eq false', "beta"],
    ['NOT (userName sw "alpha" OR userName sw "gamma")', "beta"],
  ];
  for (const [filter, expected] of cases) assert.equal(await found(filter), expected, filter);
  assert.equal(await found("userName pr", "&sortOrder=descending"), "gamma beta alpha");
  for (const wrong of [
    "userName",
    "userName is",
    'userName eq ann"',
    'userName xx "a"',
    "(userName pr",
    "userName pr)",
    'nickName eq "a"',
    "active gt true",
    "userName eq 7",
    'id eq "a" and',
    'meta.created gt "soon"',
    'emails[type eq "work"',
    `${"(".repeat(50)}id pr${")".repeat(50)}`,
  ]) {
    const { status, body } = await scim(`GET /Users?filter=${query(wrong)}`);
    assert.deepEqual([status, body.status, body.scimType], [400, "400", "invalidFilter"], wrong);
  }
  const odd = await scim("GET /Users?sortBy=nickName");
  assert.deepEqual([odd.status, odd.body.scimType], [400, "invalidValue"]);
  const counted = await scim("GET /Users?count=0&startIndex=-3");
  assert.deepEqual([counted.body.totalResults, counted.body.Resources], [4, []]);
  const searched = await scim("POST /Users/.search", {
    filter: 'userName eq "gamma-upn"',
    attributes: ["userName"],
  });
  assert.deepEqual(Object.keys(searched.body.Resources[0]), ["schemas", "id", "userName"]);
});

test("attributes and versions are answered as requested", async () => {
  const tenant = await world.tenant();
  const { scim } = await directoryOf(world.url, tenant);
  const more = { [PARLEY_SCHEMA]: { role: "presenter", tags: ["a"] } };
  const made = await scim("POST /Users", personNamed(`v@${tenant.id}.example`, more));
  const { id, meta } = made.body;
  const some = await scim(`GET /Users/${id}?attributes=emails.value,name`);
  assert.deepEqual(Object.keys(some.body), ["schemas", "id", "name", "emails"]);
  assert.deepEqual(some.body.emails, [{ value: `v@${tenant.id}.example` }]);
  const others = await scim(
    `GET /Users/${id}?excludedAttributes=emails,meta,${PARLEY_SCHEMA}:role`,
  );
  assert.equal(others.body.emails ?? others.body.meta, undefined);
  assert.deepEqual(others.body[PARLEY_SCHEMA], { admin: false, tags: ["a"] });
  const same = await scim(`GET /Users/${id}`, undefined, { "if-none-match": meta.version });
  assert.deepEqual([same.status, same.text], [304, ""]);
  const rename = patchOf({ op: "replace", path: "displayName", value: "Other" });
  const changed = await scim(`PATCH /Users/${id}`, rename, { "if-match": meta.version });
  assert.notEqual(changed.body.meta.version, meta.version);
  assert.ok(changed.body.meta.lastModified > meta.lastModified);
  for (const [request, body] of [
    [`PUT /Users/${id}`, personNamed(`v@${tenant.id}.example`)],
    [`PATCH /Users/${id}`, rename],
    [`DELETE /Users/${id}`, undefined],
  ] as const) {
    const late = await scim(request, body, { "if-match": meta.version });
    assert.deepEqual([late.status, late.body.status], [412, "412"], request);
  }
  const usual = await scim(`PATCH /Users/${id}`, patchOf({ op: "remove", path: PARLEY_SCHEMA }));
  assert.equal(usual.body[PARLEY_SCHEMA], undefined);
  assert.equal((await tenant.ask("findUsers", { userIds: [id] })).body.users[0].role, "moderator");
  // A change of what only the directory knows is a version too.
  const next = await scim(`PATCH /Users/${id}`, patchOf({ op: "remove", path: "externalId" }));
  assert.equal(next.body.externalId, undefined);
  assert.notEqual(next.body.meta.version, changed.body.meta.version);
  const unchanged = await scim(`PATCH /Users/${id}`, patchOf({ op: "remove", path: "externalId" }));
  assert.equal(unchanged.body.meta.version, next.body.meta.version);
});

test("requests with mistakes are refused in SCIM's words, and change nothing", async () => {
  const tenant = await world.tenant();
  const { scim } = await directoryOf(world.url, tenant);
  const { id } = (await scim("POST /Users", personNamed(`m@${tenant.id}.example`))).body;
  const before = (await scim(`GET /Users/${id}`)).text;
  const wrong: readonly (readonly [unknown, number, string | undefined])[] = [
    ["{", 400, "invalidSyntax"],
    [patchOf(), 400, "invalidSyntax"],
    [patchOf({ op: "move", path: "active", value: true }), 400, "invalidSyntax"],
    [patchOf({ op: "replace", path: "shoeSize", value: 7 }), 400, "invalidPath"],
    [patchOf({ op: "replace", path: "emails[type eq", value: "a" }), 400, "invalidPath"],
    [patchOf({ op: "replace", path: "id", value: "a" }), 400, "mutability"],
    [patchOf({ op: "remove" }), 400, "noTarget"],
    [
      patchOf({ op: "replace", path: 'emails[type eq "home"].value', value: "a@b.example" }),
      400,
      "noTarget",
    ],
    [patchOf({ op: "replace", path: "active", value: "perhaps" }), 400, "invalidValue"],
    [patchOf({ op: "replace", path: "displayName", value: 7 }), 400, "invalidValue"],
    [patchOf({ op: "replace", path: "displayName", value: "a\nb" }), 400, "invalidValue"],
    [patchOf({ op: "replace", path: "displayName", value: "x".repeat(201) }), 400, "invalidValue"],
    [
      patchOf({ op: "replace", path: 'emails[type eq "work"].value', value: "none" }),
      400,
      "invalidValue",
    ],
    [patchOf({ op: "remove", path: "userName" }), 400, "invalidValue"],
    [patchOf({ op: "add", path: `${PARLEY_SCHEMA}:admin`, value: true }), 403, undefined],
  ];
  for (const [body, status, scimType] of wrong) {
    const answer = await scim(`PATCH /Users/${id}`, body);
    const about = JSON.stringify(body);
    assert.deepEqual(
      [answer.status, answer.body.scimType],
      [status, scimType],
      `${about}: ${answer.text}`,
    );
    assert.deepEqual(
      [answer.body.schemas, answer.body.status],
      [["urn:ietf:params:scim:api:messages:2.0:Error"], String(status)],
    );
  }
  assert.equal((await scim(`GET /Users/${id}`)).text, before);
  const text = await scim("POST /Users", "a=b", { "content-type": "text/plain" });
  assert.equal(text.status, 415);
  for (const request of ["PUT /Users", "POST /Schemas", "DELETE /ServiceProviderConfig"] as const) {
    const { status, headers } = await scim(request);
    assert.deepEqual([status, headers.get("allow")?.includes("GET")], [405, true], request);
  }
  for (const path of ["/Groups", "/Bulk", "/Me", "/"] as const) {
    assert.equal((await scim(`GET ${path}`)).status, 404, path);
  }
});

/** An object that becomes no text: `String` and `Number` throw. */
const textless = { toString: 1, valueOf: 1 };

test("a body of a directory may be as large as any caller's; a larger one, or a wrong token, is refused as such", async () => {
  const tenant = await world.tenant();
  const { scim, token } = await directoryOf(world.url, tenant);
  const { id } = (await scim("POST /Users", personNamed(`large@${tenant.id}.example`))).body;
  const groups = (count: number) =>
    patchOf(
      { op: "replace", path: "displayName", value: "Many Groups" },
      {
        op: "add",
        path: "groups",
        value: Array.from({ length: count }, (_, n) => ({ value: `group ${n}`.padEnd(80) })),
      },
    );
  const taken = await scim(`PATCH /Users/${id}`, groups(9_000));
  assert.deepEqual([taken.status, taken.body.displayName], [200, "Many Groups"]);
  for (const type of ["application/scim+json", "application/json"]) {
    const refused = await scim(`PATCH /Users/${id}`, groups(20_000), { "content-type": type });
    assert.equal(refused.status, 413, type);
    assert.deepEqual(refused.body, {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: "413",
      detail: "The body is too large. At most 1 MiB is accepted.",
    });
  }
  const stranger = asDirectory(world.url, `${token}x`);
  for (const count of [9_000, 20_000]) {
    assert.equal((await stranger(`PATCH /Users/${id}`, groups(count))).status, 401, `${count}`);
  }
});

test("names of JavaScript's own properties, values that are not text, and text that no database stores are mistakes", async () => {
  const tenant = await world.tenant();
  const { scim } = await directoryOf(world.url, tenant);
  const person = personNamed(`odd@${tenant.id}.example`);
  const { id } = (await scim("POST /Users", person)).body;
  const before = (await scim(`GET /Users/${id}`)).text;
  const refused = async (
    request: Parameters<typeof scim>[0],
    body: unknown,
    status: number,
    scimType?: string,
  ) => {
    const answer = await scim(request, body);
    const about = `${request} ${JSON.stringify(body)}: ${answer.text}`;
    assert.deepEqual([answer.status, answer.body.scimType], [status, scimType], about);
  };
  for (const filter of ['constructor eq "a"', "constructor pr", 'id eq "\\u0000"']) {
    await refused(`GET /Users?filter=${query(filter)}`, undefined, 400, "invalidFilter");
  }
  for (const name of ["constructor", "__proto__"]) {
    await refused(`GET /Users?sortBy=${name}`, undefined, 400, "invalidValue");
  }
  await refused("POST /Users/.search", { count: textless }, 400, "invalidValue");
  assert.equal((await scim("POST /Users/.search", { attributes: [textless] })).status, 200);
  await refused("POST /Users", { ...person, active: textless }, 400, "invalidValue");
  const patches: readonly (readonly [object, string])[] = [
    [{ op: textless, path: "active", value: true }, "invalidSyntax"],
    [{ op: "replace", path: "active", value: textless }, "invalidValue"],
    [{ op: "replace", path: "emails[constructor pr].value", value: "a@b.example" }, "noTarget"],
  ];
  for (const [patch, word] of patches) {
    await refused(`PATCH /Users/${id}`, patchOf(patch), 400, word);
  }
  for (const method of ["GET", "DELETE"] as const) {
    await refused(`${method} /Users/%00`, undefined, 404);
  }
  assert.equal((await scim(`GET /Users/${id}`)).text, before);
  const kinds = ["primary", "type"].map((name) => ({ value: person.userName, [name]: textless }));
  assert.equal((await scim(`PUT /Users/${id}`, { ...person, emails: kinds })).status, 200);
});

test("a person whose address is somebody else's userName is not found by it, and needs another one", async () => {
  const tenant = await world.tenant();
  const { scim } = await directoryOf(world.url, tenant);
  const taken = `taken@${tenant.id}.example`;
  const person = personNamed(`first@${tenant.id}.example`, { userName: taken });
  const { id } = (await scim("POST /Users", person)).body;
  const other = await tenant.addPerson(`other@${tenant.id}.example`);
  assert.equal((await tenant.ask("editUser", { userId: other.id, email: taken })).status, 200);
  const found = await scim(`GET /Users?filter=${query(`userName eq "${taken}"`)}`);
  assert.deepEqual(
    found.body.Resources.map((one: { readonly id: string }) => one.id),
    [id],
  );
  const renamed = { op: "replace", path: "displayName", value: "Other" };
  const refused = await scim(`PATCH /Users/${other.id}`, patchOf(renamed));
  assert.deepEqual([refused.status, refused.body.scimType], [409, "uniqueness"], refused.text);
  const named = { op: "replace", path: "userName", value: `other@${tenant.id}.example` };
  assert.equal((await scim(`PATCH /Users/${other.id}`, patchOf(renamed, named))).status, 200);
});

test("a list longer than any directory's is refused before each value is compared with all others", async () => {
  const tenant = await world.tenant();
  const { scim } = await directoryOf(world.url, tenant);
  const person = personNamed(`long@${tenant.id}.example`);
  const { id } = (await scim("POST /Users", person)).body;
  const many = (word: string, count = 101) =>
    Array.from({ length: count }, (_, n) => `${word}${n}`);
  const emails = (word: string) => many(word, 60).map((one) => ({ value: `${one}@b.example` }));
  const tags = `${PARLEY_SCHEMA}:tags`;
  const parts = Object.fromEntries(many("emails.p").map((name) => [name, "a"]));
  const requests: readonly (readonly [Parameters<typeof scim>[0], unknown])[] = [
    ["POST /Users", { ...person, userName: "other", emails: many("a") }],
    [`PUT /Users/${id}`, { ...person, [PARLEY_SCHEMA]: { tags: many("t") } }],
    [`PATCH /Users/${id}`, patchOf({ op: "add", path: "emails", value: many("a") })],
    [`PATCH /Users/${id}`, patchOf({ op: "remove", path: tags, value: many("t") })],
    [`PATCH /Users/${id}`, patchOf({ op: "replace", value: parts })],
    [
      `PATCH /Users/${id}`,
      patchOf(...["a", "b"].map((word) => ({ op: "add", path: "emails", value: emails(word) }))),
    ],
    ["POST /Users/.search", { attributes: many("a") }],
    ["POST /Users/.search", { excludedAttributes: many("a").join() }],
    [`GET /Users/${id}?attributes=${many("a").join()}`, undefined],
  ];
  for (const [request, body] of requests) {
    const answer = await scim(request, body);
    const about = `${request} ${JSON.stringify(body)}: ${answer.text}`;
    assert.deepEqual([answer.status, answer.body.scimType], [400, "invalidValue"], about);
    assert.match(answer.body.detail, /must have at most 100 values\.$/, about);
  }
});

test("discovery says what is supported, and describes the attributes", async () => {
  const { scim } = await directoryOf(world.url, await world.tenant());
  const config = (await scim("GET /ServiceProviderConfig")).body;
  assert.deepEqual(
    [config.patch, config.bulk.supported, config.filter, config.sort, config.etag],
    [
      { supported: true },
      false,
      { supported: true, maxResults: 200 },
      { supported: true },
      { supported: true },
    ],
  );
  const { Resources } = (await scim("GET /ResourceTypes")).body;
  assert.deepEqual(
    Resources.map(({ id }: { id: string }) => id),
    ["User"],
  );
  assert.equal((await scim("GET /ResourceTypes/User")).body.endpoint, "/Users");
  const schemas = (await scim("GET /Schemas")).body.Resources;
  assert.equal(schemas.length, 2);
  assert.deepEqual((await scim(`GET /Schemas/${PARLEY_SCHEMA}`)).body, schemas[1]);
  assert.equal((await scim("GET /Schemas?filter=id%20pr")).status, 403);
});

test("a token opens the people of its own organization only, and ends with its key", async () => {
  const [mine, theirs] = [await world.tenant(), await world.tenant()];
  const { scim, token, accessKey } = await directoryOf(world.url, mine);
  const stranger = await theirs.addPerson(`s@${theirs.id}.example`);
  const unknown = await scim("GET /Users/019a0000-0000-7000-8000-000000000000");
  const attempts = {
    read: await scim(`GET /Users/${stranger.id}`),
    replaced: await scim(`PUT /Users/${stranger.id}`, personNamed(`t@${mine.id}.example`)),
    patched: await scim(
      `PATCH /Users/${stranger.id}`,
      patchOf({ op: "replace", path: "active", value: false }),
    ),
    deleted: await scim(`DELETE /Users/${stranger.id}`),
  };
  for (const { status, body } of Object.values(attempts)) {
    assert.deepEqual([status, body], [unknown.status, unknown.body]);
  }
  const found = await scim(
    `GET /Users?filter=${query(`id eq "${stranger.id}" or userName eq "${stranger.email}"`)}`,
  );
  assert.equal(found.body.totalResults, 0);
  assert.equal((await theirs.ask("findUsers", { userIds: [stranger.id] })).body.users.length, 1);
  const none = asDirectory(world.url, "nothing");
  const refused = await none("GET /Users");
  assert.deepEqual([refused.status, refused.body.status], [401, "401"]);
  assert.match(refused.headers.get("www-authenticate") ?? "", /^Bearer/);
  for (const scope of ["read", "rooms", "people", "secrets"] as const) {
    const other = await directoryOf(world.url, mine, scope);
    assert.equal((await other.scim("GET /Users")).status, 401, scope);
  }
  const interfaceToken = asDirectory(world.url, mine.token);
  assert.equal((await interfaceToken("GET /Users")).status, 401);
  assert.equal(
    (await mine.ask("GET /api/user/orgUser", undefined, { authorization: `Bearer ${token}` }))
      .status,
    401,
  );
  await endKey(world.database, accessKey);
  assert.equal((await scim("GET /Users")).status, 401);
});

test("the limit on people and the protection of administrators and the last of them hold", async () => {
  const tenant = await world.tenant({ users: 2 });
  const { scim } = await directoryOf(world.url, tenant);
  const name = (word: string) => `${word}@${tenant.id}.example`;
  const { id } = (await scim("POST /Users", personNamed(name("one")))).body;
  const full = await scim("POST /Users", personNamed(name("two")));
  assert.deepEqual([full.status, full.body.status], [403, "403"]);
  await tenant.ask("revokeUsers", [{ userId: id }]);
  assert.equal((await scim(`GET /Users/${id}`)).body.active, false);
  assert.equal((await scim("POST /Users", personNamed(name("two")))).status, 201);
  const back = patchOf({ op: "replace", path: "active", value: true });
  assert.equal((await scim(`PATCH /Users/${id}`, back)).status, 403);
  const off = patchOf({ op: "replace", path: "active", value: false });
  assert.equal(
    (await scim(`PATCH /Users/${tenant.admin.id}`, off)).status,
    403,
    "an administrator",
  );
  assert.equal((await scim(`DELETE /Users/${tenant.admin.id}`)).status, 403);
  const all = await directoryOf(world.url, tenant, "everything");
  for (const last of [
    await all.scim(`PATCH /Users/${tenant.admin.id}`, off),
    await all.scim(`DELETE /Users/${tenant.admin.id}`),
  ]) {
    assert.deepEqual(
      [last.status, last.body.detail?.includes("last active administrator")],
      [409, true],
    );
  }
});

test("a deleted person rests in the recycle bin, where there is one", async () => {
  const tenant = await world.tenant();
  await tenant.ask("editOrganization", { binDays: 30 });
  const { scim } = await directoryOf(world.url, tenant);
  const { id } = (await scim("POST /Users", personNamed(`bin@${tenant.id}.example`))).body;
  assert.equal((await scim(`DELETE /Users/${id}`)).status, 204);
  const { entries } = (await tenant.ask("listBin", {})).body;
  assert.deepEqual(
    entries.map((one: { readonly id: string }) => one.id),
    [id],
  );
  assert.equal((await scim(`GET /Users/${id}`)).status, 404);
  await tenant.ask("restoreFromBin", { ids: [id] });
  assert.equal((await scim(`GET /Users/${id}`)).body.active, false);
  const left = await world.database.read
    .selectFrom("directory_people")
    .select("user_id")
    .where("organization_id", "=", tenant.id)
    .execute();
  assert.deepEqual(left, []);
});

test("without a provider a new person gets an email to choose a password; the history has no secret", async () => {
  const tenant = await world.tenant();
  const { scim, token } = await directoryOf(world.url, tenant);
  const email = `mail@${tenant.id}.example`;
  await scim("POST /Users", personNamed(email, { password: "a secret of the directory" }));
  const { letters } = (await tenant.ask("listLetters", {})).body;
  assert.deepEqual(
    letters.map(({ kind, recipient }: { kind: string; recipient: string }) => [kind, recipient]),
    [["invitation", email]],
  );
  const history = (await tenant.ask("listHistory", {})).text;
  assert.ok(!history.includes("a secret of the directory"));
  assert.ok(!history.includes(token.split(".")[1] ?? token));
});

const race = async ({ tenant: newTenant, url }: Pick<World, "tenant" | "url">): Promise<void> => {
  const tenant = await newTenant();
  const { scim } = await directoryOf(url, tenant);
  const answers = await Promise.all(
    ["a", "b", "c", "d"].map((word) =>
      scim(
        "POST /Users",
        personNamed(`same-${tenant.id}`, { emails: [{ value: `${word}@${tenant.id}.example` }] }),
      ),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  const { used_users } = await tenant.change(async ({ organization }) => organization);
  assert.equal(used_users, 2, "who was refused has left nothing");
};

test("of several simultaneous requests for one userName, one creates a person", () => race(world));

testTwin("a twin that uses a userName again is detected", async (t) =>
  assert.rejects(race(await startWorld(t, { twin: usesNamesAgain })), assert.AssertionError),
);
