// Runs: postgres-first, waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { neverShuts, opensWide } from "../twins/postmen.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { sendsOldLetters } from "../twins/twins.ts";
import type { Ask } from "../world/ask.ts";
import { onPostgres } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import { count, soaking } from "../world/seed.ts";
import { acknowledged, holds, startPeople } from "./ledger.ts";
import { type MailHouse, openMailHouse } from "./mail-house.ts";

const CLIENTS = 4;
/** Simultaneous connections of one process (operating.md). */
const AT_ONCE = 4;
/** Longer than a request takes that does not wait for a mail server, on an otherwise idle machine. */
const LONGEST_MS = 10_000;
/** How long connection attempts are counted; in a twin with too many attempts, until there are too many. */
const watchMs = (twin: Twin | undefined): number => {
  if (twin === neverShuts) return 60_000;
  return soaking ? 45_000 : 2_000;
};

/** The largest number of attempts of one process at a server that accepts no letters: the pauses grow. */
const knocksWithin = (ms: number): number => 12 + ms / 12_000;

/** The passwords in the answers, in order, for every person; the letters must have the same passwords. */
type Passwords = Map<string, string[]>;

const checkOrder = ({ sink }: MailHouse, expected: Passwords): void => {
  const arrived = Map.groupBy(sink.letters, ({ to }) => to.join());
  assert.deepEqual([...arrived.keys()].sort(), [...expected.keys()].sort());
  for (const [address, passwords] of expected) {
    const letters = arrived.get(address) ?? [];
    const isRight = passwords.every((password, n) => letters[n] && holds(letters[n], password));
    assert.ok(
      isRight && letters.length === passwords.length,
      `${address} has ${letters.length} letters instead of ${passwords.length}, or not in order`,
    );
  }
};

/** The mail server goes away, people are created and their passwords reset, and the server comes back. */
const away = async (t: TestContext, many: number, twin?: Twin): Promise<void> => {
  const mail = await openMailHouse(t, twin);
  const { sink, tenant, start, waiting } = mail;
  const services = await Promise.all((onPostgres && !twin ? ["a", "b"] : ["a"]).map(start));
  let times: number[] = [];
  const asks = Array.from({ length: CLIENTS }, (_, client): Ask => {
    const ask = tenant.askAt(services[client % services.length]?.url ?? "");
    return async (...asked) => {
      const begun = performance.now();
      const answer = await ask(...asked);
      times.push(performance.now() - begun);
      return answer;
    };
  });
  const takeTimes = (): string => {
    const sorted = times.sort((x, y) => x - y);
    times = [];
    const longest = sorted.at(-1) ?? 0;
    assert.ok(!soaking || longest < LONGEST_MS, `a request took ${longest} ms`);
    return `${Math.round(sorted[sorted.length >> 1] ?? 0)} ms (longest ${Math.round(longest)})`;
  };
  const people = startPeople();
  const ask = asks[0] as Ask;
  const expected: Passwords = new Map();
  const few = Math.ceil(many / 8);

  await people.create(asks, few);
  await sink.waitFor(few);
  const before = takeTimes();

  // First the server closes every connection, so that attempts can be counted; then nobody answers.
  sink.connections.met = 0;
  sink.fate = () => "hang up";
  const since = performance.now();
  await people.create(asks, many);
  const watched = () => performance.now() - since;
  const tooMany = () => sink.connections.met >= services.length * knocksWithin(watched());
  await until("the knocks are counted", () => tooMany() || watched() > watchMs(twin));
  const [knocks, ms] = [sink.connections.met, watched()];
  assert.ok(!tooMany(), `${knocks} knocks in ${ms} ms`);
  await sink.down();
  const meanwhile = takeTimes();
  const made = acknowledged(people.history).map(({ answer }) => answer?.body);
  for (const { user, password } of made) expected.set(user.email, [password]);
  // A reset after the first letter was sent, and one whose letter still waits; each repeated.
  for (const [n, { user, password: first }] of made.slice(0, 2 * few).entries()) {
    await ask("resetPassword", { userId: user.id });
    const { password } = (await ask("resetPassword", { userId: user.id })).body;
    expected.set(user.email, n < few ? [first, password] : [password]);
  }
  assert.ok((await waiting(ask)) >= many + few);

  sink.fate = () => undefined;
  sink.connections.most = 0;
  await sink.up();
  const back = await until("what waited has left", async () => (await waiting(ask)) === 0, 180_000);
  checkOrder(mail, expected);
  const { most } = sink.connections;
  assert.ok(most <= AT_ONCE * services.length, `${most} connections at once`);
  t.diagnostic(`a request took ${before}, while the mail server was away ${meanwhile}`);
  t.diagnostic(`${knocks} knocks in ${Math.round(ms)} ms at a server that hung up`);
  t.diagnostic(`${many + few} letters left within ${Math.round(back)} ms, ${most} at once`);
};

test("P-MAIL-3: without a mail server people are created as usual, and later the waiting letters leave in order, over few connections", (t) =>
  away(t, count(12, 500)));

testTwin(
  "P-MAIL-3: a twin that connects for every letter while the server is away is detected",
  async (t) => {
    await assert.rejects(away(t, 8, neverShuts), /knocks in/);
  },
);

testTwin(
  "P-MAIL-3: a twin that opens too many connections when the server is back is detected",
  async (t) => {
    await assert.rejects(away(t, 16, opensWide), /connections at once/);
  },
);

testTwin(
  "P-MAIL-3: a twin that sends replaced passwords, and letters out of order, is detected",
  async (t) => {
    await assert.rejects(away(t, 8, sendsOldLetters), /not in order/);
  },
);
