// Runs: postgres-first, waits, first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { claimsNothing, newMessageIds } from "../twins/postmen.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import type { Ask } from "../world/ask.ts";
import { onPostgres } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import { count, type Dice, diceOf, rollDice } from "../world/seed.ts";
import { acknowledged, checkLedger, startPeople } from "./ledger.ts";
import { type MailHouse, openMailHouse } from "./mail-house.ts";

/** Concurrent requests. */
const CLIENTS = 4;

/** Creates people over A and B, waits until no letter is left, and returns the number of surplus copies. */
const send = async (
  t: TestContext,
  many: number,
  {
    twin,
    meet = () => {},
  }: { readonly twin?: Twin | undefined; readonly meet?: (house: MailHouse) => void } = {},
): Promise<number> => {
  const mail = await openMailHouse(t, twin);
  const { house, sink, tenant, start, waiting } = mail;
  meet(mail);
  const services = await Promise.all((onPostgres ? ["a", "b"] : ["a"]).map(start));
  const asks = Array.from({ length: CLIENTS }, (_, client) =>
    tenant.askAt(services[client % services.length]?.url ?? ""),
  );
  const people = startPeople();
  await people.create(asks, many);
  await until("all letters have left", async () => (await waiting(asks[0] as Ask)) === 0);
  const { history } = people;
  assert.equal(acknowledged(history).length, many);
  const more = await house.beside((world) => checkLedger(world, tenant, history, sink.letters));
  const by = Map.groupBy(sink.letters, ({ sender }) => sender);
  const shares = [...by].map(([sender, { length }]) => `${sender} ${length}`).join(", ");
  t.diagnostic(`${many} people, ${sink.letters.length} letters (${shares})`);
  return more;
};

const once = async (t: TestContext, many: number, twin?: Twin): Promise<void> => {
  assert.equal(await send(t, many, { twin }), 0, "letters came twice");
};

test("P-MAIL-2: without faults everybody gets exactly one letter, even with several senders", (t) =>
  once(t, count(12, 2_000)));

testTwin(
  "P-MAIL-2: a twin that claims nothing, so that letters arrive twice, is detected",
  async (t) => {
    await assert.rejects(once(t, 12, claimsNothing), /came twice/);
  },
);

/** The mail server reads some letters and closes the connection before it acknowledges them. */
const drops = async (t: TestContext, many: number, dice: Dice, twin?: Twin): Promise<void> => {
  let dropped = 0;
  const meet = ({ sink }: MailHouse) => {
    sink.fate = (stage) => {
      // The first one in any case.
      if (stage !== "data" || (dropped > 0 && dice.roll(4) > 0)) return undefined;
      dropped += 1;
      return "hang up";
    };
  };
  const more = await send(t, many, { twin, meet });
  t.diagnostic(`${dropped} hung up before 250, ${more} copies`);
  assert.ok(dropped > 0 && more <= dropped);
};

test("P-MAIL-2: a letter without an acknowledgment is sent again unchanged, once for each failure", (t) =>
  drops(t, count(8, 500), rollDice(t)));

testTwin("P-MAIL-2: a twin that generates a Message-ID for each try is detected", async (t) => {
  await assert.rejects(drops(t, 6, diceOf(1), newMessageIds), /got another Message-ID/);
});
