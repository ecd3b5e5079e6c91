import { type Kysely, sql } from "kysely";
import type { Language } from "../../contract/kit/languages.ts";
import { settingsOf } from "../../contract/kit/organization-settings.ts";
import type { Change } from "../change/organization.ts";
import { now } from "../db/now.ts";
import type { Seal } from "../db/seal.ts";
import type { LetterRow, Tables, UserRow } from "../db/tables.ts";
import { DAY_MS } from "../lib/durations.ts";
import { uuid7 } from "../lib/id.ts";
import { tracePlace } from "../lib/traced.ts";
import type { SignInChanged } from "./letter-html.ts";
import type { LetterContent } from "./letters.ts";
import { notices } from "./notices.ts";

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

/** The parts of a change that post a letter. */
type Posting = Pick<Change, "tx" | "leaveWork">;

/**
 * Posts a letter in the change, so it exists exactly when the change does, and wakes the postman after the commit.
 *
 * @returns the letter's ID
 */
export const postLetter = (change: Posting, seal: Seal, letter: NewLetter): Promise<string> => {
  const id = uuid7();
  return insert(change, id, letter, seal.seal(JSON.stringify(letter.content), sealContext(id)));
};

/** A letter about a change of how somebody signs in. */
export type NewNotice = Omit<NewLetter, "kind" | "content"> & {
  readonly content: Omit<SignInChanged, "loginUrl"> & { readonly language: Language };
};

/**
 * Posts a letter about a change of how somebody signs in. It holds no secret, and its link is added when it leaves,
 * so the rule that makes the change needs neither the sealing key nor the address of the service.
 */
export const postNotice = async (change: Posting, notice: NewNotice): Promise<void> => {
  const letter = { ...notice, kind: "sign-in-changed" } as const;
  await insert(change, uuid7(), letter, JSON.stringify(notice.content));
};

const insert = async (
  { tx, leaveWork }: Posting,
  id: string,
  letter: Omit<NewLetter, "content">,
  content: string,
): Promise<string> => {
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
      content,
      attempts: 0,
      due_at: now(),
      last_error: null,
      last_reason: null,
      created_at: now(),
      retried_at: null,
      ended_at: null,
      trace: tracePlace() ?? null,
    })
    .execute();
  leaveWork("emails");
  return id;
};

/**
 * The content of a letter.
 *
 * @param publicUrl the address of the service, for the link of a notice
 * @throws SealError when it does not open
 */
export const openContent = (
  seal: Seal,
  { id, kind, content }: Pick<LetterRow, "id" | "kind"> & { readonly content: string },
  publicUrl: string,
): LetterContent =>
  kind === "sign-in-changed"
    ? { ...JSON.parse(content), loginUrl: `${publicUrl}/account` }
    : JSON.parse(seal.open(content, sealContext(id)));

/**
 * Withdraws unsent letters of accounts whose password was replaced or that were revoked; refused
 * ones too, because they could be retried.
 *
 * @param which `with secrets`: notices stay, so that neither a new password nor a revocation hides what was done before
 */
export const withdrawLetters = async (
  tx: Kysely<Tables>,
  userIds: string | readonly string[],
  which: "all" | "with secrets" = "all",
): Promise<void> => {
  const users = typeof userIds === "string" ? [userIds] : userIds;
  if (users.length === 0) return;
  await tx
    .updateTable("letters")
    .set({ state: "withdrawn", content: null, ended_at: now() })
    .where("user_id", "in", users)
    .where("state", "in", ["waiting", "refused"])
    .$if(which === "with secrets", (query) => query.where("kind", "not in", notices))
    .execute();
};

/**
 * Removes the letters of people who are about to be deleted permanently, because no row names them
 * afterwards. The postman removes their files.
 */
export const removeLetters = async (
  { tx, leaveWork }: Posting,
  userIds: readonly string[],
): Promise<void> => {
  await tx.deleteFrom("letters").where("user_id", "in", userIds).execute();
  leaveWork("old emails");
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
