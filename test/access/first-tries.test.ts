import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type * as throttle from "../../server/access/throttle.ts";
import { newPlace } from "../meetings/place.ts";
import { testTwin } from "../twins/test-twin.ts";
import { importFrom, type Twin } from "../twins/twin.ts";
import { insist } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";

/** Counts every try in the allowance that strangers share. */
const sharesFirstTries: Twin = {
  name: "shares first tries",
  replaced: [
    {
      file: "access/throttle.ts",
      lines: "firsts.length > 0 && firsts.every(",
      by: "firsts.length < 0 && firsts.every(",
    },
  ],
};

/** Gives first tries to every network of IPv6, however many somebody has. */
const countsNoSites: Twin = {
  name: "counts no sites of IPv6",
  replaced: [{ file: "access/throttle.ts", lines: "groups.length === 1", by: "groups.length > 0" }],
};

/** A room with a password, and a way to give one from a simulated address. */
const startDoor = async (t: TestContext, twin?: Twin) => {
  const world = await startWorld(t, { twin, environment: { TRUST_PROXY: "loopback" } });
  const { code } = await newPlace(world, { roomPassword: "4711", authenticationRequired: true });
  const open = insist(world.open);
  const join = (address: string, password: string) =>
    open("joinRoom", { roomId: code, peerName: "Gus", password }, { "x-forwarded-for": address });
  let guesses = 0;
  /** Ten guesses: each address makes five, three first ones and two that strangers share. */
  const guess = () =>
    Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        guesses += 1;
        const address = `198.51.${Math.floor(guesses / 50)}.${n}`;
        return (await join(address, "0000")).headers.get("ratelimit-policy") ?? "";
      }),
    );
  /** Guesses until nothing is left of what strangers share. */
  const useUp = async (): Promise<void> => {
    while (!(await guess()).some((policy) => policy.startsWith('"room"')));
  };
  return { world, join, guess, useUp };
};

const letsGuestsIn = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { join, guess, useUp } = await startDoor(t, twin);
  await useUp();
  for (let n = 0; n < 8; n += 1) {
    const guessing = guess();
    const address = `203.0.113.${n}`;
    if (n % 2 === 0) assert.equal((await join(address, "4712")).body.code, "wrong_room_password");
    assert.equal((await join(address, "4711")).status, 202, `guest ${n}`);
    await guessing;
  }
};

test("P-PWD-10: strangers who guess a room's password from changing addresses do not keep new guests out", (t) =>
  letsGuestsIn(t));

testTwin(
  "P-PWD-10: a twin that shares first tries keeps new guests out, and is detected",
  async (t) => {
    await assert.rejects(letsGuestsIn(t, sharesFirstTries), { code: "ERR_ASSERTION" });
  },
);

test("P-PWD-10: a class behind one address gives the right password at once, while strangers guess", async (t) => {
  const { join, useUp } = await startDoor(t);
  await useUp();
  const all = await Promise.all(Array.from({ length: 30 }, () => join("203.0.113.1", "4711")));
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [202]);
});

/** Guesses from many networks of one site of IPv6. */
const bounds = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const { countTry } = await importFrom<typeof throttle>(twin, "access/throttle.ts");
  const begun = performance.now();
  let made = 0;
  for (let n = 0; n < 200; n += 1) {
    const address = `2001:db8:7:${n.toString(16)}::1`;
    const tried = { door: "room x", address };
    await world.database
      .change((tx) => countTry(tx, tried))
      .then(
        () => (made += 1),
        () => {},
      );
  }
  const seconds = (performance.now() - begun) / 1_000;
  assert.ok(made >= 130 && made <= 131 + seconds / 30, `${made} of 200 in ${seconds} s`);
};

test("P-PWD-6: one IPv6 site has thirty first tries, across all of its networks", (t) => bounds(t));

testTwin(
  "P-PWD-6: a twin that gives first tries to every network of a site is detected",
  async (t) => {
    await assert.rejects(bounds(t, countsNoSites), { code: "ERR_ASSERTION" });
  },
);
