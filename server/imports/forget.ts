import { emailKey } from "../../contract/fields.ts";
import type { UserRow } from "../db/tables.ts";
import type { Change } from "../organization.ts";
import type { LineRow } from "./stored.ts";

/** The most lines that are read at once. */
const PIECE = 1000;

/**
 * What may be an email address in a text: commas and quotes end it, and the dot of a sentence. A match
 * begins behind one of these only: in a long text without an address, each letter would begin a search.
 */
const ADDRESS =
  /(?<![^\s",:;<>()[\]\\])[^\s",:;<>()[\]\\]+@[^\s",:;<>()[\]\\]*[^\s",:;<>()[\]\\.]/g;

/** Why a line is refused whose person is erased. */
export const ERASED = "Its person was deleted permanently.";

/** Somebody whose lines are to be erased. */
export type Forgotten = Pick<UserRow, "id" | "email">;

/** The email addresses that people had before, as long as the history tells of them. */
const formerEmails = async (
  { tx, organization }: Pick<Change, "tx" | "organization">,
  ids: readonly string[],
): Promise<string[]> => {
  const edits = await tx
    .selectFrom("history")
    .select("facts")
    .where("organization_id", "=", organization.id)
    .where("subject_id", "in", ids)
    .where("kind", "=", "userEdited")
    .execute();
  return edits.flatMap(({ facts }) => JSON.parse(facts ?? "{}").before?.email ?? []);
};

/**
 * Erases what imports have of people who are deleted for good: by the ID that a line gives, or
 * that it was about, and by their email addresses, which refused lines have too. What was to be carried
 * out still is refused then. Call it before the history is erased.
 */
export const eraseLines = async (
  { tx, organization }: Pick<Change, "tx" | "organization">,
  people: readonly Forgotten[],
): Promise<void> => {
  const ids = new Set<unknown>(people.map(({ id }) => id));
  const former = await formerEmails(
    { tx, organization },
    people.map(({ id }) => id),
  );
  const keys = new Set([...people.map(({ email }) => email), ...former].map(emailKey));
  const names = (text: string | null) =>
    text?.match(ADDRESS)?.some((address) => keys.has(emailKey(address))) === true;
  const isAbout = ({ subject_id, given, name, reason }: LineRow) =>
    ids.has(subject_id) ||
    [name, given, reason].some(names) ||
    (given !== null && ids.has(JSON.parse(given).id));

  const imports = await tx
    .selectFrom("imports")
    .select(["id", "kind"])
    .where("organization_id", "=", organization.id)
    .execute();
  for (const { id, kind } of imports) {
    for (let last = -1, read = PIECE; read === PIECE; ) {
      const lines = await tx
        .selectFrom("import_lines")
        .selectAll()
        .where("import_id", "=", id)
        .where("line", ">", last)
        .orderBy("line")
        .limit(PIECE)
        .execute();
      read = lines.length;
      last = lines.at(-1)?.line ?? last;
      const theirs = lines.filter(isAbout).map(({ line }) => line);
      if (theirs.length === 0) continue;
      await tx
        .updateTable("import_lines")
        .set(({ eb }) => ({
          given: null,
          changes: null,
          reason: eb.case().when("reason", "is not", null).then(ERASED).end(),
          // The name of a room stays.
          ...(kind === "users" ? { name: null } : {}),
        }))
        .where("import_id", "=", id)
        .where("line", "in", theirs)
        .execute();
    }
  }
};
