import { type Kysely, sql } from "kysely";
import { type MailCause, mailCauses } from "../../contract/kit/mail-causes.ts";
import type { Reply } from "../../contract/kit/operation.ts";
import { reason, textOf } from "../../contract/kit/reasons.ts";
import type { getOrganization, Letter } from "../../contract/organization/organization.ts";
import type { Change } from "../change/organization.ts";
import { contains } from "../db/dialect.ts";
import { now } from "../db/now.ts";
import type { LetterRow, Tables } from "../db/tables.ts";
import { literally, termOf } from "../lib/fold.ts";
import { lastReasonOf } from "../lib/last-trouble.ts";
import { refuse } from "../lib/refusal.ts";
import { isNotice, notices } from "./notices.ts";

/** A letter as administrators see it, without its content. */
export type LetterState = Omit<
  LetterRow,
  "content" | "credentials" | "organization_id" | "retried_at" | "held_for" | "trace"
>;

const columns = [
  "id",
  "user_id",
  "kind",
  "recipient",
  "state",
  "attempts",
  "due_at",
  "last_error",
  "last_reason",
  "created_at",
  "ended_at",
  "sent_to",
] as const;

/**
 * One page of an organization's letters, newest first, and the total, without people in the recycle
 * bin.
 *
 * @param db for queries that walk over many rows: each letter is counted
 */
export const listLetters = async (
  db: Kysely<Tables>,
  organizationId: string,
  input: {
    readonly page: number;
    readonly limit: number;
    readonly state?: LetterRow["state"] | undefined;
    /** A part of the recipient's address, in any case. */
    readonly search?: string;
  },
): Promise<{ readonly letters: LetterState[]; readonly total: number }> => {
  const { page, limit, state, search = "" } = input;
  let found = db
    .selectFrom("letters")
    .where("organization_id", "=", organizationId)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb("user_id", "is", null),
        eb(
          "user_id",
          "not in",
          selectFrom("users")
            .select("id")
            .where("organization_id", "=", organizationId)
            .where("gone_at", "is not", null),
        ),
      ]),
    );
  if (state !== undefined) found = found.where("state", "=", state);
  if (search !== "") {
    // The person's address is folded; the letter's may be an earlier one, and is nearly always
    // ASCII.
    const { pattern } = literally(search.toLowerCase());
    found = found.where(({ or, exists, selectFrom }) =>
      or([
        sql<boolean>`lower(recipient) like ${pattern} escape '\\'`,
        exists(
          selectFrom("users")
            .select("users.id")
            .whereRef("users.id", "=", "letters.user_id")
            .whereRef("users.email", "=", "letters.recipient")
            .where(contains(db, "users.email_fold", termOf(search))),
        ),
      ]),
    );
  }
  const count = await found
    .select((row) => row.fn.countAll<number | string>().as("count"))
    .executeTakeFirstOrThrow();
  const total = Number(count.count);
  // No query for a page beyond the end, even one so large that the product is inexact.
  const offset = (page - 1) * limit;
  if (offset >= total) return { letters: [], total };
  const letters = await found
    .select(columns)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return { letters, total };
};

const causeOf = (text: string | null): MailCause | undefined =>
  mailCauses.find((cause) => cause === text);

/**
 * Why the mail server takes no letters, from the last try of a waiting letter of any organization.
 * The server's words are about a letter, so only the letter's organization reads them.
 */
export const mailProblem = async (
  db: Kysely<Tables>,
  organizationId: string,
): Promise<Reply<typeof getOrganization>["organization"]["mailProblem"]> => {
  const held = db
    .selectFrom("letters")
    .select(["held_for", "last_error", "last_reason"])
    .where("state", "=", sql.lit("waiting" as const))
    .where("held_for", "is not", null)
    .orderBy("due_at", "desc")
    .limit(1);
  const own = await held.where("organization_id", "=", organizationId).executeTakeFirst();
  const cause = causeOf((own ?? (await held.executeTakeFirst()))?.held_for ?? null);
  if (cause === undefined) return undefined;
  const [is, mend] = [reason("mail_server", { cause }), reason("mail_server_remedy", { cause })];
  return {
    cause,
    message: `${textOf(is)} ${textOf(mend)}`,
    answer: own?.last_error ?? null,
    lastReason: own ? lastReasonOf(own) : null,
  };
};

