// Runs: alone

import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { BULK } from "../../contract/people/users.ts";
import { send } from "../world/ask.ts";
import { count } from "../world/seed.ts";
import { startWorld, type World } from "../world/world.ts";

const MIB = 1024 * 1024;
const path = "/api/user/orgUser";

const post = (url: string, token: string, body: string | Buffer, headers = {}) =>
  send(url, { method: "POST", path, body }, { authorization: `Bearer ${token}`, ...headers });

/** Sends a chunked body without a length, until the service refuses more. */
const postChunks = (url: string, token: string, bytes: number) =>
  new Promise<{ readonly status: number | undefined; readonly sent: number }>((resolve) => {
    const { hostname, port } = new URL(url);
    const chunk = Buffer.alloc(64 * 1024, " ");
    let sent = 0;
    const asked = request({
      hostname,
      port,
      path,
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
    const more = () => {
      while (sent < bytes && !asked.destroyed) {
        sent += chunk.length;
        if (!asked.write(chunk)) return void asked.once("drain", more);
      }
      asked.end();
    };
    asked.on("response", (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode, sent });
      asked.destroy();
    });
    asked.on("error", () => resolve({ status: undefined, sent }));
    more();
  });

test("P-INP-2: a body beyond 1 MiB is refused early, however it is sent", async (t) => {
  const world = await startWorld(t);
  const { token, ask } = await world.tenant();
  const large = await post(world.url, token, " ".repeat(MIB + 1));
  assert.deepEqual([large.status, large.body.code], [413, "body_too_large"]);
  assert.equal((await post(world.url, token, Buffer.alloc(10 * MIB, "["))).status, 413);
  const { status, sent } = await postChunks(world.url, token, count(100, 1024, 40) * MIB);
  // The connection may be cut before the answer is read, and is never read to its end.
  assert.ok(status === 413 || status === undefined, `${status}`);
  assert.ok(sent < 50 * MIB, `${sent} bytes were taken`);
  const fits = JSON.stringify({ name: "x".repeat(MIB - 30) });
  assert.equal((await post(world.url, token, fits)).body.code, "email_and_name_required");
  assert.equal((await ask("whoAmI", {})).status, 200);
});

test("P-INP-2: nesting beyond 32 is refused, at 32 the fields are checked", async (t) => {
  const world = await startWorld(t);
  const { token } = await world.tenant();
  const nested = (depth: number) => `{"name":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
  const deep = async (depth: number) => (await post(world.url, token, nested(depth))).body;
  assert.equal((await deep(32)).code, "email_and_name_required");
  for (const depth of [33, 1000, 100_000, 500_000]) {
    const { code, message } = await deep(depth);
    assert.equal(code, "invalid_json", `${depth}`);
    assert.match(message, /nested deeper than 32/);
  }
  // Brackets within a text do not count as nesting.
  const text = JSON.stringify({ name: '["{'.repeat(50), email: "" });
  assert.equal((await post(world.url, token, text)).body.code, "email_and_name_required");
});

test("P-INP-2: a compressed body and any content type but JSON are refused", async (t) => {
  // Created before the service starts, which runs in this process and would consider itself overloaded.
  const bomb = gzipSync(Buffer.alloc(50 * MIB, " "));
  const world = await startWorld(t);
  const { token } = await world.tenant();
  for (const encoding of ["gzip", "br", "deflate", "identity, gzip", "x"]) {
    const { status, body } = await post(world.url, token, bomb, { "content-encoding": encoding });
    assert.deepEqual([status, body.code], [415, "unsupported_media_type"], encoding);
  }
  const types = ["text/plain", "application/xml", "application/x-www-form-urlencoded", "text/json"];
  for (const type of [...types, "multipart/form-data; boundary=x", "application/jsonx"]) {
    const { status, body } = await post(world.url, token, "{}", { "content-type": type });
    assert.deepEqual([status, body.code], [415, "unsupported_media_type"], type);
  }
  for (const charset of ["utf-16", "utf-16le", "iso-8859-1", '"UTF-16"', "", "utf-8; charset=x"]) {
    const type = `application/json; charset=${charset}`;
    const { status, body } = await post(world.url, token, "{}", { "content-type": type });
    assert.deepEqual([status, body.code], [415, "unsupported_media_type"], type);
  }
  const utf8 = ["charset=utf-8", 'Charset="UTF-8"', "charset=utf8", "x=y;charset=utf-8"];
  for (const type of [
    "application/json",
    "APPLICATION/JSON",
    ...utf8.map((parameter) => `application/json; ${parameter}`),
  ]) {
    const { status } = await post(world.url, token, "{}", { "content-type": type });
    assert.equal(status, 400, type);
  }
});

test("P-INP-2: bulk operations accept a thousand entries, and not one more", async (t) => {
  const world = await startWorld(t);
  const { ask } = await world.tenant();
  const many = (length: number) => Array.from({ length }, (_, n) => `id-${n}`);
  for (const [id, input] of [
    ["deleteUsers", (all: string[]) => all],
    ["revokeUsers", (all: string[]) => all.map((userId) => ({ userId }))],
  ] as const) {
    assert.equal((await ask(id, input(many(BULK)))).body.code, "user_not_found");
    const { status, body } = await ask(id, input(many(BULK + 1)));
    assert.deepEqual([status, body.code], [400, "invalid_input"]);
    assert.match(body.message, /at most 1000 entries/);
  }
  const found = await ask("findUsers", { userIds: many(BULK) });
  assert.deepEqual([found.status, found.body.users], [200, []]);
  assert.equal((await ask("findUsers", { userIds: many(BULK + 1) })).status, 400);
});

/**
 * The most processor time, in milliseconds, that this process (with the service) uses before a quick request
 * is answered while something large is in progress. Elapsed time would include other processes.
 */
const slowestBeside = async ({ url }: World, work: () => Promise<unknown>): Promise<number> => {
  let slowest = 0;
  let working = true;
  const beside = (async () => {
    while (working) {
      const begun = process.cpuUsage();
      await send(url, { method: "GET", path: "/healthz" });
      const { user, system } = process.cpuUsage(begun);
      slowest = Math.max(slowest, (user + system) / 1_000);
    }
  })();
  await work();
  working = false;
  await beside;
  return slowest;
};

test("P-INP-2: a million entries and a hundred thousand keys delay nobody else", async (t) => {
  const world = await startWorld(t);
  const { token } = await world.tenant();
  const keys = JSON.stringify(
    Object.fromEntries(Array.from({ length: 70_000 }, (_, n) => [`k${n}`, 0])),
  );
  const entries = `[${"0,".repeat(500_000)}0]`;
  const authorization = `Bearer ${token}`;
  const before = process.memoryUsage.rss();
  const slowest = await slowestBeside(world, async () => {
    for (let n = 0; n < 3; n += 1) {
      assert.equal((await post(world.url, token, keys)).status, 400);
      for (const path of ["/api/user/revokeOrgUsers", "/api/user/permDeleteOrgUsers"]) {
        const request = { method: "POST", path, body: entries };
        const { status, text } = await send(world.url, request, { authorization });
        assert.equal(status, 400);
        assert.ok(text.length < 100_000, `an answer of ${text.length} characters`);
      }
    }
  });
  t.diagnostic(`slowest other request: ${Math.round(slowest)} ms`);
  assert.ok(slowest < 2000, `${slowest} ms`);
  const grown = (process.memoryUsage.rss() - before) / MIB;
  t.diagnostic(`memory grew by ${Math.round(grown)} MiB, the asking side included`);
});
