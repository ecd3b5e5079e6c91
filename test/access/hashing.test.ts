import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { hashingLoad, hashPassword, type Lane, verifyPassword } from "../../server/passwords.ts";
import { create, newPerson, revoke } from "../users/people.ts";
import { askOnce } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";

// The service runs inside this process: its hashing threads are those of the test.
const { url, organization } = await startWorld(test);
// Once: whether a request is sent away is what these tests are about.
const open = askOnce(url, undefined);
const ask = askOnce(url, (await organization("Hashing")).token);

/** Keeps a lane to the hashing threads full while something is done. */
const whileFull = async <T>(lane: Lane, work: () => Promise<T>): Promise<T> => {
  let isOn = true;
  let shed = 0;
  const wait = async (): Promise<void> => {
    while (isOn) {
      const waits =
        lane === "accounts" ? hashPassword("x", lane) : verifyPassword(undefined, "x", lane);
      await waits.catch(() => {
        shed += 1;
        return sleep(5);
      });
    }
  };
  const all = Array.from({ length: 300 }, wait);
  try {
    while (shed === 0) await sleep(5);
    return await work();
  } finally {
    isOn = false;
    await Promise.all(all);
  }
};

test("what cannot be done anyway is refused without a look at how many passwords wait", async () => {
  const { email, id } = await create(ask);
  const full = await organization("Full", { users: 0 });
  await revoke(ask, id);
  const userId = "00000000-0000-7000-8000-000000000000";
  const answers = await whileFull("accounts", () =>
    Promise.all([
      ...Array.from({ length: 300 }, () => ask("POST /api/user/adminPwdreset", { userId })),
      ask("POST /api/user/adminPwdreset", { userId: id }),
      ask("POST /api/user/orgUser", newPerson({ email })),
      askOnce(url, full.token)("POST /api/user/orgUser", newPerson()),
    ]),
  );
  const codes = answers.map(({ body }) => body.code);
  assert.deepEqual(codes.splice(300), ["user_is_revoked", "email_taken", "user_limit"]);
  assert.deepEqual(new Set(codes), new Set(["user_not_found"]));
});

test("new passwords for accounts do not keep sign-ins waiting", async () => {
  const { email: login, password } = await create(ask);
  await whileFull("accounts", async () => {
    for (let n = 0; n < 5; n += 1) {
      assert.equal((await open("POST /api/session", { login, password })).status, 200);
      assert.ok(hashingLoad().waiting > 100);
    }
  });
});

test("strangers do not keep a device waiting on which the account signed in lately", async () => {
  const { email: login, password } = await create(ask);
  const signIn = (cookie: string) => open("POST /api/session", { login, password }, { cookie });
  const { headers } = await signIn("");
  const cookie = headers
    .getSetCookie()
    .map((one) => one.split(";", 1)[0])
    .join("; ");
  await whileFull("strangers", async () => {
    for (let n = 0; n < 5; n += 1) assert.equal((await signIn(cookie)).status, 200);
  });
});

test("a try that was sent away, because too many wait, does not count as a wrong one", async () => {
  const { email: login, password } = await create(ask);
  const guess = () => open("POST /api/session", { login, password: "wrong" });
  const tried = await whileFull("strangers", async () => {
    const statuses: number[] = [];
    // More than the five that are looked at, unless as many slip in.
    const shed = () => statuses.filter((status) => status === 503).length;
    while (shed() < 8 && statuses.length - shed() < 4) statuses.push((await guess()).status);
    return statuses;
  });
  assert.ok(!tried.includes(429), `${tried}`);
  assert.equal((await open("POST /api/session", { login, password })).status, 200);
});
