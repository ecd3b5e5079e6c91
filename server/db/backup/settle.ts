import type { Kysely } from "kysely";
import { checkSeal, type Seal } from "../../seal.ts";
import { now } from "../now.ts";
import type { Tables } from "../tables.ts";

/** The outcome of `settle`. */
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
  /** The key of the backup is lost: everything that it sealed is erased, and the current key replaces it. */
  readonly newKey: boolean;
}

/**
 * Prepares a restored database before anybody uses it. Ends all tokens, because they may have been
 * revoked since, and all seats in meetings. Withdraws letters, because they may have been sent since, or hold a password that was
 * replaced since. Recounts what the organizations have.
 *
 * @throws SealError if the current key is not the backup's
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
  await emptyMeetings(tx);
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

/**
 * Nobody is inside after a restore: the tickets are worth nothing, and the first process that starts
 * ends the meetings at the last moment that the backup knows of.
 */
const emptyMeetings = async (tx: Kysely<Tables>): Promise<void> => {
  const nobody = { process: null, media_process: null, media_connection: 0 };
  await tx
    .updateTable("seats")
    .set(({ fn, ref, selectFrom }) => ({
      ...{ ...nobody, ticket_digest: ref("id"), lease_until: now() },
      last_seen: fn.coalesce(
        selectFrom("processes").select("alive_at").whereRef("id", "=", "seats.process"),
        ref("last_seen"),
      ),
    }))
    .where("left_at", "is", null)
    .execute();
  await tx.deleteFrom("processes").execute();
  await tx.deleteFrom("seat_messages").execute();
  await tx.deleteFrom("invitations").execute();
};

/** Recounts what each organization has: limits and pages use these numbers. */
const recountAll = async (tx: Kysely<Tables>): Promise<void> => {
  const people = await tx
    .selectFrom("users")
    .select(["organization_id", "role", "account_deleted"])
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("gone_at", "is", null)
    .groupBy(["organization_id", "role", "account_deleted"])
    .execute();
  const rooms = await tx
    .selectFrom("rooms")
    .select("organization_id")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("deleted_at", "is", null)
    .groupBy("organization_id")
    .execute();
  const roomsOf = new Map(rooms.map((row) => [row.organization_id, Number(row.count)]));
  const peopleOf = Map.groupBy(people, (row) => row.organization_id);
  for (const { id } of await tx.selectFrom("organizations").select("id").execute()) {
    const here = peopleOf.get(id) ?? [];
    const counts = [...Map.groupBy(here, ({ role }) => role)].map(
      ([role, rows]) => [role, count(rows, false), count(rows, true)] as const,
    );
    const set = {
      used_rooms: roomsOf.get(id) ?? 0,
      used_users: count(here, false),
      users_by_role: JSON.stringify(counts.toSorted()),
    };
    await tx.updateTable("organizations").set(set).where("id", "=", id).execute();
  }
};

interface Counted {
  readonly account_deleted: boolean;
  readonly count: number;
}

const count = (rows: readonly Counted[], revoked: boolean): number =>
  rows
    .filter(({ account_deleted }) => account_deleted === revoked)
    .reduce((sum, row) => sum + Number(row.count), 0);
