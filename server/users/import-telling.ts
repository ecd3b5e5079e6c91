import { emailKey } from "../../contract/kit/fields.ts";
import type { Queries } from "../change/organization.ts";
import type { ImportRow, LineRow } from "../db/import-tables.ts";
import type { UserRow } from "../db/tables.ts";
import { digestOf } from "../lib/digest.ts";

/*
 * Which lines of imports mention a person: they are erased with the person, and are part of the
 * person's file.
 */

/**
 * Finds possible email addresses in a text: one ends at blanks, commas, quotes and brackets, and without
 * the period of a sentence. A match starts only after one of these: otherwise, in a long text without
 * an address, the search would start again at each letter.
 */
const ADDRESS =
  /(?<![^\s",:;<>()[\]\\])[^\s",:;<>()[\]\\]+@[^\s",:;<>()[\]\\]*[^\s",:;<>()[\]\\.]/g;

/** The values by which lines may mention a person. */
export type IdAndEmail = Pick<UserRow, "id" | "email">;

/** The values by which lines mention people: their IDs, and digests of the keys of their email addresses. */
export interface Sought {
  readonly ids: readonly string[];
  readonly emails: readonly string[];
}

/** The email addresses that people had before, as long as the history has them. */
const formerEmails = async (
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> => {
  const edits = await db
    .selectFrom("history")
    .select("facts")
    .where("organization_id", "=", organizationId)
    .where("subject_id", "in", ids)
    .where("kind", "=", "userEdited")
    .execute();
  return edits.flatMap(({ facts }) => JSON.parse(facts ?? "{}").before?.email ?? []);
};

/** The digest of the key of an email address; undefined if the text is not one. */
const digestOfEmail = (email: string): string | undefined => {
  const key = emailKey(email);
  return key === undefined ? undefined : digestOf(key);
};

/** The values by which lines of an organization's imports mention these people. */
export const soughtOf = async (
  db: Queries,
  organizationId: string,
  people: readonly IdAndEmail[],
): Promise<Sought> => {
  const ids = people.map(({ id }) => id);
  const former = await formerEmails(db, organizationId, ids);
  const emails = [...people.map(({ email }) => email), ...former];
  return { ids, emails: emails.map(digestOfEmail).filter((digest) => digest !== undefined) };
};

/** The columns of a line that may mention a person. */
export type Words = Pick<LineRow, "name" | "given" | "reason" | "subject_id">;

/** How a line mentions people: it is theirs, or only names them, as an owner of a room. */
export type Telling = "theirs" | "names" | undefined;

/**
 * Finds how lines mention people: by the ID that a line gives, or that it was about, and by their email
 * addresses, which refused lines have too.
 */
export const tellingOf = ({ ids, emails }: Sought) => {
  const known = new Set<unknown>(ids);
  const digests = new Set<unknown>(emails);
  const isKnown = (address: string) => digests.has(digestOfEmail(address));
  const names = (text: string | null) => text?.match(ADDRESS)?.some(isKnown) === true;
  return (kind: ImportRow["kind"], { name, given, reason, subject_id }: Words): Telling => {
    const id = given === null ? undefined : JSON.parse(given).id;
    const hasId = known.has(subject_id) || known.has(id);
    const hasOther = subject_id !== null || id !== undefined;
    if (kind === "users" && (hasId || (!hasOther && isKnown(name ?? "")))) return "theirs";
    return hasId || [name, given, reason].some(names) ? "names" : undefined;
  };
};
