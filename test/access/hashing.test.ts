// Runs: sqlite, alone

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { hashSync } from "@node-rs/argon2";
import { hashingLoad, type Lane, verifyPassword } from "../../server/access/passwords.ts";
import { create, newPerson, revoke } from "../users/people.ts";
import { askAs, askOnce, cookieOf } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { onlyComplete } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";

type Person = Awaited<ReturnType<typeof create>>;

// The service runs inside this process: its hashing threads are those of the test.
const { url, organization } = await startWorld(test, {
  environment: { TRUST_PROXY: "loopback" },
});
// Sends each request once: these tests are about requests that are rejected as overload.
const open = askOnce(url, undefined);
const hashing = await organization("Hashing");
const ask = askOnce(url, hashing.token);

/**
 * A digest that takes a tenth of the time of a person's: the requests that fill a lane are let through at the
 * end.
 */
const light = hashSync("another one", { memoryCost: 1_946, timeCost: 2, parallelism: 1 });

/** Keeps a lane to the hashing threads full throughout a suite. @param laneOf by the number of who waits */
const keepFull = (laneOf: (n: number) => Lane): void => {
  let isOn = true;
  let all: Promise<void>[] = [];
  before(async () => {
    let shed = 0;
    const wait = async (n: number): Promise<void> => {
      while (isOn) {
        await verifyPassword(light, "x", laneOf(n)).catch(() => {
          shed += 1;
          // The next one asks soon.
          return sleep(5);
        });
      }
    };
    all = Array.from({ length: 300 }, (_, n) => wait(n));
    await until("the lane is full", () => shed > 0);
  });
  after(async () => {
    isOn = false;
    await Promise.all(all);
  });
};

const signIn = ({ email, password }: Person, cookie = "") =>
  open("POST /api/session", { login: email, password }, { cookie });

const [person, other, revoked] = [await create(ask), await create(ask), await create(ask)];
const full = await organization("Full", { users: 0 });
await revoke(ask, revoked.id);
const cookie = cookieOf(await signIn(person));

suite("many new passwords wait", () => {
  keepFull(() => "accounts");

  test("impossible requests are refused while many passwords wait", async () => {
    const userId = "00000000-0000-7000-8000-000000000000";
    // Asks again while a busy machine is late: the passwords wait throughout.
    const again = askAs(url, hashing.token);
    const answers = await Promise.all([
      ...Array.from({ length: 50 }, () => again("POST /api/user/adminPwdreset", { userId })),
      again("POST /api/user/adminPwdreset", { userId: revoked.id }),
      again("POST /api/user/orgUser", newPerson({ email: person.email })),
      askAs(url, full.token)("POST /api/user/orgUser", newPerson()),
    ]);
    const codes = answers.map(({ body }) => body.code);
    assert.deepEqual(codes.splice(50), ["user_is_revoked", "email_taken", "user_limit"]);
    assert.deepEqual(new Set(codes), new Set(["user_not_found"]));
  });

  test("new passwords for accounts do not keep sign-ins waiting", async () => {
    for (let n = 0; n < 5; n += 1) {
      assert.equal((await signIn(person)).status, 200);
      assert.ok(hashingLoad().waiting > 100);
    }
  });
});

suite("many strangers", () => {
  suite("wait", () => {
    keepFull((n) => ({ stranger: `10.0.0.${n}` }));

    test("strangers do not delay a device on which the account signed in recently", async () => {
      for (let n = 0; n < 5; n += 1) assert.equal((await signIn(person, cookie)).status, 200);
    });

    test("a try that is shed does not count as a wrong one", async () => {
      const guess = () => open("POST /api/session", { login: other.email, password: "wrong" });
      const statuses: number[] = [];
      // More than the five tries that are checked, unless that many slip in.
      const shed = () => statuses.filter((status) => status === 503).length;
      while (shed() < 8 && statuses.length - shed() < 4) statuses.push((await guess()).status);
      assert.ok(!statuses.includes(429), `${statuses}`);
    });
  });

  test("after rejected tries the right password works at once", async () => {
    assert.equal((await signIn(other)).status, 200);
  });
});

suite("one address tries again and again", { skip: onlyComplete }, () => {
  keepFull(() => ({ stranger: "10.0.0.1" }));

  test("P-PWD-8: the tries of one address do not keep people at other addresses from signing in", async () => {
    for (let n = 0; n < 5; n += 1) assert.equal((await signIn(person)).status, 200);
  });
});

suite("somebody signs in again and again on devices that are known", { skip: onlyComplete }, () => {
  keepFull(() => ({ known: other.id }));

  test("P-PWD-8: one account's known devices do not keep other people's from signing in, nor them from choosing a password", async () => {
    for (let n = 0; n < 5; n += 1) {
      assert.equal((await signIn(person, cookie)).status, 200);
      // Everybody's in this lane together.
      const { waiting } = hashingLoad();
      assert.ok(waiting > 100 && waiting <= 200, `${waiting} wait`);
    }
    const { token } = (await signIn(person, cookie)).body;
    const { status } = await askOnce(url, token)("PUT /api/session/password", {
      password: person.password,
      newPassword: "a fine long password of my own",
    });
    assert.equal(status, 200);
  });
});

suite("many people on known devices wait", () => {
  keepFull((n) => ({ known: `person ${n}` }));

  test("a proof that is shed does not count as a wrong one", async () => {
    const { token } = (await signIn(other)).body;
    const prove = () => askOnce(url, token)("proveMyself", { password: "wrong" });
    const statuses: number[] = [];
    const shed = () => statuses.filter((status) => status === 503).length;
    while (shed() < 8 && statuses.length - shed() < 4) statuses.push((await prove()).status);
    assert.ok(!statuses.includes(429), `${statuses}`);
  });
});

/** Signs these people in sixty times each, and asks for lists meanwhile. */
const signInAtOnce = async (people: readonly Person[]): Promise<void> => {
  const signing = Array.from({ length: 240 }, (_, at) => {
    const person = people[at % people.length] as Person;
    const headers = { "x-forwarded-for": `203.0.113.${at}` };
    const { email: login, password } = person;
    return open("POST /api/session", { login, password }, headers);
  });
  const listed = await Promise.all(
    Array.from({ length: 10 }, () => askAs(url, hashing.token)("GET /api/roomSetting/paginated")),
  );
  const answers = await Promise.all(signing);
  for (const { status } of listed) assert.equal(status, 200);
  for (const { status, headers } of answers) {
    assert.ok([200, 429, 503].includes(status), `${status}`);
    if (status !== 200) assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/);
  }
  assert.ok(answers.filter(({ status }) => status === 200).length >= 100);
};

test("P-PWD-8: many simultaneous sign-ins are answered or rejected, and lists still work", async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => create(ask)));
  await signInAtOnce(people);
});
