// Runs: sqlite-first, waits, first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { now } from "../../server/db/now.ts";
import { marksFirst, postsLater } from "../twins/postmen.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { onPostgres } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import { count, type Dice, diceOf, rollDice, soaking } from "../world/seed.ts";
import { acknowledged, checkLedger, startPeople } from "./ledger.ts";
import { type MailHouse, openMailHouse } from "./mail-house.ts";

const CLIENTS = 4;
/** A process sends this many letters at a time: as many may have arrived without its knowledge. */
const AT_ONCE = 4;

/** Calls `kill` when the next letter of A, or one soon after, has reached a stage. */
const killAt = ({ sink }: MailHouse, stage: "recipient" | "data", dice: Dice, kill: () => void) => {
  let left = dice.roll(4);
  sink.fate = (at, _address, sender) => {
    if (at !== stage || sender !== "a" || left-- > 0) return undefined;
    sink.fate = () => undefined;
    // Immediately, before the recipient is accepted or the letter is acknowledged; or a little later.
    if (dice.roll(2) === 0) kill();
    else setTimeout(kill, dice.roll(10));
    return undefined;
  };
};

/** Expires the leases of killed processes; in the long run a minute does that. */
const endLeases = async ({ house, sink }: MailHouse): Promise<void> => {
  if (soaking) return;
  await house.beside(async ({ database }) => {
    let still = 0;
    await until("only what the killed had claimed is left", async () => {
      const due = await database.read
        .selectFrom("letters")
        .select("id")
        .where("state", "=", "waiting")
        .where("due_at", "<=", now())
        .execute();
      still = due.length === 0 && sink.connections.open === 0 ? still + 1 : 0;
      return still > 20;
    });
    await database.change((tx) =>
      tx
        .updateTable("letters")
        .set({ due_at: now(-1) })
        .where("state", "=", "waiting")
        .execute(),
    );
  });
};

/** Kills A while it sends letters and receives requests, and starts it again. */
const kills = async (t: TestContext, dice: Dice, rounds: number, twin?: Twin): Promise<void> => {
  const mail = await openMailHouse(t, twin);
  const { house, sink, tenant, start, waiting } = mail;
  let a = await start("a");
  const b = onPostgres ? await start("b") : undefined;
  const people = startPeople();
  for (let round = 0; round < rounds; round += 1) {
    const { url, end, hasEnded } = a;
    const asks = Array.from({ length: CLIENTS }, (_, client) =>
      tenant.askAt(client % 2 === 0 || !b ? url : b.url),
    );
    killAt(mail, round % 2 === 0 ? "recipient" : "data", dice, () => void end("SIGKILL"));
    await people.create(asks, hasEnded);
    await a.ended;
    a = await start("a");
  }
  await endLeases(mail);
  const ask = tenant.askAt(a.url);
  await until("all letters have left", async () => (await waiting(ask)) === 0, 120_000);
  const { history } = people;
  const more = await house.beside((world) => checkLedger(world, tenant, history, sink.letters));
  const acked = acknowledged(history).length;
  t.diagnostic(
    `${rounds} kills, ${acked} acknowledged, ${sink.letters.length} letters, ${more} copies`,
  );
  assert.ok(more <= AT_ONCE * rounds);
};

test("P-MAIL-1, P-MAIL-2: every created person gets the letter, at most twice, even if its sender is killed", (t) =>
  kills(t, rollDice(t), count(2, 30, 1)));

testTwin(
  "P-MAIL-2: a twin that marks letters before they leave, and loses one, is detected",
  async (t) => {
    await assert.rejects(kills(t, diceOf(1), 1, marksFirst), /has no letter/);
  },
);

testTwin(
  "P-MAIL-1: a twin that posts letters after the commit, and loses one, is detected",
  async (t) => {
    await assert.rejects(kills(t, diceOf(1), 2, postsLater), /has no letter/);
  },
);
