import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { countTry } from "../../server/access/throttle.ts";
import { forgetsDevices, keepsDevices, keysByAccount } from "../twins/callers.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { create } from "../users/people.ts";
import { askAs } from "../world/ask.ts";
import { count } from "../world/seed.ts";
import { startWorld, type World } from "../world/world.ts";
import { deviceOf } from "./sessions.ts";
import { assertShared } from "./tries.ts";

const OFFICE = "192.0.2.1";

/** Signs in from a simulated address, with a cookie if there is one. */
const signIn = (world: World, address: string, login: string, password: string, cookie?: string) =>
  askAs(world.url, undefined)(
    "signIn",
    { login, password },
    {
      "x-forwarded-for": address,
      ...(cookie === undefined ? {} : { cookie }),
    },
  );

const startOpen = async (t: TestContext, twin?: Twin) => {
  const world = await startWorld(t, { twin, environment: { TRUST_PROXY: "loopback" } });
  const tenant = await world.tenant();
  const addPerson = (email: string) => create(tenant.ask, { email, name: "Ann" });
  const reset = async (userId: string) => {
    const { body } = await tenant.ask("resetPassword", { userId, loginUrl: "https://x.org" });
    return body.password as string;
  };
  return { world, addPerson, reset };
};

/** How many of the hundred tries of a login, and of an address, are counted without being made. */
const COUNTED = count(90, 0);
/** The first tries of an address, which count for it alone. */
const FIRST = 3;

/** Strangers who guess, from everywhere and from the office, until the office is locked out. */
const lockOut = async (world: World, login: string) => {
  const countOne = (login: string, address: string) =>
    world.database.change((tx) => countTry(tx, { login, address }));
  for (let n = 0; n < COUNTED; n += 1) {
    await countOne(`somebody${n}@example.org`, OFFICE);
    // Addresses that have used up their first tries, with two more each.
    const address = `192.0.2.${100 + Math.floor(n / 2)}`;
    const firsts = n % 2 === 0 ? FIRST : 0;
    for (let tries = 0; tries <= firsts; tries += 1) await countOne(login, address);
  }
  let tries = 0;
  let isLocked = { office: false, login: false };
  const guess = async (address: string, name: string): Promise<void> => {
    tries += 1;
    const { status, headers } = await signIn(world, address, name, "wrong");
    assert.ok([401, 429, 503].includes(status), `${status}`);
    const policy = headers.get("ratelimit-policy") ?? "";
    isLocked = {
      office: isLocked.office || policy.startsWith('"address"'),
      login: isLocked.login || policy.startsWith('"login"'),
    };
  };
  /** Ten tries, half from the office and half against the login. */
  const some = () =>
    Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        n % 2 === 0
          ? guess(OFFICE, `nobody${tries}@example.org`)
          : guess(`198.51.100.${tries % count(20, 200)}`, login),
      ),
    );
  while (!isLocked.office || !isLocked.login) await some();
  return some;
};

const keepsOut = async (t: TestContext, many: number, twin?: Twin) => {
  const { world, addPerson } = await startOpen(t, twin);
  const { email, username, password } = await addPerson("ann@example.org");
  const cookie = deviceOf(await signIn(world, OFFICE, email, password));
  const guessOn = await lockOut(world, email);
  for (let n = 0; n < many; n += 1) {
    const guessing = guessOn();
    const login = n % 2 === 0 ? email : username;
    assert.equal((await signIn(world, OFFICE, login, password, cookie)).status, 200, `try ${n}`);
    await guessing;
  }
};

test("P-PWD-10: a device is throttled separately, and counts as a stranger's for another account", async (t) => {
  const { world, addPerson } = await startOpen(t);
  const one = await addPerson("ann@example.org");
  const other = await addPerson("bob@example.org");
  const cookie = deviceOf(await signIn(world, OFFICE, one.email, one.password));
  const foreign = () => signIn(world, OFFICE, other.email, "wrong", cookie);
  await assertShared(8, foreign, "a stranger");
  // Those tries have left the device's allowance whole. From eight addresses, and under eight spellings of
  // the cookie that are equally valid.
  const own = (n: number) =>
    signIn(world, `198.51.100.${n}`, one.email, "wrong", `${cookie}${"=".repeat(n)}`);
  await assertShared(8, own, "the device");
  const there = await signIn(world, "198.51.100.99", other.email, other.password);
  assert.equal(there.status, 200);
});

