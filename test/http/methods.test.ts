// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Operation } from "../../contract/kit/operation.ts";
import { all } from "../isolation/rows.ts";
import { requestFor, send } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];

/** Returns whether an address belongs to an operation. */
const matches = ({ path }: Operation, address: string): boolean =>
  new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`).test(address);

test("an unsupported method gets 405 with Allow at a known address and 404 elsewhere, after the token is checked", async (t) => {
  const world = await startWorld(t);
  const { token } = await world.tenant();
  const authorization = `Bearer ${token}`;
  const byPath = Map.groupBy(
    all,
    ([, operation]) =>
      requestFor(operation, operation.in === "path" ? { id: "none" } : undefined).path,
  );
  for (const [path, operations] of byPath) {
    const allowed = operations.flatMap(([, { method }]) =>
      method === "GET" ? ["GET", "HEAD"] : [method],
    );
    // A room's ID may be equal to a part of another address.
    const more = all
      .filter(([, one]) => !operations.some(([, { id }]) => id === one.id) && matches(one, path))
      .flatMap(([, { method }]) => (method === "GET" ? ["GET", "HEAD"] : [method]))
      .filter((method) => !allowed.includes(method));
    for (const method of methods.filter((one) => ![...allowed, ...more].includes(one))) {
      const answer = await send(world.url, { method, path }, { authorization });
      assert.equal(answer.status, 405, `${method} ${path}`);
      const listed = (answer.headers.get("allow") ?? "").split(", ");
      assert.deepEqual(
        listed.filter((one) => !more.includes(one)).sort(),
        [...allowed].sort(),
        path,
      );
      const isOpen =
        operations.every(([, { access }]) => access.startsWith("anyone")) && more.length === 0;
      const without = await send(world.url, { method, path });
      assert.equal(without.status, isOpen ? 405 : 401, `${method} ${path} without a token`);
    }
  }
  for (const path of [
    "/api",
    "/api/",
    "/api/none",
    "/api/user",
    "/API/user/orgUser",
    "/api/user/orgUser/",
  ]) {
    for (const method of methods) {
      const under = path.toLowerCase().startsWith("/api") && path.startsWith("/api");
      const { status } = await send(world.url, { method, path }, { authorization });
      assert.equal(status, 404, `${method} ${path}`);
      if (under) assert.equal((await send(world.url, { method, path })).status, 401, path);
    }
  }
});

test("HEAD answers like GET, without a body", async (t) => {
  const world = await startWorld(t);
  const { token, ask, admin } = await world.tenant();
  await ask("createRoom", { name: "Room", roomOwnerId: admin.id, room: "board" });
  const authorization = `Bearer ${token}`;
  const paths = ["/api/roomSetting/board", "/api/roomSetting/none", "/api/session", "/healthz"];
  for (const path of [...paths, "/api/roomSetting/paginated", "/openapi.json", "/docs"]) {
    const got = await send(world.url, { method: "GET", path }, { authorization });
    const head = await send(world.url, { method: "HEAD", path }, { authorization });
    assert.deepEqual([head.status, head.text], [got.status, ""], path);
    for (const name of ["content-type", "content-length", "cache-control"]) {
      assert.equal(head.headers.get(name), got.headers.get(name), `${path} ${name}`);
    }
  }
});

test("GET and DELETE work with a JSON content type and no body, as the interface sends them", async (t) => {
  const world = await startWorld(t);
  const { token, ask, admin } = await world.tenant();
  const authorization = `Bearer ${token}`;
  for (const headers of [{ "content-type": "application/json" }, { "content-length": "0" }]) {
    await ask("createRoom", { name: "Room", roomOwnerId: admin.id, room: "board" });
    const path = "/api/roomSetting/board";
    for (const method of ["GET", "DELETE"]) {
      const answer = await fetch(world.url + path, {
        method,
        headers: { authorization, ...headers },
      });
      assert.equal(answer.status, 200, `${method} ${JSON.stringify(headers)}`);
      await answer.arrayBuffer();
    }
  }
});

test("the body of a request is not read before its token is checked", async (t) => {
  const world = await startWorld(t);
  for (const body of ["{", "x".repeat(2_000_000), '{"a":'.repeat(100)]) {
    const path = "/api/user/orgUser";
    const answer = await send(world.url, { method: "POST", path, body }).catch(() => undefined);
    // The connection may be cut while the rest of the body is on its way.
    if (answer) assert.equal(answer.status, 401);
  }
  const typed = { "content-type": "text/plain", "content-encoding": "gzip" };
  const wrong = { method: "PUT", path: "/api/roomSetting", body: "x" };
  assert.equal((await send(world.url, wrong, typed)).status, 401);
});

test("an unknown address is answered in JSON, even to a browser where no console is served", async (t) => {
  const world = await startWorld(t);
  for (const accept of ["application/json", "*/*", "text/html"]) {
    const answer = await send(world.url, { method: "GET", path: "/nope" }, { accept });
    assert.deepEqual([answer.status, answer.body.code], [404, "not_found"], accept);
  }
});
