import assert from "node:assert/strict";
import { type Event, type History, startHistory } from "../races/history.ts";
import type { Ask } from "../world/ask.ts";
import type { SunkLetter } from "../world/sink.ts";
import type { Tenant } from "../world/tenant.ts";
import type { Beside } from "../world/world.ts";

/** Created people, and the answer about each. */
export interface People {
  readonly history: History;
  /**
   * Creates people at each of these URLs, one after the other: this many, or until a time, or until a request
   * fails.
   */
  create(asks: readonly Ask[], enough: number | (() => boolean)): Promise<void>;
}

/** Once per this many people, a request has a taken address: it must not cause a letter. */
const TAKEN_EVERY = 20;

export const startPeople = (): People => {
  const history = startHistory();
  let made = 0;
  const one = async (client: number, ask: Ask): Promise<boolean> => {
    made += 1;
    const isAgain = made % TAKEN_EVERY === 0;
    const input = { email: `p${made}@example.org`, name: "Ann", loginUrl: "https://x.org" };
    const { outcome } = await history.ask(client, ask, "createUser", input);
    if (outcome === "unknown") return false;
    assert.equal(outcome, "ok");
    if (!isAgain) return true;
    const again = await history.ask(client, ask, "createUser", input);
    if (again.outcome !== "unknown") assert.equal(again.outcome, "email_taken");
    return again.outcome !== "unknown";
  };
  return {
    history,
    async create(asks, enough) {
      let left = enough;
      const isOver = () => (typeof left === "number" ? left-- <= 0 : left());
      const creating = asks.map(async (ask, client) => {
        while (!isOver() && (await one(client, ask)));
      });
      await Promise.all(creating);
    },
  };
};

const addressOf = ({ input }: Event): string => (input as { readonly email: string }).email;

/** The acknowledged ones. */
export const acknowledged = ({ events }: History): Event[] =>
  events.filter(({ outcome }) => outcome === "ok");

/** Returns whether it is the letter with this password. */
export const holds = (letter: SunkLetter, password: string): boolean =>
  letter.parsed.text?.includes(`Password: ${password}\n`) ?? false;

/**
 * Compares the letters that arrived with the answers and the stored rows: everybody has one letter, with the
 * right password, in the right mailbox, and each further copy is identical byte for byte.
 *
 * @returns how many came beyond the first of each.
 */
export const checkLedger = async (
  { database }: Beside,
  { id, admin }: Tenant,
  history: History,
  letters: readonly SunkLetter[],
): Promise<number> => {
  const accounts = await database.read
    .selectFrom("users")
    .select("email")
    .where("organization_id", "=", id)
    .where("id", "!=", admin.id)
    .execute();
  const stored = new Set(accounts.map(({ email }) => email));
  const told = new Map(
    acknowledged(history).map((event) => [addressOf(event), event.answer?.body.password]),
  );
  for (const address of told.keys()) assert.ok(stored.has(address), `${address} is lost`);
  const arrived = Map.groupBy(letters, ({ to }) => to.join());
  for (const mailbox of arrived.keys()) assert.ok(stored.has(mailbox), `${mailbox} is nobody`);
  const ids = new Set<string | undefined>();
  for (const address of stored) {
    const [first, ...copies] = arrived.get(address) ?? [];
    assert.ok(first, `${address} has no letter`);
    const { messageId, to } = first.parsed;
    assert.deepEqual(to, [{ name: "", address }]);
    assert.ok(!ids.has(messageId), `${messageId} went to two mailboxes`);
    ids.add(messageId);
    const password = told.get(address);
    if (password !== undefined) assert.ok(holds(first, password), `${address} got another's`);
    for (const copy of copies) {
      assert.equal(copy.parsed.messageId, messageId, `${address} got another Message-ID`);
      assert.ok(copy.raw.equals(first.raw), `${address} got another text`);
    }
  }
  return letters.length - stored.size;
};
