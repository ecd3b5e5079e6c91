import { type Kysely, sql } from "kysely";
import { now } from "../now.ts";
import { checkSeal, type Seal } from "../seal.ts";
import type { Tables } from "../tables.ts";

/** The outcome of `settle`. */
export interface Settled {
  /** Letters that were waiting and are withdrawn. */
  readonly lettersWithdrawn: number;
  /** Letters that were waiting and will be sent. */
  readonly lettersWaiting: number;
  /** Sessions and tokens that were ended. */
  readonly tokensEnded: number;
  /** Webhooks that send nothing until they get a new secret: the lost key sealed theirs. */
  readonly webhooksWithoutSecret: number;
}

export interface SettleOptions {
  readonly sendLetters: boolean;
  /**
   * The key of the backup is lost, and the current one replaces it. What it sealed is erased; the
   * secrets of webhooks stay as they are, so that each says that it needs a new one.
   */
  readonly newKey: boolean;
}

/**
 * Prepares a restored database before anybody uses it. Ends all tokens, because they may have been
 * revoked since, and all seats and recordings in meetings. Withdraws letters, because they may have
 * been sent since, or hold a password that was replaced since. Recounts what the organizations have.
 * Always on SQLite: on the draft that a restore makes from a backup.
 *
 * @throws SealError if the current key is not the backup's
 */
export const settle = async (
  tx: Kysely<Tables>,
  seal: Seal,
  { sendLetters, newKey }: SettleOptions,
): Promise<Settled> => {
  if (newKey) {
    await tx.updateTable("service").set({ seal_check: null }).execute();
    // Their keys stay used: a request that is sent again is refused, and changes nothing twice.
    await tx
      .updateTable("kept_answers")
      .set({ request: "", answer: null, subject_id: null })
      .where("answer", "is not", null)
      .execute();
    // The lost key sealed it too.
    await tx.updateTable("webhooks").set({ former_secret: null, former_until: null }).execute();
    // The three days after which what waits is given up, and its webhook switched off, count from the
    // restore, not from the backup.
    await tx
      .updateTable("webhooks")
      .set({ failing_since: null })
      .where("state", "=", "on")
      .execute();
    await tx
      .updateTable("deliveries")
      .set(({ ref }) => ({ due_at: now(), queued_at: now(), attempts_before: ref("attempts") }))
      .where("state", "=", "waiting")
      .execute();
  }
  await checkSeal(tx, seal);
  const unsent = sendLetters ? [] : (["waiting"] as const);
  const withdrawn = await tx
    .updateTable("letters")
    .set({ state: "withdrawn", content: null, ended_at: now() })
    .where("state", "in", newKey ? ["waiting", "refused"] : unsent)
    .executeTakeFirst();
  await recountAll(tx);
  // These are nobody's session any more, and are not counted.
  await tx.deleteFrom("tokens").where("expires_at", "<=", now()).execute();
  const ended = await tx.deleteFrom("tokens").executeTakeFirst();
  await tx.deleteFrom("provider_sessions").execute();
  await emptyMeetings(tx);
  await leaveRecordings(tx);
  const waiting = await tx
    .selectFrom("letters")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("state", "=", "waiting")
    .executeTakeFirstOrThrow();
  const webhooks = await tx
    .selectFrom("webhooks")
    .select((row) => row.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return {
    lettersWithdrawn: Number(withdrawn.numUpdatedRows),
    lettersWaiting: Number(waiting.count),
    tokensEnded: Number(ended.numDeletedRows),
    webhooksWithoutSecret: newKey ? Number(webhooks.count) : 0,
  };
};

/**
 * Nobody is inside after a restore: the tickets are worth nothing, and the first process that starts
 * ends the meetings at the last moment that the backup knows of.
 */
const emptyMeetings = async (tx: Kysely<Tables>): Promise<void> => {
  const nobody = { process: null, media_process: null, media_connection: 0 };
  const lastSign = sql<string | null>`nullif(max(coalesce(last_seen, ''), coalesce((
    select max(alive_at) from processes where id in (seats.process, seats.media_process)), '')), '')`;
  const kept = sql<"leaving" | "claimed">`case state when 'leaving' then state else 'claimed' end`;
  await tx
    .updateTable("seats")
    .set(({ ref }) => ({
      ...nobody,
      ticket_digest: ref("id"),
      lease_until: now(),
      state: kept,
      claimed_from: null,
      last_seen: lastSign,
    }))
    .where("left_at", "is", null)
    .execute();
  // Their receivers may not expect them any more, and their keys may not open.
  const over = { state: "ended", receiver: null, process: null, lease_until: null } as const;
  await tx
    .updateTable("runs")
    .set({ ...over, ended_at: now() })
    .where("ended_at", "is", null)
    .execute();
  await tx.deleteFrom("processes").execute();
  await tx.deleteFrom("seat_messages").execute();
  await tx.deleteFrom("invitations").execute();
};

/** Nobody records after a restore: the first process that starts finishes the recordings in the folders. */
const leaveRecordings = async (tx: Kysely<Tables>): Promise<void> => {
  await tx
    .updateTable("recordings")
    .set({ process: null, lease_until: now() })
    .where("state", "in", ["starting", "active", "ending"])
    .execute();
};

/**
 * Recounts what each organization has: limits and pages use these numbers, and without a webhook that is
 * on nothing is sent. The next entry of the history gets a free number; whether the chain is whole,
 * `history verify` tells.
 */
const recountAll = async (tx: Kysely<Tables>): Promise<void> => {
  await sql`
    update organizations set
      used_rooms = (select count(*) from rooms
        where organization_id = organizations.id and deleted_at is null),
      used_users = (select count(*) from users
        where organization_id = organizations.id and gone_at is null and not account_deleted),
      users_by_role = (select json_group_array(json_array(role, active, revoked) order by role)
        from (select role, sum(not account_deleted) as active, sum(account_deleted) as revoked
          from users where organization_id = organizations.id and gone_at is null group by role)),
      webhooks = (select count(*) from webhooks
        where organization_id = organizations.id and state = 'on'),
      history_number = max(history_number, coalesce((select max(number) from history
        where organization_id = organizations.id), 0))
  `.execute(tx);
};
