// Runs: sqlite

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { all } from "../isolation/rows.ts";
import { testTwin } from "../twins/test-twin.ts";
import { type Twin, withReplaced } from "../twins/twin.ts";
import { requestFor, send } from "../world/ask.ts";
import { openRaw, type Raw, rawRequest } from "../world/raw.ts";
import { startWorld, type World } from "../world/world.ts";

/** The largest body without a token, in bytes. */
const OPEN_BYTES = 16 * 1024;

/** Room for 32 bodies of one holder that have not begun, and for 64 of all. */
const small = (twin?: Twin): Twin =>
  withReplaced(twin, "room for few bodies", {
    file: "http/limits.ts",
    export: "limits",
    by: `(real) => ({
      ...real,
      bodiesOfStrangers: { ...real.bodiesOfStrangers, ofOne: 32 * 2048, inAll: 64 * 2048 },
      bodiesOfCallers: { ...real.bodiesOfCallers, ofOne: 32 * 2048, inAll: 64 * 2048 },
    })`,
  });

/** Lets one holder take everything. */
const countsNoHolder: Twin = {
  name: "counts no holder's bodies",
  replaced: [{ file: "http/reading.ts", lines: "holder.held > this.#limits.ofOne", by: "false" }],
};

/** Holds every body that begins. */
const countsNoBodies: Twin = {
  name: "counts no bodies in all",
  replaced: [{ file: "http/reading.ts", lines: "this.#held > this.#limits.inAll", by: "false" }],
};

const statusOf = (said: string): number => Number(said.slice(9, 12));

test("operations without a token take at most 16 KiB, with or without an announced length", async (t) => {
  const world = await startWorld(t);
  const body = JSON.stringify({ roomId: "x".repeat(OPEN_BYTES) });
  for (const [id, operation] of all) {
    if (!operation.access.startsWith("anyone") || operation.in !== "body") continue;
    const { method, path } = requestFor(operation, {});
    const { status, body: answered } = await send(world.url, { method, path, body });
    assert.deepEqual([status, answered.code], [413, "body_too_large"], id);
    const raw = openRaw(world.url);
    const lines = ["Host: x", "Content-Type: application/json", "Transfer-Encoding: chunked"];
    const chunk = `${(OPEN_BYTES + 1).toString(16)}\r\n${" ".repeat(OPEN_BYTES + 1)}\r\n`;
    raw.send(rawRequest([`${method} ${path} HTTP/1.1`, ...lines], chunk));
    assert.equal(statusOf(await raw.wait(/\r\n\r\n/)), 413, id);
    await raw.closed;
  }
  const fits = JSON.stringify({ roomId: "x".repeat(OPEN_BYTES - 20) });
  const path = "/api/meeting/joinRoom";
  assert.equal((await send(world.url, { method: "POST", path, body: fits })).status, 400);
});

/** Begins a body, and waits until the service reads it. */
const begin = async (
  { url }: World,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Raw> => {
  const raw = openRaw(url);
  const lines = Object.entries({
    host: "x",
    "content-type": "application/json",
    "transfer-encoding": "chunked",
    expect: "100-continue",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  raw.send(rawRequest([`POST ${path} HTTP/1.1`, ...lines]));
  await raw.wait(/^HTTP\/1\.1 100 /);
  return raw;
};

/** The answer after `100 Continue`. */
const lastOf = (said: string): string => said.replace(/^HTTP\/1\.1 100 .*?\r\n\r\n/s, "");

interface Crowd {
  readonly path: string;
  /** The headers of each body that begins. */
  readonly bodies: readonly Readonly<Record<string, string>>[];
  /** Those of a request whose body arrives meanwhile. */
  readonly beside: Readonly<Record<string, string>>;
}

/**
 * Begins bodies, sends a request beside them, and ends those that were not refused meanwhile.
 *
 * @returns the answers of the bodies
 */
const answersOf = async (world: World, { path, bodies, beside }: Crowd): Promise<string[]> => {
  const raws: Raw[] = [];
  for (const headers of bodies) raws.push(await begin(world, path, headers));
  const { status } = await send(world.url, { method: "POST", path, body: "{}" }, beside);
  assert.equal(status, 400, "the request beside them");
  const said = await Promise.all(
    raws.map(async (raw) => {
      if (lastOf(raw.said()) === "") raw.send("0\r\n\r\n");
      return lastOf(await raw.wait(/^HTTP\/1\.1 100 .*?\r\n\r\nHTTP.*\r\n\r\n/s));
    }),
  );
  for (const { socket } of raws) socket.destroy();
  return said;
};

const assertRefused = (answers: readonly string[], status: number, least: number): void => {
  const refused = answers.filter((one) => statusOf(one) === status);
  assert.ok(refused.length >= least, `${answers.map(statusOf)}`);
  for (const one of refused) assert.match(one, /\r\nretry-after: \d/i);
  const others = new Set(answers.filter((one) => !refused.includes(one)).map(statusOf));
  assert.deepEqual([...others], [400]);
};

const from = (address: string) => ({ "x-forwarded-for": address });
const join = "/api/meeting/joinRoom";

const crowdOfOne = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, {
    twin: small(twin),
    environment: { TRUST_PROXY: "loopback" },
  });
  const { token } = await world.tenant();
  const one = from("192.0.2.1");
  const strangers = await answersOf(world, {
    path: join,
    bodies: Array(40).fill(one),
    beside: one,
  });
  assertRefused(strangers, 429, 8);
  const caller = { authorization: `Bearer ${token}` };
  const room = { path: "/api/roomSetting", bodies: Array(40).fill(caller), beside: caller };
  assertRefused(await answersOf(world, room), 429, 8);
};

const crowdOfMany = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, {
    twin: small(twin),
    environment: { TRUST_PROXY: "loopback" },
  });
  const bodies = Array.from({ length: 80 }, (_, n) => from(`198.51.100.${n % 4}`));
  const answers = await answersOf(world, { path: join, bodies, beside: from("203.0.113.1") });
  assertRefused(answers, 503, 16);
};

test("a holder's oldest unfinished bodies give way to those that finish", (t) => crowdOfOne(t));

test("the oldest unfinished bodies of the holder with most give way to others", (t) =>
  crowdOfMany(t));

testTwin("a twin that counts no holder's bodies is detected", async (t) => {
  await assert.rejects(crowdOfOne(t, countsNoHolder), { code: "ERR_ASSERTION" });
});

testTwin("a twin that does not count bodies in total is detected", async (t) => {
  await assert.rejects(crowdOfMany(t, countsNoBodies), { code: "ERR_ASSERTION" });
});
