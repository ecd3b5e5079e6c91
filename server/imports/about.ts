import { emailKey } from "../../contract/fields.ts";
import type { UserRow } from "../db/tables.ts";
import type { Queries } from "../organization.ts";
import type { ImportRow, LineRow } from "./stored.ts";

/* Which lines of imports tell of somebody: what is erased with a person, and given to a person. */

/** The most lines that are read at once. */
const PIECE = 1000;

/**
 * What may be an email address in a text: commas and quotes end it, and the dot of a sentence. A match
 * begins behind one of these only: in a long text without an address, each letter would begin a search.
 */
const ADDRESS =
  /(?<![^\s",:;<>()[\]\\])[^\s",:;<>()[\]\\]+@[^\s",:;<>()[\]\\]*[^\s",:;<>()[\]\\.]/g;

/** Somebody of whom lines may tell. */
export type Told = Pick<UserRow, "id" | "email">;

/** The email addresses that people had before, as long as the history tells of them. */
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

/** Lines of one import that tell of somebody. */
interface LinesAbout {
  readonly of: Pick<ImportRow, "id" | "kind" | "name" | "created_at">;
  readonly lines: readonly (LineRow & {
    /** Whether the line is about the person, and does not only name them, as an owner of a room. */
    readonly isTheirs: boolean;
  })[];
}

/**
 * The lines of an organization's imports that tell of people: by the ID that a line gives, or that it
 * was about, and by their email addresses, which refused lines have too. In pieces.
 */
export async function* linesAbout(
  db: Queries,
  organizationId: string,
  people: readonly Told[],
): AsyncGenerator<LinesAbout> {
  const ids = new Set<unknown>(people.map(({ id }) => id));
  const former = await formerEmails(
    db,
    organizationId,
    people.map(({ id }) => id),
  );
  const emails = [...people.map(({ email }) => email), ...former];
  const keys = new Set(emails.map(emailKey).filter((key) => key !== undefined));
  const isKnown = (address: string) => keys.has(emailKey(address) ?? "");
  const names = (text: string | null) => text?.match(ADDRESS)?.some(isKnown) === true;
  const told = (line: LineRow, kind: ImportRow["kind"]) => {
    const id = line.given === null ? undefined : JSON.parse(line.given).id;
    const hasId = ids.has(line.subject_id) || ids.has(id);
    const hasOther = line.subject_id !== null || id !== undefined;
    const isTheirs = kind === "users" && (hasId || (!hasOther && isKnown(line.name ?? "")));
    return hasId || [line.name, line.given, line.reason].some(names) ? [{ ...line, isTheirs }] : [];
  };

  const imports = await db
    .selectFrom("imports")
    .select(["id", "kind", "name", "created_at"])
    .where("organization_id", "=", organizationId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  for (const of of imports) {
    for (let last = -1, read = PIECE; read === PIECE; ) {
      const lines = await db
        .selectFrom("import_lines")
        .selectAll()
        .where("import_id", "=", of.id)
        .where("line", ">", last)
        .orderBy("line")
        .limit(PIECE)
        .execute();
      read = lines.length;
      last = lines.at(-1)?.line ?? last;
      yield { of, lines: lines.flatMap((line) => told(line, of.kind)) };
    }
  }
}
