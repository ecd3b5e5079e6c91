// Runs: sqlite

import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { type TestContext, test } from "node:test";
import { createClient } from "../../contract/client.ts";
import { type Bounds, boundedFetch } from "../../server/cli/bounded-fetch.ts";
import { type ReadLimits, readContent } from "../../server/imports/read-service.ts";
import { failure } from "../cli/run.ts";
import { startAnswering } from "../world/answering.ts";

/* A service that people are moved from, and that answers anything. */

type Answer = (path: string, response: ServerResponse) => unknown;

const json = (response: ServerResponse, body: unknown) => response.end(JSON.stringify(body));

/** The answers of an empty service. */
const empty: Answer = (path, response) => {
  if (path.endsWith("/getAuthToken")) {
    return json(response, { authToken: { ok: true, message: "", token: "t" } });
  }
  const list = path.includes("/roomSetting/") ? { roomSettings: [] } : { users: [] };
  return json(response, { success: true, ...list, pagination: { page: 1, totalPages: 1 } });
};

/** Starts a service that answers like this where the path matches, and is empty otherwise. */
const start = (t: TestContext, where: RegExp, answer: Answer): Promise<string> =>
  startAnswering(t, ({ url: path = "" }, response) => {
    (where.test(path) ? answer : empty)(path, response);
  });

const bounds: Bounds = { bytes: 1024 ** 2, silentMs: 60_000, wholeMs: 60_000 };
const limits: ReadLimits = { entries: 1_000, letters: 1024 ** 2, milliseconds: 60_000 };

const read = (baseUrl: string, bound: Partial<Bounds> = {}, limit: Partial<ReadLimits> = {}) => {
  const fetch = boundedFetch({ ...bounds, ...bound });
  return readContent(createClient({ baseUrl, token: "t", fetch }), { ...limits, ...limit });
};

const room = (n: number, more: object = {}) => ({
  room: `r${n}`,
  name: "R",
  roomOwnerId: "",
  ...more,
});
const ROOMS = /roomSetting\/paginated/;

test("endless pages are read up to a number of rooms and a size", async (t) => {
  let pages = 0;
  const pageOf = (more: object) => (_path: string, response: ServerResponse) => {
    pages += 1;
    const roomSettings = Array.from({ length: 100 }, (_, n) => room(pages * 100 + n, more));
    json(response, { roomSettings, pagination: { page: pages, totalPages: pages + 1 } });
  };
  const many = await start(t, ROOMS, pageOf({}));
  await assert.rejects(read(many), { name: "OddService", message: /more people and rooms than/ });
  assert.equal(pages, 11);
  pages = 0;
  const large = await start(t, ROOMS, pageOf({ roomAgenda: "x".repeat(4_000) }));
  await assert.rejects(read(large), /more people and rooms than/);
  assert.ok(pages < 5, `${pages} pages`);
});

test("a list that begins again, or has endless empty pages, ends", async (t) => {
  let pages = 0;
  const pagination = { page: 1, totalPages: 1_000_000 };
  const same = await start(t, ROOMS, (_path, response) => {
    pages += 1;
    json(response, { roomSettings: [room(1), room(2)], pagination });
  });
  await assert.rejects(read(same), { name: "OddService", message: /same page again/ });
  const none = await start(t, ROOMS, (_path, response) => {
    pages += 1;
    json(response, { roomSettings: [], pagination });
  });
  assert.deepEqual(await read(none), { users: [], rooms: [] });
  assert.equal(pages, 3);
});

test("a service without a number of pages does not count as a short one", async (t) => {
  for (const pagination of [undefined, {}, { totalPages: "many" }, { totalPages: 1.5 }]) {
    const url = await start(t, ROOMS, (_path, response) => {
      json(response, { roomSettings: [room(1)], pagination });
    });
    await assert.rejects(read(url), { name: "OddService", message: /how many pages/ });
  }
});

test("a list that changes while it is read names each entry once", async (t) => {
  const pages = [
    [room(1), room(2)],
    [room(2), room(3)],
  ];
  const url = await start(t, ROOMS, (path, response) => {
    const page = Number(new URL(path, "http://x").searchParams.get("page"));
    json(response, { roomSettings: pages[page - 1], pagination: { page, totalPages: 2 } });
  });
  const { rooms } = await read(url);
  assert.deepEqual(
    rooms.map((one) => one.room),
    ["r1", "r2", "r3"],
  );
});

test("an endless answer takes bounded memory, and one that stops or drips ends", async (t) => {
  const flood = await start(t, /fetchOrgUsers/, (_path, response) => {
    const write = (): void => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
    };
    response.on("drain", write);
    write();
  });
  await assert.rejects(read(flood), { name: "CommandError", message: /more than 1 MB at once/ });
  const silent = await start(t, /fetchOrgUsers/, () => {});
  await assert.rejects(read(silent, { silentMs: 200 }), /did not go on/);
  const stopped = await start(t, /fetchOrgUsers/, (_path, response) => response.write("{"));
  await assert.rejects(read(stopped, { silentMs: 500 }), /did not go on/);
  const dripping = await start(t, /fetchOrgUsers/, (_path, response) => {
    const timer = setInterval(() => response.write(" "), 20);
    response.once("close", () => clearInterval(timer));
  });
  await assert.rejects(read(dripping, { wholeMs: 1_000 }), /did not go on/);
  await assert.rejects(read(dripping, {}, { milliseconds: 1_000 }), /everything in time/);
});

test("answers of another interface are reported as such, without a stack", async (t) => {
  const key = { PARLEY_ACCESS_KEY: "k", PARLEY_SECRET_ACCESS_KEY: "s" };
  const from = { PARLEY_FROM_ACCESS_KEY: "k", PARLEY_FROM_SECRET_ACCESS_KEY: "s" };
  const env = { ...key, ...from, PUBLIC_URL: "http://127.0.0.1:9" };
  const said = async (where: RegExp, answer: Answer): Promise<string> => {
    const error = await failure(1, env, "import", "--from", await start(t, where, answer));
    assert.doesNotMatch(error, /should not have happened|at \w+ \(/);
    return error;
  };
  const users = /fetchOrgUsers/;
  assert.match(await said(users, (_, response) => json(response, {})), /without a list of users/);
  assert.match(
    await said(users, (_, response) => json(response, { users: [1, null] })),
    /without a list of users/,
  );
  assert.match(
    await said(users, (_, response) => json(response, { users: [{ email: "a" }] })),
    /users without an ID/,
  );
  const codes = "\u001b[2J\u202e";
  const refused = await said(users, (_, response) => {
    response.writeHead(400);
    json(response, { message: `${codes}No\n${"x".repeat(10_000)}` });
  });
  assert.doesNotMatch(refused.trimEnd(), /[\p{C}\n]/u);
  assert.ok(refused.length < 500, String(refused.length));
  assert.match(
    await said(/getAuthToken/, (_, response) =>
      response.writeHead(307, { location: "http://127.0.0.1:9/" }).end(),
    ),
    /answers with a redirect/,
  );
});
