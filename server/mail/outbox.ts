import { type Kysely, sql } from "kysely";
import type { Language } from "../../contract/kit/languages.ts";
import { settingsOf } from "../../contract/kit/organization-settings.ts";
import { now } from "../db/now.ts";
import type { Seal } from "../db/seal.ts";
import type { LetterRow, Tables, UserRow } from "../db/tables.ts";
import { DAY_MS } from "../lib/durations.ts";
import { uuid7 } from "../lib/id.ts";
import { tracePlace } from "../lib/traced.ts";
import type { LetterContent } from "./letters.ts";

export {
  type LetterState,
  listLetters,
  mailProblem,
  outboxState,
  retryLetter,
  retryLetters,
} from "./letter-states.ts";

/** A letter to post. */
export interface NewLetter {
  readonly organizationId: string;
  /** Null for an address without an account. */
  readonly userId: string | null;
  readonly kind: LetterRow["kind"];
  /** The account's current address; the letter goes to the address that it has at delivery. */
  readonly recipient: string;
  /**
   * The number of the content's password (`users.credentials`): when it changes, the letter is
   * withdrawn.
   */
  readonly credentials: number;
  readonly content: LetterContent & Required<Pick<LetterContent, "language">>;
}

/** The language of a letter: the person's own, else the organization's. */
export const letterLanguage = (
  organization: { readonly settings: string },
  person?: Pick<UserRow, "language">,
): Language => person?.language ?? settingsOf(organization).language;

/**
 * Posts a letter in the caller's transaction, so it exists exactly when the change does. Wake the
 * postman after the commit.
 *
 * @returns the letter's ID
 */
export const postLetter = async (
  tx: Kysely<Tables>,
  seal: Seal,
  letter: NewLetter,
): Promise<string> => {
  const id = uuid7();
  await tx
    .insertInto("letters")
    .values({
      id,
      organization_id: letter.organizationId,
      user_id: letter.userId,
      kind: letter.kind,
      recipient: letter.recipient,
      credentials: letter.credentials,
      state: "waiting",
      content: seal.seal(JSON.stringify(letter.content), sealContext(id)),
      attempts: 0,
      due_at: now(),
      last_error: null,
      created_at: now(),
      retried_at: null,
      ended_at: null,
      trace: tracePlace() ?? null,
    })
    .execute();
  return id;
};

/** The content of a letter. @throws SealError when it does not open. */
export const openContent = (
  seal: Seal,
  letter: { readonly id: string; readonly content: string },
): LetterContent => JSON.parse(seal.open(letter.content, sealContext(letter.id))) as LetterContent;

/**
 * Withdraws unsent letters of accounts whose password was replaced or that were revoked; refused
 * ones too, because they could be retried.
 */
export const withdrawLetters = async (
  tx: Kysely<Tables>,
  userIds: string | readonly string[],
): Promise<void> => {
  const users = typeof userIds === "string" ? [userIds] : userIds;
  if (users.length === 0) return;
  await tx
    .updateTable("letters")
    .set({ state: "withdrawn", content: null, ended_at: now() })
    .where("user_id", "in", users)
    .where("state", "in", ["waiting", "refused"])
    .execute();
};

/**
 * Removes the letters of people who are about to be deleted permanently, because no row names them
 * afterwards. Their files go when the postman tidies up.
 */
export const removeLetters = async (
  tx: Kysely<Tables>,
  userIds: readonly string[],
): Promise<void> => {
  await tx.deleteFrom("letters").where("user_id", "in", userIds).execute();
};

/** Refused letters keep their content for a retry; after 30 days it is erased. */
export const eraseOldContent = async (tx: Kysely<Tables>): Promise<void> => {
  await tx
    .updateTable("letters")
    .set({ content: null })
    .where("state", "=", sql.lit("refused" as const))
    .where("content", "is not", null)
    .where("ended_at", "<", now(-30 * DAY_MS))
    .execute();
};

/** The seal covers the row: content moved to another letter does not open there. */
const sealContext = (letterId: string): string => `letter:${letterId}`;
