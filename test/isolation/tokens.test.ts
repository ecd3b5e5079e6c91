import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { createAccessKey } from "../../server/access/access-keys.ts";
import { requestFor, send } from "../world/ask.ts";
import { webTokens } from "../world/corpora.ts";
import { count, rollDice } from "../world/seed.ts";
import { startWorld, type World } from "../world/world.ts";
import { all } from "./rows.ts";

/** Operations that need no token still refuse a wrong one: test/meetings/join.test.ts. */
const guarded = all.filter(([, { access }]) => !access.startsWith("anyone"));

/** All stored data, as text. */
const everything = async ({ database }: World): Promise<string> => {
  const { read } = database;
  const tables = [
    await read.selectFrom("organizations").selectAll().execute(),
    await read.selectFrom("users").selectAll().execute(),
    await read.selectFrom("rooms").selectAll().execute(),
    await read.selectFrom("tokens").selectAll().execute(),
    await read.selectFrom("access_keys").selectAll().execute(),
    await read.selectFrom("letters").selectAll().execute(),
  ];
  return JSON.stringify(tables);
};

test("P-TOK-1: without a valid token every operation answers 401 before it reads anything", async (t) => {
  const world = await startWorld(t);
  const { token } = await world.tenant();
  const before = await everything(world);
  const wrong: Record<string, string>[] = [
    {},
    { authorization: "Bearer" },
    { authorization: "Bearer " },
    { authorization: "Basic dXNlcjpwYXNz" },
    { authorization: token },
    { authorization: `Token ${token}` },
    { authorization: `Bearer ${token}x` },
    { authorization: `Bearer ${token.slice(0, -1)}` },
    { authorization: `Bearer ${token}, Bearer ${token}` },
    { authorization: `Bearer "${token}"` },
    { authorization: `Bearer ${"x".repeat(4000)}` },
    { "x-access-token": token, cookie: `token=${token}; access_token=${token}` },
  ];
  const answers = new Set<string>();
  for (const [id, operation] of guarded) {
    const { path } = requestFor(operation, operation.in === "path" ? { id: "x" } : {});
    const { method } = operation;
    for (const headers of wrong) {
      // An invalid body, which must not be looked at.
      const body = method === "GET" || method === "DELETE" ? undefined : '{"broken';
      const answer = await send(world.url, { method, path, body }, headers);
      const { "x-request-id": _, ...told } = Object.fromEntries(answer.headers);
      assert.equal(answer.status, 401, `${id} with ${JSON.stringify(headers)}: ${answer.text}`);
      assert.equal(answer.body.code, "unauthorized");
      const challenge = headers.authorization === undefined ? "" : ', error="invalid_token"';
      assert.equal(told["www-authenticate"], `Bearer realm="parley"${challenge}`);
      if (challenge !== "") answers.add(`${operation.failure} ${answer.text}`);
    }
    for (const query of [
      `?access_token=${token}`,
      `?token=${token}`,
      `?authorization=Bearer ${token}`,
    ]) {
      assert.equal((await send(world.url, { method, path: path + query })).status, 401, id);
    }
    if (method === "POST" || method === "PUT") {
      const body = JSON.stringify({ access_token: token, token, authorization: `Bearer ${token}` });
      assert.equal((await send(world.url, { method, path, body })).status, 401, id);
    }
  }
  for (const method of ["PATCH", "PUT", "DELETE", "QUERY", "PROPFIND"]) {
    for (const path of ["/api/user/fetchOrgUsers", "/api/nothing", "/api", "/api/"]) {
      assert.equal((await send(world.url, { method, path })).status, 401, `${method} ${path}`);
    }
  }
  assert.equal(await everything(world), before, "nothing was written");
  t.diagnostic(`${guarded.length} operations, ${wrong.length + 4} ways`);
});

test("P-TOK-1: the scheme counts in any case, two headers never, and a huge token is no 500", async (t) => {
  const world = await startWorld(t);
  const { token, ask } = await world.tenant();
  for (const scheme of ["Bearer", "bearer", "BEARER", "bEaReR"]) {
    const { status } = await ask("whoAmI", {}, { authorization: `${scheme} ${token}` });
    assert.equal(status, 200, scheme);
  }
  const { hostname, port } = new URL(world.url);
  const statusWith = (authorization: string | string[]) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: authorization as string };
      request({ hostname, port, path: "/api/session", headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on("error", reject)
        .end();
    });
  assert.equal(await statusWith([`Bearer ${token}`, `Bearer ${token}`]), 401);
  assert.equal(await statusWith([`Bearer ${token}`, "Basic x"]), 401);
  assert.equal(await statusWith(`Bearer ${"x".repeat(17 * 1024)}`), 431);
});

test("P-TOK-2: tokens that might fool a JWT library open nothing", async (t) => {
  const world = await startWorld(t);
  const dice = rollDice(t);
  const { ask } = await world.tenant();
  const unknown = await ask("whoAmI", {}, { authorization: "Bearer unknown" });
  const tokens = dice.shuffled([...new Set(webTokens())]).slice(0, count(60, 500));
  for (const token of tokens) {
    // Texts that are not valid header values cannot be sent at all.
    if (!/^[\x20-\x7e]+$/.test(token)) continue;
    const { status, text } = await ask("whoAmI", {}, { authorization: `Bearer ${token}` });
    assert.deepEqual([status, text], [401, unknown.text], token);
  }
  t.diagnostic(`${tokens.length} tokens`);
});

test("P-TOK-3: neither the database nor the log holds a token or a secret", async (t) => {
  const world = await startWorld(t, { environment: { LOG_LEVEL: "trace" } });
  const { ask, change } = await world.tenant();
  const secrets: string[] = [];
  for (let n = 0; n < count(10, 50); n += 1) {
    const { accessKey, secretAccessKey } = await change(createAccessKey);
    const { body } = await ask("getAuthToken", { accessKey, secretAccessKey });
    await ask("whoAmI", {}, { authorization: `Bearer ${body.authToken.token}` });
    await ask("getAuthToken", { accessKey, secretAccessKey: `${secretAccessKey.slice(1)}0` });
    secrets.push(secretAccessKey, body.authToken.token);
  }
  const { email, password } = world.first.admin;
  const session = await ask("signIn", { login: email, password });
  const cookie = session.headers.get("set-cookie") ?? "";
  const renewal = /=([^;]+);/.exec(cookie)?.[1] ?? assert.fail(cookie);
  assert.equal(
    (await ask("renewSession", {}, { cookie: cookie.split(";", 1)[0] ?? "" })).status,
    200,
  );
  secrets.push(password, session.body.token, renewal);
  const stored = await everything(world);
  const logged = world.log.join("");
  for (const secret of secrets) {
    for (const form of [
      secret,
      Buffer.from(secret).toString("base64"),
      Buffer.from(secret).toString("hex"),
    ]) {
      assert.ok(!stored.includes(form), "stored");
      assert.ok(!logged.includes(form), "logged");
    }
  }
  assert.ok(logged.includes("getAuthToken"), "the log was on");
  t.diagnostic(`${secrets.length} secrets`);
});
