// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { bearer, send } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { rawRequest, sendRaw } from "../world/raw.ts";
import { startWorld } from "../world/world.ts";

const origin = "https://portal.example.org";
const world = await startWorld(test, { environment: { LOG_LEVEL: "debug", CORS_ORIGINS: origin } });

const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];
/** Parts of an address that cannot be decoded, or are longer than any ID. */
const strange = ["%", "%ff", "%E0%A4%A", "%c3%28", "a%zz", "x".repeat(401), "x".repeat(8_000)];

/** The answer without what differs between requests; also checks that its ID is logged once. */
const answered = async (method: string, path: string, headers: Record<string, string>) => {
  const body = /^P|DELETE/.test(method) ? '{"name":"%ff"}' : undefined;
  const answer = await send(world.url, { method, path, body }, { origin, ...headers });
  const id = answer.headers.get("x-request-id") ?? "";
  assert.match(id, /^[0-9a-f-]{36}$/, `${method} ${path}`);
  const loggedNow = () => world.log.filter((line) => line.includes(id));
  await until("it is logged", () => loggedNow().length > 0);
  const logged = loggedNow().map((line) => JSON.parse(line));
  assert.deepEqual(
    logged.map((line) => [line.method, line.status]),
    [[method, answer.status]],
  );
  const same = [...answer.headers].filter(([name]) => name !== "date" && name !== "x-request-id");
  return { status: answer.status, headers: Object.fromEntries(same), text: answer.text };
};

test("an undecodable or endless address gets the answer for an unknown one", async () => {
  const { token } = await world.tenant();
  const places = ["/api/roomSetting/none", "/api/webhook/none", "/api/none", "/none"];
  for (const place of places) {
    for (const method of methods) {
      for (const headers of [{}, bearer(token), bearer("wrong")]) {
        const usual = await answered(method, place, headers);
        assert.ok(usual.status >= 400, `${method} ${place}`);
        for (const one of strange) {
          const path = place.replace("none", one);
          assert.deepEqual(await answered(method, path, headers), usual, `${method} ${path}`);
        }
      }
    }
  }
});

test("other sites' pages get the usual CORS answers at such addresses", async () => {
  const preflight = { "access-control-request-method": "DELETE" };
  for (const one of ["none", ...strange]) {
    const { status } = await answered("OPTIONS", `/api/roomSetting/${one}`, preflight);
    assert.equal(status, 204, one);
  }
});

test("an absolute URL, and one without a path, are answered", async () => {
  const lines = ["GET http://x/api/roomSetting/%ff", "GET http://x/%", "OPTIONS *"];
  for (const line of lines) {
    const request = rawRequest([`${line} HTTP/1.1`, "Host: x", "Connection: close"]);
    const { status, headers, body } = await sendRaw(world.url, request);
    assert.equal(status, line.includes("/api/") ? 401 : 404, line);
    assert.equal(JSON.parse(body).success, false, line);
    assert.match(headers["x-request-id"] ?? "", /^[0-9a-f-]{36}$/, line);
  }
});

test("an absolute URL gets its path's answer, and with a fragment or an impossible host that for an unknown one", async () => {
  const { ask, admin, token } = await world.tenant();
  const made = { name: "Board", roomOwnerId: admin.id, room: "board" };
  assert.equal((await ask("createRoom", made)).status, 201);
  const sent = (line: string, ...more: string[]) =>
    sendRaw(world.url, rawRequest([`${line} HTTP/1.1`, "Host: x", "Connection: close", ...more]));
  const authorization = `Authorization: ${bearer(token).authorization}`;
  const cases = [
    ["GET http://x/api/none", 404],
    ["GET http://x/api/roomSetting/paginated?limit=1", 200],
    ["GET http://x/api/roomSetting/paginated?limit=1#f", 404],
    ["DELETE http://x/api/roomSetting/board#f", 404],
    ["DELETE http://x:99999999/api/roomSetting/board", 404],
    ["DELETE http://x/api/roomSetting/board", 200],
  ] as const;
  for (const [line, status] of cases) {
    const stranger = await sent(line);
    assert.deepEqual([stranger.status, stranger.headers["cache-control"]], [401, "no-store"], line);
    assert.equal((await sent(line, authorization)).status, status, line);
  }
});
