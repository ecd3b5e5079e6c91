import assert from "node:assert/strict";
import { StatementSync } from "node:sqlite";
import { test } from "node:test";
import { type Answer, type Asked, askAs } from "../world/ask.ts";
import { saidBody } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { failure, listFailure, typedFailure, types } from "./expected.ts";
import { newHome, ROOMS } from "./home.ts";

const world = await startWorld(test);
const home = await newHome(world);
const stranger = await home.person();
const record = await home.room({ room: "r", roomOwnerId: stranger.id });
const sent = { name: "New", room: "r", roomOwnerId: stranger.id };

/** Each room operation: a request, and the wording of its failures. */
const operations = {
  create: [`POST ${ROOMS}`, { ...sent, room: "new" }, failure],
  edit: [`PUT ${ROOMS}`, sent, (...said: [string, string]) => typedFailure(types.edit, ...said)],
  fetch: [
    `GET ${ROOMS}/r`,
    undefined,
    (...said: [string, string]) => typedFailure(types.fetch, ...said),
  ],
  list: [`GET ${ROOMS}/paginated`, undefined, listFailure],
  remove: [
    `DELETE ${ROOMS}/r`,
    undefined,
    (...said: [string, string]) => typedFailure(types.remove, ...said),
  ],
} as const;
type Name = keyof typeof operations;

/**
 * Compares a failure with the operation's own shape, and checks that nothing in the organization has changed.
 */
const holds = async (name: Name, answer: Answer, status: number, code: string, message: string) => {
  const [, , shape] = operations[name];
  assert.deepEqual([answer.status, saidBody(answer.body)], [status, shape(code, message)], name);
  assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
};

for (const [name, [request, body]] of Object.entries(operations)) {
  test(`${name} without a valid token answers 401 with a challenge, in the operation's shape`, async () => {
    const said = [401, "unauthorized", "A valid Bearer token is required."] as const;
    const none = await world.open(request, body);
    await holds(name as Name, none, ...said);
    assert.equal(none.headers.get("www-authenticate"), 'Bearer realm="parley"');
    const unknown = await askAs(world.url, "unknown")(request, body);
    await holds(name as Name, unknown, ...said);
    const challenge = 'Bearer realm="parley", error="invalid_token"';
    assert.equal(unknown.headers.get("www-authenticate"), challenge);
    assert.deepEqual([await home.fetched("r"), await home.used()], [record, 1]);
  });
}

test("without admin nobody creates, edits or deletes a room, not even their own", async () => {
  for (const name of ["create", "edit", "remove"] as const) {
    const [request, body] = operations[name];
    const said = [403, "not_allowed", "Only an administrator may do this."] as const;
    await holds(name, await stranger.ask(request, body), ...said);
    const [method] = request.split(" ");
    const unknown: Asked = name === "remove" ? `${method} ${ROOMS}/nowhere` : request;
    await holds(name, await stranger.ask(unknown, {}), ...said);
  }
  assert.deepEqual([await home.fetched("r"), await home.used()], [record, 1]);
});

test("an unsupported method gets 405, with the supported ones", async () => {
  const table = [
    ["GET", "", "POST, PUT"],
    ["PATCH", "", "POST, PUT"],
    ["DELETE", "", "POST, PUT"],
    ["PUT", "/r", "GET, HEAD, DELETE"],
    ["POST", "/paginated", "GET, HEAD, DELETE"],
  ] as const;
  for (const [method, path, allow] of table) {
    const body = method === "GET" ? undefined : {};
    const answer = await home.ask(`${method} ${ROOMS}${path}`, body);
    assert.deepEqual([answer.status, answer.headers.get("allow")], [405, allow], method + path);
    assert.deepEqual([answer.body.success, answer.body.code], [false, "method_not_allowed"]);
    assert.equal((await world.open(`${method} ${ROOMS}${path}`, body)).status, 401);
  }
});

test("a body that is not a JSON object is refused, and another content type gets 415", async () => {
  for (const name of ["create", "edit"] as const) {
    const [request, , shape] = operations[name];
    const said = "The body must be a JSON object.";
    const errors = [{ field: "", message: said }];
    for (const body of ["[]", '"text"', "1", "true", "[{}]"]) {
      const answer = await home.ask(request, body);
      const expected = { ...shape("invalid_input", said), errors };
      assert.deepEqual([answer.status, saidBody(answer.body)], [400, expected]);
    }
    const cut = await home.ask(request, '{"name":');
    assert.deepEqual([cut.status, cut.body.code], [400, "invalid_json"]);
    const missing = name === "create" ? "name is required." : "room is required.";
    for (const body of [undefined, "", "null", "{}"]) {
      const answer = await home.ask(request, body);
      assert.deepEqual([answer.status, answer.body.message], [400, missing]);
    }
    const type = { "content-type": "text/plain" };
    const said415 =
      "The body must be sent as application/json, in UTF-8, without a content encoding.";
    await holds(name, await home.ask(request, "{}", type), 415, "unsupported_media_type", said415);
  }
});

test("fields that name an organization are ignored, because the token determines it", async () => {
  const other = await newHome(world);
  const foreign = { organizationId: other.id, orgId: other.id, siteSetting: other.id };
  const headers = { "x-org": other.id, "x-organization-id": other.id };
  const body = { ...sent, room: "own", ...foreign };
  const { status } = await home.ask(`POST ${ROOMS}`, body, headers);
  assert.deepEqual([status, await other.used()], [201, 0]);
  await home.ask(`DELETE ${ROOMS}/own`);
});

/** Makes the service's database unavailable, as far as possible from here. */
const takeAway = async (): Promise<() => void> => {
  if (process.env.TEST_DATABASE === "postgres") return async () => {};
  const { prototype } = StatementSync;
  const { all, get, run, iterate } = prototype;
  const away = () => {
    throw Object.assign(new Error("disk I/O error"), { errcode: 10, errstr: "disk I/O error" });
  };
  Object.assign(prototype, { all: away, get: away, run: away, iterate: away });
  return () => void Object.assign(prototype, { all, get, run, iterate });
};

test("while the database is unavailable each operation fails in its own words, and works again afterwards", {
  skip: process.env.TEST_DATABASE === "postgres" && "shown with a server of its own elsewhere",
}, async () => {
  const giveBack = await takeAway();
  try {
    for (const [name, [request, body]] of Object.entries(operations)) {
      const answer = await home.ask(request, body);
      const said: readonly [string, string] =
        name === "list"
          ? ["database_connection", "Database connection error"]
          : ["unavailable", "The database is not available. Try again in a moment."];
      await holds(name as Name, answer, 503, ...said);
      assert.match(answer.headers.get("retry-after") ?? "", /^[1-9][0-9]*$/);
    }
  } finally {
    giveBack();
  }
  assert.deepEqual([await home.fetched("r"), await home.used()], [record, 1]);
});
