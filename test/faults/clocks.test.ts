// Runs: postgres, complete, waits
// Needs: libfaketime

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { operations } from "../../contract/index.ts";
import { now } from "../../server/db/now.ts";
import { openSeal } from "../../server/db/seal.ts";
import { postLetter } from "../../server/mail/outbox.ts";
import { jwt, logoutClaims, postLogout, startHostile, type Tricks } from "../sign-in/hostile.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { create } from "../users/people.ts";
import { askAs, requestFor, send } from "../world/ask.ts";
import { type House, openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { soaking } from "../world/seed.ts";
import type { Tenant } from "../world/tenant.ts";
import { noClock, startOff } from "./clock.ts";

/** How far a process's clock may be off. */
const OFFSETS = ["+1h", "-1h", "+90s", "-90s"];
const some = soaking ? OFFSETS : ["+1h", "-90s"];

/** Reads its own clock, instead of the database's. */
const ownClock: Twin = {
  name: "judges by its own clock",
  replaced: [
    {
      file: "db/now.ts",
      export: "now",
      by: async (real: typeof now): Promise<typeof now> => {
        const { sql } = await import("kysely");
        return (offset) => (offset ? real(offset) : sql.lit(new Date().toISOString()));
      },
    },
  ],
};

/**
 * Exchanges an access key at a process with a wrong clock, and sends requests with tokens that end soon, or
 * have just ended.
 */
const tokens = async (t: TestContext, offset: string, twin?: Twin): Promise<void> => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const { service } = await startOff(t, house, offset, twin);
  const { accessKey, secretAccessKey } = tenant.accessKey;
  const request = requestFor(operations.getAuthToken, { accessKey, secretAccessKey });
  const { body } = await send(service.url, request);
  const list = async () => {
    const authorization = `Bearer ${body.authToken.token}`;
    return (await send(service.url, requestFor(operations.listRooms, {}), { authorization }))
      .status;
  };
  assert.equal(await list(), 200);
  await house.beside(async ({ database }) => {
    const set = (endsIn: number) =>
      database.change((tx) =>
        tx
          .updateTable("tokens")
          .set({ expires_at: now(endsIn) })
          .where("access_key_id", "=", accessKey)
          .execute(),
      );
    const kept = await database.read
      .selectFrom("tokens")
      .select(["expires_at", now().as("currentTime")])
      .where("access_key_id", "=", accessKey)
      .executeTakeFirstOrThrow();
    const seconds = (Date.parse(kept.expires_at) - Date.parse(kept.currentTime)) / 1_000;
    assert.ok(seconds > 3_540 && seconds <= 3_600, `it lasts ${seconds} s`);
    await set(60_000);
    assert.equal(await list(), 200, "refused a minute early");
    await set(-1);
    assert.equal(await list(), 401, "accepted after its end");
  });
};

test("P-OPS-4: a token ends by the database's clock, however far a process's own is off", {
  skip: noClock,
}, async (t) => {
  for (const offset of some) await tokens(t, offset);
});

testTwin(
  "P-OPS-4: a twin that reads its own clock, so that tokens end early or late, is detected",
  async (t) => {
    await assert.rejects(tokens(t, "+90s", ownClock), /refused a minute early/);
    await assert.rejects(tokens(t, "-90s", ownClock), /accepted after its end/);
  },
  { skip: noClock },
);

/** Posts a letter as if another postman held it for some time. */
const leased = (house: House, tenant: Tenant, forMs: number): Promise<string> =>
  house.beside(async ({ database, config }) => {
    const seal = await openSeal(config);
    return database.change(async (tx) => {
      const { id: userId, email: recipient, credentials } = tenant.admin;
      const content = {
        ...({
          language: "en",
          name: "A",
          loginUrl: "https://x.org/",
          username: "a",
          password: "p",
        } as const),
      };
      const whose = { organizationId: tenant.id, userId, recipient, credentials };
      const id = await postLetter({ tx, leaveWork() {} }, seal, {
        ...whose,
        kind: "welcome",
        content,
      });
      const taken = { attempts: 1, due_at: now(forMs) };
      await tx.updateTable("letters").set(taken).where("id", "=", id).execute();
      return id;
    });
  });

/** A letter that another postman still holds. */
const untouched = { state: "waiting", attempts: 1 };
/** Long enough for a start on a busy machine; less than a clock is ahead: by an hour, or also by 90 s. */
const LETTER_LEASE_MS = soaking ? 80_000 : 1_800_000;

