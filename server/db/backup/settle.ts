import type { Kysely } from "kysely";
import { checkSeal, type Seal } from "../../seal.ts";
import { now } from "../now.ts";
import type { Tables } from "../tables.ts";
import { recountAll } from "./recount.ts";

/** What a restored database is brought into before anybody uses it. */
export interface Settled {
  /** Letters that were waiting and are withdrawn. */
  readonly lettersWithdrawn: number;
  /** Letters that were waiting and will be sent. */
  readonly lettersWaiting: number;
  /** Sessions and tokens that were ended. */
  readonly tokensEnded: number;
}

export interface SettleOptions {
  readonly sendLetters: boolean;
  /** The key of the backup is lost: what it sealed goes, the present key takes its place. */
  readonly newKey: boolean;
}

/**
 * Ends what must not live again with a restored database: tokens that may have been ended since, and
 * letters that may have been sent, or hold a password that was replaced since. Counts anew what the
 * organizations have.
 *
 * @throws SealError where the present key is not the backup's
 */
export const settle = async (
  tx: Kysely<Tables>,
  seal: Seal,
  { sendLetters, newKey }: SettleOptions,
): Promise<Settled> => {
  if (newKey) await tx.updateTable("service").set({ seal_check: null }).execute();
  await checkSeal(tx, seal);
  const withdrawn = await withdraw(
    tx,
    newKey ? ["waiting", "refused"] : sendLetters ? [] : ["waiting"],
  );
  await recountAll(tx);
  const ended = await tx.deleteFrom("tokens").executeTakeFirst();
  const waiting = await tx
    .selectFrom("letters")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("state", "=", "waiting")
    .executeTakeFirstOrThrow();
  return {
    lettersWithdrawn: withdrawn,
    lettersWaiting: Number(waiting.count),
    tokensEnded: Number(ended.numDeletedRows),
  };
};

const withdraw = async (
  tx: Kysely<Tables>,
  states: readonly ("waiting" | "refused")[],
): Promise<number> => {
  if (states.length === 0) return 0;
  const { numUpdatedRows } = await tx
    .updateTable("letters")
    .set({ state: "withdrawn", content: null, ended_at: now() })
    .where("state", "in", states)
    .executeTakeFirst();
  return Number(numUpdatedRows);
};