/**
 * Eight simultaneous wrong tries, each from another address, on a device that knew the password before a
 * reset.
 */
const afterReset = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { world, addPerson, reset } = await startOpen(t, twin);
  const { id, email, password } = await addPerson("ann@example.org");
  const before = deviceOf(await signIn(world, OFFICE, email, password));
  const next = await reset(id);
  // A known device would have a separate allowance, of five.
  const tries = Array.from({ length: 8 }, async (_, n) => {
    return (await signIn(world, `198.51.100.${n}`, email, "wrong", before)).status;
  });
  assert.deepEqual(await Promise.all(tries), Array(8).fill(401));
  const signedIn = await signIn(world, OFFICE, email, next, before);
  assert.equal(signedIn.status, 200);
  assert.notEqual(deviceOf(signedIn), "");
};

test("P-PWD-10: a reset of the password ends the devices on which the old one was given", (t) =>
  afterReset(t));

testTwin("P-PWD-10: a twin that keeps devices after a reset is detected", async (t) => {
  await assert.rejects(afterReset(t, keepsDevices), { expected: Array(8).fill(401) });
});

test("P-PWD-10: the right password works on a device that signed in recently, whatever strangers try from the same address", (t) =>
  keepsOut(t, count(8, 20)));

testTwin(
  "P-PWD-10: a twin that forgets devices keeps the owner out, and is detected",
  async (t) => {
    await assert.rejects(keepsOut(t, 1, forgetsDevices), { actual: 429, expected: 200 });
  },
);

test("P-PWD-10: while strangers guess a login, its owner signs in on a new device from a fresh address", async (t) => {
  const { world, addPerson } = await startOpen(t);
  const { email, password } = await addPerson("ann@example.org");
  const guessOn = await lockOut(world, email);
  for (let n = 0; n < 4; n += 1) {
    const guessing = guessOn();
    const address = `203.0.113.${n}`;
    assert.equal((await signIn(world, address, email, "mistyped")).status, 401);
    assert.equal((await signIn(world, address, email, password)).status, 200, `try ${n}`);
    await guessing;
  }
});

const spellingsOf = (name: string): string[] => [
  `${name}@b\u00fccher.example`,
  `${name}@xn--bcher-kva.example`,
  `${name.toUpperCase()}@B\u00dcCHER.EXAMPLE`,
  `${name}@bu\u0308cher.example`,
  `${name}@\uff42\u00fccher.example`,
];

const tellsNothing = async (t: TestContext, twin?: Twin) => {
  const { world, addPerson } = await startOpen(t, twin);
  for (let n = 0; n < count(2, 10); n += 1) {
    const [known = "", ...more] = spellingsOf(`known${n}`);
    const { username } = await addPerson(known);
    const tries = {
      "an account's email": [known, ...more],
      "nobody's email": spellingsOf(`nobody${n}`),
      "an account's username": [username, username.toUpperCase()],
      "nobody's username": [`nobody_${n}`, `NOBODY_${n}`],
      "no email": ["no address@", "NO ADDRESS@"],
    };
    for (const [at, [whose, spellings]] of Object.entries(tries).entries()) {
      const address = `203.0.113.${n * 10 + at}`;
      const tryOnce = (n: number) =>
        signIn(world, address, spellings[n % spellings.length] ?? "", "wrong");
      await assertShared(8, tryOnce, whose);
    }
  }
};

test("P-PWD-11: all spellings of a login share an allowance, whether or not it has an account", (t) =>
  tellsNothing(t));

testTwin(
  "P-PWD-11: a twin that counts by account, and so reveals accounts, is detected",
  async (t) => {
    await assert.rejects(tellsNothing(t, keysByAccount), /nobody's email/);
  },
);