const leases = async (
  t: TestContext,
  offset: string,
  withinMs = 180_000,
  twin?: Twin,
): Promise<void> => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const [held, ended] = [
    await leased(house, tenant, LETTER_LEASE_MS),
    await leased(house, tenant, -1),
  ];
  const { service } = await startOff(t, house, offset, twin);
  const state = (id: string) =>
    house.beside(({ database }) =>
      database.read
        .selectFrom("letters")
        .select(["state", "attempts"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow(),
    );
  const isSent = async () => {
    assert.deepEqual(await state(held), untouched, "the lease is cut short");
    return (await state(ended)).state === "sent";
  };
  await until("a letter whose lease is over leaves", isSent, withinMs);
  const ask = tenant.askAt(service.url);
  const person = { email: "p@example.org", name: "P", loginUrl: "https://x.org/" };
  const { body } = await ask("createUser", person);
  await until("a new letter leaves", async () => {
    const { letters } = (await ask("listLetters", { state: "sent" })).body;
    return letters.some(({ userId }: { readonly userId: string }) => userId === body.user.id);
  });
  assert.deepEqual(await state(held), untouched, "the lease is cut short");
};

test("P-OPS-4: a letter belongs to its postman until its lease ends by the database's clock", {
  skip: noClock,
}, async (t) => {
  for (const offset of some) await leases(t, offset);
});

testTwin(
  "P-OPS-4: a twin that reads its own clock, so that leases are too short or endless, is detected",
  async (t) => {
    await assert.rejects(leases(t, "+1h", 60_000, ownClock), /the lease is cut short/);
    await assert.rejects(leases(t, "-1h", 5_000, ownClock), /Waited in vain: a letter whose lease/);
  },
  { skip: noClock },
);

test("P-OPS-4: the next step of a sign-in opens for five minutes by the database's clock, however far a process's own is off", {
  skip: noClock,
}, async (t) => {
  const chosen = "four quiet herons at dawn";
  for (const offset of some) {
    const house = await openHouse(t);
    const tenant = await house.beside((world) => world.tenant());
    const right = await startProcess(t, house.environment);
    const { service: off } = await startOff(t, house, offset);
    for (const [one, other] of [[right, off] as const, [off, right] as const]) {
      const person = await create(tenant.askAt(right.url), { mustChoosePassword: true });
      const login = { login: person.email, password: person.password };
      const ticket = async () =>
        (await askAs(one.url, undefined)("signIn", login)).body.ticket as string;
      const choose = async (given: string) =>
        (
          await askAs(other.url, undefined)("signInWithNewPassword", {
            ticket: given,
            newPassword: chosen,
          })
        ).body;
      const late = await ticket();
      const ended = await house.beside(async ({ config }) => {
        const seal = await openSeal(config);
        const written = JSON.parse(seal.open(late, "new password"));
        return seal.seal(
          JSON.stringify({ ...written, until: written.until - 300_000 }),
          "new password",
        );
      });
      assert.equal((await choose(ended)).code, "session_ended", "accepted after its end");
      assert.equal((await choose(await ticket())).success, true, "refused early");
    }
  }
});

test("P-OPS-4: a session that its provider ends while its person comes back does not begin, however far a process's clock is off", {
  skip: noClock,
}, async (t) => {
  // Both answer to one address, and so to one cookie.
  const environment = { ALLOWED_NETWORKS: "loopback", PUBLIC_URL: "http://127.0.0.1:9" };
  const house = await openHouse(t, { environment });
  const tenant = await house.beside((world) => world.tenant());
  const domain = `d${tenant.id}.example`;
  const hostile = await startHostile(t, domain);
  const begins = await startProcess(t, house.environment);
  // Tokens count while clocks differ by a minute at most.
  const { service: finishes } = await startOff(t, house, "-40s");
  const made = await askAs(begins.url, tenant.token)("createProvider", {
    name: "Hostile",
    issuer: hostile.issuer,
    clientId: "parley",
    domains: [domain],
    createsAccounts: true,
  });
  const path = `/api/session/provider/${made.body.provider.id}`;
  /** Goes to the provider by one process, and comes back by the other. */
  const enter = async (tricks: Tricks): Promise<string | null> => {
    hostile.play(tricks);
    const begun = await send(begins.url, { method: "POST", path });
    const there = await fetch(begun.body.address, { redirect: "manual" });
    const { pathname, search } = new URL(there.headers.get("location") ?? "");
    const [cookie = ""] = (begun.headers.getSetCookie()[0] ?? "").split(";");
    const back = await send(finishes.url, { method: "GET", path: pathname + search }, { cookie });
    return new URL(back.headers.get("location") ?? "").searchParams.get("signIn");
  };
  assert.equal(await enter({}), "done");
  const before = async () =>
    assert.equal(await postLogout(begins.url + path, jwt(logoutClaims(hostile.issuer))), 200);
  assert.equal(await enter({ before }), "ended");
});
