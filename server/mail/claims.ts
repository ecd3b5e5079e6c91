import { sql } from "kysely";
import type { MailCause } from "../../contract/kit/mail-causes.ts";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { LetterRow } from "../db/tables.ts";
import { lastTrouble, type Trouble } from "../lib/last-trouble.ts";
import { DELIVERY_LEASE_MS } from "../lib/lease.ts";
import type { LetterDelivery } from "./delivery.ts";
import { isNotice, notices } from "./notices.ts";

/** A letter that one postman may deliver until its lease ends. */
export interface ClaimedLetter {
  readonly id: string;
  readonly kind: LetterRow["kind"];
  /** Null for an address without an account. */
  readonly userId: string | null;
  readonly accountCreatedAt: string | null;
  /** The number of the account's password. */
  readonly credentials: number;
  /** The account's address at the time of the claim. */
  readonly recipient: string;
  /** As `openContent` opens it. */
  readonly content: string;
  /**
   * The number of this claim. Every claim raises it, so marking after a lost claim changes nothing.
   */
  readonly attempts: number;
  readonly createdAt: string;
  /** When it was posted, or last retried by hand. */
  readonly triedSince: string;
  /** Where the change that posted it is traced. */
  readonly trace: string | null;
}

/** A literal instead of a parameter, so that the index of waiting letters is used. */
const waiting = sql.lit("waiting" as const);

/**
 * Claims up to `most` letters, the longest due first. A letter is withdrawn instead if its account
 * has been deleted or revoked, or has a new password, unless it is a notice.
 */
export const claimLetters = async (database: Database, most: number): Promise<ClaimedLetter[]> => {
  const due = await database.read
    .selectFrom("letters")
    .select(["id", "attempts"])
    .where("state", "=", waiting)
    .where("due_at", "<=", now())
    .orderBy("due_at")
    .orderBy("id")
    .limit(most)
    .execute();
  // One transaction per letter: none locks two rows, so they cannot deadlock.
  const claims = await Promise.allSettled(due.map((letter) => claim(database, letter)));
  const letters = claims.flatMap((one) =>
    one.status === "fulfilled" && one.value !== undefined ? [one.value] : [],
  );
  // Claimed letters are delivered even if other claims failed.
  const failed = claims.find((one) => one.status === "rejected");
  if (failed !== undefined && letters.length === 0) throw failed.reason;
  return letters;
};

const claim = async (
  database: Database,
  seen: { readonly id: string; readonly attempts: number },
): Promise<ClaimedLetter | undefined> =>
  await database.change(async (tx) => {
    const letter = await tx
      .selectFrom("letters")
      .leftJoin("users", "users.id", "letters.user_id")
      .select([
        "letters.id",
        "letters.kind",
        "letters.content",
        "letters.credentials",
        "letters.user_id",
        "letters.recipient",
        "letters.created_at",
        "letters.retried_at",
        "letters.trace",
      ])
      .select(["users.email", "users.credentials as current", "users.account_deleted"])
      .select("users.created_at as account_created_at")
      .where("letters.id", "=", seen.id)
      .where("letters.attempts", "=", seen.attempts)
      .where("letters.state", "=", "waiting")
      .executeTakeFirst();
    if (letter === undefined) return undefined;
    const { id, kind, content, user_id: userId } = letter;
    const email = userId === null || isNotice(kind) ? letter.recipient : letter.email;
    const isCurrent = letter.current === letter.credentials && letter.account_deleted === false;
    const deliverable = userId === null || isNotice(kind) || isCurrent;
    const attempts = seen.attempts + 1;
    const taken = await tx
      .updateTable("letters")
      .set(
        deliverable && content !== null && email !== null
          ? { attempts, recipient: email, due_at: now(DELIVERY_LEASE_MS) }
          : { attempts, state: "withdrawn", content: null, ended_at: now() },
      )
      .where("id", "=", id)
      .where("attempts", "=", seen.attempts)
      .where("state", "=", "waiting")
      .returning("id")
      .executeTakeFirst();
    if (taken === undefined || !deliverable) return undefined;
    if (content === null || email === null) return undefined;
    return {
      id,
      kind,
      userId,
      accountCreatedAt: letter.account_created_at,
      credentials: letter.credentials,
      recipient: email,
      content,
      attempts,
      createdAt: letter.created_at,
      triedSince: letter.retried_at ?? letter.created_at,
      trace: letter.trace,
    };
  });

/**
 * The last check before a letter leaves, some time after the claim: is the claim still valid, and
 * the account unchanged?
 */
export const mayLeave = async (database: Database, letter: ClaimedLetter): Promise<boolean> => {
  const row = await database.read
    .selectFrom("letters")
    .leftJoin("users", "users.id", "letters.user_id")
    .select("letters.id")
    .where("letters.id", "=", letter.id)
    .where("letters.attempts", "=", letter.attempts)
    .where("letters.state", "=", "waiting")
    .where("letters.due_at", ">", now())
    .where((eb) =>
      eb.or([
        eb("letters.user_id", "is", null),
        eb("letters.kind", "in", notices),
        eb.and([
          eb("users.account_deleted", "=", false),
          eb("users.email", "=", letter.recipient),
          eb("users.credentials", "=", eb.ref("letters.credentials")),
        ]),
      ]),
    )
    .executeTakeFirst();
  return row !== undefined;
};

/*
 * The following functions return whether they changed the row: a letter that was withdrawn or
 * claimed by another postman keeps its state.
 */

/** Delivered: the content is erased, the row stays. */
export const markSent = async (
  database: Database,
  letter: ClaimedLetter,
  sent_to: LetterDelivery["to"],
): Promise<boolean> =>
  await mark(database, letter, {
    state: "sent",
    sent_to,
    content: null,
    ...lastTrouble(),
    ended_at: now(),
  });

/** Refused for good; an administrator can retry it. */
export const markRefused = async (
  database: Database,
  letter: ClaimedLetter,
  trouble: Trouble,
): Promise<boolean> =>
  await mark(database, letter, { state: "refused", ...lastTrouble(trouble), ended_at: now() });

/**
 * Retry after a pause.
 *
 * @param cause why the server takes no letters, if it is not about this one
 */
export const postponeLetter = async (
  database: Database,
  letter: ClaimedLetter,
  pauseMs: number,
  trouble: Trouble,
  cause: MailCause | null = null,
): Promise<boolean> =>
  await mark(database, letter, { due_at: now(pauseMs), ...lastTrouble(trouble), held_for: cause });

/** Ends the claim; the letter is due at once. */
export const releaseLetter = async (database: Database, letter: ClaimedLetter): Promise<boolean> =>
  await mark(database, letter, { due_at: now() });

type Mark = Partial<
  Pick<LetterRow, "state" | "content" | "last_error" | "last_reason" | "sent_to" | "held_for">
> & {
  readonly due_at?: ReturnType<typeof now>;
  readonly ended_at?: ReturnType<typeof now>;
};

const mark = async (database: Database, letter: ClaimedLetter, values: Mark): Promise<boolean> =>
  await database.change(async (tx) => {
    const marked = await tx
      .updateTable("letters")
      .set(values)
      .where("id", "=", letter.id)
      .where("attempts", "=", letter.attempts)
      .where("state", "=", "waiting")
      .returning("id")
      .executeTakeFirst();
    return marked !== undefined;
  });
