// Runs: waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { connectsWithoutEnd, countsNoComing } from "../twins/claims.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { cookieOf } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { openSocket } from "./inside.ts";
import { newPlace } from "./place.ts";
import { close } from "./visits.ts";

/*
 * Somebody who comes and goes without end leaves a row each time, and everybody else is told twice. These
 * allowances refill while a test runs, so on a slow machine it counts the seconds too.
 */

/** How often a script tries: several times as often as anybody may. */
const TRIES = 250;

/** A small room, and guests from addresses that a proxy reports. */
const openDoor = async (t: TestContext, settings: object = {}, twin?: Twin) => {
  const world = await startWorld(t, { twin, environment: { TRUST_PROXY: "loopback" } });
  const seats = { noOfModerators: 1, noOfParticipants: 2, noOfViewers: 0, ...settings };
  const place = await newPlace(world, seats);
  const join = (address: string, cookie?: string) =>
    world.open(
      "joinRoom",
      { roomId: place.code, peerName: "Gus" },
      { "x-forwarded-for": address, ...(cookie !== undefined && { cookie }) },
    );
  const rows = async () =>
    (
      await world.database.read
        .selectFrom("seats")
        .select("id")
        .where("organization_id", "=", place.tenant.id)
        .execute()
    ).length;
  /** Comes and goes until that is refused. @returns the refusal, and how many rows there may be by now */
  const comeAndGo = async (
    come: () => ReturnType<typeof join>,
    atOnce: number,
    perSecond: number,
  ) => {
    const begun = performance.now();
    const most = () => atOnce + 1 + ((performance.now() - begun) / 1_000) * perSecond;
    for (let n = 0; n < TRIES; n += 1) {
      const answer = await come();
      if (answer.status !== 200) return { answer, most: most() };
      await close(world, answer.body, false);
    }
    return assert.fail(`${TRIES} came and went`);
  };
  return { world, join, rows, comeAndGo };
};

const oneGuest = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { world, join, rows, comeAndGo } = await openDoor(t, {}, twin);
  const first = await join("198.51.100.1");
  const cookie = cookieOf(first);
  await close(world, first.body, false);
  const { answer, most } = await comeAndGo(() => join("198.51.100.1", cookie), 20, 0.2);
  assert.equal(answer.body.code, "too_many_requests");
  assert.equal(answer.headers.get("retry-after"), "5");
  const stored = await rows();
  assert.ok(stored >= 20 && stored <= most, `${stored} rows`);
  assert.equal((await join("198.51.100.1")).status, 200, "others of the address come in");
};

test("a guest who comes and goes endlessly must wait", (t) => oneGuest(t));

testTwin("a twin that lets one guest come and go endlessly is detected", async (t) => {
  await assert.rejects(oneGuest(t, countsNoComing), /came and went/);
});

test("a guest who reloads endlessly must wait, and then returns", async (t) => {
  const { world, join } = await openDoor(t);
  let answer = await join("198.51.100.1");
  const cookie = cookieOf(answer);
  let came = 0;
  for (; answer.status === 200 && came < TRIES; came += 1) {
    const inside = await openSocket(t, world.url, answer.body);
    await until("the socket is welcomed", () => inside.messages.length > 0);
    await close(world, inside);
    answer = await join("198.51.100.1", cookie);
  }
  assert.deepEqual([answer.body.code, came >= 20], ["too_many_requests", true]);
  await until(
    "they may come again",
    async () => (await join("198.51.100.1", cookie)).status === 200,
  );
});

const oneAddress = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { join, rows, comeAndGo } = await openDoor(t, {}, twin);
  const { answer, most } = await comeAndGo(() => join("198.51.100.1"), 72, 0.12);
  assert.equal(answer.body.code, "too_many_requests");
  const stored = await rows();
  assert.ok(stored >= 72 && stored <= most, `${stored} rows`);
  assert.equal((await join("203.0.113.1")).status, 200, "other addresses come in");
};

test("guests of one address who come and go endlessly, each with a new cookie, must wait", (t) =>
  oneAddress(t));

testTwin("a twin that lets an address come and go endlessly is detected", async (t) => {
  await assert.rejects(oneAddress(t, countsNoComing), /came and went/);
});

test("a class behind one address reloads twice, and everybody comes back", async (t) => {
  const { world, join } = await openDoor(t, { noOfParticipants: 30, authenticationRequired: true });
  await Promise.all(
    Array.from({ length: 30 }, async () => {
      const first = await join("198.51.100.1");
      assert.equal(first.status, 202);
      for (let n = 0; n < 2; n += 1) {
        await close(world, first.body);
        assert.equal((await join("198.51.100.1", cookieOf(first))).status, 202);
      }
    }),
  );
});

const oneTicket = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { world, join } = await openDoor(t, {}, twin);
  const other = await join("203.0.113.1");
  const { body } = await join("198.51.100.1");
  const begun = performance.now();
  for (let opened = 0; opened < TRIES; opened += 1) {
    const socket = await openSocket(t, world.url, body);
    await until("it is answered", () => socket.messages.length > 0 || socket.closed !== undefined);
    if (socket.closed !== undefined) {
      assert.equal(socket.closed, 1013);
      const most = 31 + (performance.now() - begun) / 2_000;
      assert.ok(opened >= 30 && opened <= most, `${opened} were opened`);
      const inside = await openSocket(t, world.url, other.body);
      return until("others come in", () => inside.messages.length > 0).then(() => {});
    }
    socket.cut();
  }
  assert.fail(`${TRIES} were opened`);
};

test("a ticket that opens the meeting socket endlessly must wait", (t) => oneTicket(t));

testTwin("a twin that opens the meeting socket endlessly is detected", async (t) => {
  await assert.rejects(oneTicket(t, connectsWithoutEnd), /were opened/);
});
