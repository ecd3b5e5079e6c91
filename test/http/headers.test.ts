// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { send } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";

const JSON_TYPE = "application/json; charset=utf-8";

test("P-OPS-12: every answer has safe headers, its exact type, and no framework's name", async (t) => {
  const world = await startWorld(t);
  const { token, admin } = await world.tenant();
  const authorization = `Bearer ${token}`;
  const cases: [string, string, string | undefined, Record<string, string>][] = [
    ["GET", "/api/session", undefined, { authorization }],
    ["GET", "/api/roomSetting/none", undefined, { authorization }],
    ["GET", "/api/roomSetting/paginated", undefined, { authorization }],
    ["GET", "/api/roomSetting/paginated?page=0", undefined, { authorization }],
    ["GET", "/api/session", undefined, {}],
    ["PATCH", "/api/session", undefined, { authorization }],
    ["GET", "/api/none", undefined, { authorization }],
    [
      "POST",
      "/api/roomSetting",
      JSON.stringify({ name: "R", roomOwnerId: admin.id }),
      { authorization },
    ],
    ["POST", "/api/user/fetchOrgUsers", "{}", { authorization }],
    ["POST", "/api/user/orgUser", "{", { authorization }],
    ["POST", "/api/user/orgUser", "x".repeat(1_100_000), { authorization }],
    ["POST", "/api/user/orgUser", "{}", { authorization, "content-type": "text/plain" }],
    ["POST", "/api/session", "{}", {}],
    ["POST", "/api/siteSetting/getAuthToken", "{}", {}],
    ["GET", "/nope", undefined, {}],
    ["GET", "/healthz", undefined, {}],
    ["GET", "/readyz", undefined, {}],
    ["GET", "/openapi.json", undefined, {}],
    ["GET", "/docs", undefined, {}],
    ["GET", "/docs/page.css", undefined, {}],
  ];
  for (const [method, path, body, more] of cases) {
    const { headers, status } = await send(
      world.url,
      { method, path, body },
      { origin: "https://evil.example.org", ...more },
    );
    const about = `${method} ${path} ${status}`;
    assert.equal(headers.get("x-content-type-options"), "nosniff", about);
    assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/, about);
    for (const name of ["x-powered-by", "server", "via", "access-control-allow-origin"]) {
      assert.equal(headers.get(name), null, `${about}: ${name}`);
    }
    for (const [, value] of headers) assert.ok(!/fastify|express|node/i.test(value), about);
    if (path.startsWith("/api"))
      assert.match(headers.get("cache-control") ?? "", /^no-store\b/, about);
    if (!path.startsWith("/docs")) assert.equal(headers.get("content-type"), JSON_TYPE, about);
  }
  const page = await send(world.url, { method: "GET", path: "/docs" });
  assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'self'/);
  assert.doesNotMatch(page.headers.get("content-security-policy") ?? "", /unsafe/);
  assert.equal(page.headers.get("cross-origin-opener-policy"), "same-origin");
});

test("P-OPS-12: another site's page may call the interface only from a configured origin", async (t) => {
  const world = await startWorld(t);
  const { token } = await world.tenant();
  const preflight = {
    origin: "https://evil.example.org",
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,content-type",
  };
  for (const path of ["/api/user/orgUser", "/api/roomSetting", "/api/session", "/healthz"]) {
    for (const headers of [preflight, { ...preflight, authorization: `Bearer ${token}` }]) {
      const answer = await send(world.url, { method: "OPTIONS", path }, headers);
      assert.ok(answer.status >= 400, `${path}: ${answer.status}`);
      for (const [name] of answer.headers) assert.ok(!name.startsWith("access-control-"), name);
    }
  }
});

test("each request has an ID, which no caller can choose", async (t) => {
  const world = await startWorld(t);
  const ids = new Set<string>();
  for (let n = 0; n < 20; n += 1) {
    const headers = { "x-request-id": "mine\tmine", "request-id": "mine" };
    const answer = await send(world.url, { method: "GET", path: "/healthz" }, headers);
    ids.add(answer.headers.get("x-request-id") ?? "");
  }
  assert.equal(ids.size, 20);
  assert.ok(![...ids].some((id) => id.includes("mine")));
});