/** The outbox of all organizations: how many letters wait and were refused, and since when. */
export const outboxState = async (
  db: Kysely<Tables>,
  organizationId?: string,
): Promise<{
  readonly waiting: number;
  readonly refused: number;
  readonly oldestSeconds: number;
}> => {
  const {
    waiting,
    refused,
    oldest,
    now: at,
  } = await db
    .selectFrom("letters")
    .$if(organizationId !== undefined, (letters) =>
      letters.where("organization_id", "=", organizationId ?? ""),
    )
    .select(({ fn, eb }) => [
      fn.count<number>("id").filterWhere("state", "=", "waiting").as("waiting"),
      fn.count<number>("id").filterWhere("state", "=", "refused").as("refused"),
      fn
        .min("created_at")
        .filterWhere(eb("state", "=", "waiting"))
        .as("oldest"),
      now().as("now"),
    ])
    .where("state", "in", ["waiting", "refused"])
    .executeTakeFirstOrThrow();
  const age = oldest === null ? 0 : Date.parse(at) - Date.parse(oldest);
  return { waiting: Number(waiting), refused: Number(refused), oldestSeconds: age / 1000 };
};

/** Makes a refused letter due again. */
const again = () =>
  ({ state: "waiting", due_at: now(), retried_at: now(), ended_at: null }) as const;

/**
 * Retries a refused letter right after the commit.
 *
 * @throws Refusal `letter_not_found`, `letter_not_refused`; `letter_outdated` if its content is
 * erased or has an old password
 */
export const retryLetter = async (
  {
    tx,
    organization,
    leaveWork,
  }: Pick<Change, "tx" | "leaveWork"> & {
    readonly organization: Pick<Change["organization"], "id">;
  },
  letterId: string,
): Promise<void> => {
  const letter = await tx
    .selectFrom("letters")
    .leftJoin("users", "users.id", "letters.user_id")
    .select(["letters.state", "letters.credentials", "letters.content", "letters.user_id"])
    .select("letters.kind")
    .select(["users.credentials as current", "users.account_deleted"])
    .where("letters.id", "=", letterId)
    .where("letters.organization_id", "=", organization.id)
    .where("users.gone_at", "is", null)
    .executeTakeFirst();
  if (letter === undefined) return refuse("letter_not_found");
  if (letter.state !== "refused") return refuse("letter_not_refused");
  const isCurrent =
    letter.user_id === null ||
    isNotice(letter.kind) ||
    (letter.current === letter.credentials && letter.account_deleted === false);
  if (letter.content === null || !isCurrent) return refuse("letter_outdated");
  const retried = await tx
    .updateTable("letters")
    .set(again())
    .where("id", "=", letterId)
    .where("state", "=", sql.lit("refused" as const))
    .returning("id")
    .executeTakeFirst();
  if (retried === undefined) refuse("letter_not_refused");
  leaveWork("emails");
};

/**
 * Retries, right after the commit, every refused letter of the organization that could be retried alone.
 *
 * @returns how many there are
 */
export const retryLetters = async ({
  tx,
  organization,
  leaveWork,
}: Pick<Change, "tx" | "organization" | "leaveWork">): Promise<number> => {
  const retried = await tx
    .updateTable("letters")
    .set(again())
    .where("organization_id", "=", organization.id)
    .where("state", "=", sql.lit("refused" as const))
    .where("content", "is not", null)
    .where(({ eb, or, exists, selectFrom }) =>
      or([
        eb("letters.user_id", "is", null),
        exists(
          selectFrom("users")
            .select("users.id")
            .whereRef("users.id", "=", "letters.user_id")
            .where((user) =>
              user.or([
                user("letters.kind", "in", notices),
                user.and([
                  user("users.credentials", "=", user.ref("letters.credentials")),
                  user("users.account_deleted", "=", false),
                ]),
              ]),
            )
            .where("users.gone_at", "is", null),
        ),
      ]),
    )
    .executeTakeFirstOrThrow();
  leaveWork("emails");
  return Number(retried.numUpdatedRows);
};

/** An email as the list shows it: its state, never its content. */
export const presentLetter = (row: LetterState): Letter => ({
  id: row.id,
  userId: row.user_id,
  kind: row.kind,
  recipient: row.recipient,
  state: row.state,
  attempts: row.attempts,
  dueAt: row.state === "waiting" ? row.due_at : null,
  lastError: row.last_error,
  lastReason: lastReasonOf(row),
  createdAt: row.created_at,
  endedAt: row.ended_at,
  sentTo: row.sent_to,
});
