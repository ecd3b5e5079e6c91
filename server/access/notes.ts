import { hash } from "node:crypto";
import type { Queries } from "../change/organization.ts";
import { now } from "../db/now.ts";
import { DAY_MS } from "../lib/durations.ts";

/*
 * Frequent events are added to the history only now and then. A note, stored among the throttles, says
 * until when an event is not added again, for all processes together. What happened lately matters
 * elsewhere too: which browsers gave the password of a room.
 */

/** An event, and for how many milliseconds it is noted: a frequent one is not added again meanwhile. */
export interface Note {
  readonly key: string;
  readonly ms: number;
}

/** The note of the event that these parts identify. */
export const noteOf = (ms: number, ...parts: readonly string[]): Note => ({
  key: `note:${hash("sha256", parts.join("\0"), "base64url")}`,
  ms,
});

/** Returns whether the event was noted lately. */
export const isNoted = async (db: Queries, { key }: Note): Promise<boolean> =>
  (await db
    .selectFrom("throttles")
    .select("key")
    .where("key", "=", key)
    .where("used_until", ">", now())
    .executeTakeFirst()) !== undefined;

/** Returns whether one of the events was noted after this time of the database's clock, in milliseconds. */
export const isOneNoted = async (
  db: Queries,
  events: readonly Note[],
  after: number,
): Promise<boolean> =>
  (await db
    .selectFrom("throttles")
    .select("key")
    .where(({ eb, or }) =>
      or(
        events.map(({ key, ms }) =>
          eb("key", "=", key).and("used_until", ">", new Date(after + ms).toISOString()),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst()) !== undefined;

const write = (tx: Queries, events: readonly Note[], isAgain: boolean) =>
  tx
    .insertInto("throttles")
    .values(events.map(({ key, ms }) => ({ key, used_until: now(ms) })))
    .onConflict((conflict) => {
      const again = conflict
        .column("key")
        .doUpdateSet(({ ref }) => ({ used_until: ref("excluded.used_until") }));
      return isAgain ? again : again.where("throttles.used_until", "<=", now());
    })
    .returning("key")
    .executeTakeFirst();

/** Notes the event. @returns whether it was not noted lately */
export const noteOnce = async (tx: Queries, event: Note): Promise<boolean> =>
  (await write(tx, [event], false)) !== undefined;

/** Notes the events; for those that were noted lately, the time begins again. */
export const noteAgain = async (tx: Queries, ...events: readonly Note[]): Promise<void> => {
  await write(tx, events, true);
};

/*
 * A session that expires lets its person come back to a meeting in the same browser; one that somebody has
 * ended does not. Expired or ended, its tokens are gone, so what was ended is noted.
 */

/** Longer than any session. */
const SIGNED_OUT_MS = DAY_MS;

const signedOut = (userId: string) => noteOf(SIGNED_OUT_MS, "signed out", userId);

/** Notes that sessions of people have been ended: by signing out, or with a new password. */
export const noteSignedOut = (tx: Queries, userIds: readonly string[]): Promise<void> =>
  noteAgain(tx, ...[...new Set(userIds)].map(signedOut));

/** Returns whether a person has ended sessions lately. */
export const hasSignedOut = (db: Queries, userId: string): Promise<boolean> =>
  isNoted(db, signedOut(userId));
