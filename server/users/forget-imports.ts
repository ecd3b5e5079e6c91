import { IMPORT_DAYS } from "../../contract/imports/imports.ts";
import { reason } from "../../contract/kit/reasons.ts";
import type { Change, Queries } from "../change/organization.ts";
import type { ImportRow, LineErasuresTable, LineRow } from "../db/import-tables.ts";
import { now } from "../db/now.ts";
import { DAY_MS } from "../lib/durations.ts";
import { uuid7 } from "../lib/id.ts";
import { storedReasons } from "../records/import-reasons.ts";
import { type IdAndEmail, type Sought, soughtOf, tellingOf, type Words } from "./import-telling.ts";
import type { Chore } from "./mender.ts";

/*
 * An organization may have a hundred thousand lines, and each has to be read. So the deletion of a
 * person leaves a row with the values by which lines mention them, and the mender erases these lines in
 * pieces. Until then, lines are answered and carried out without what is to be erased.
 */

/** The stored reason of a refused line whose person is erased. */
export const ERASED = storedReasons([{ field: "", reason: reason("erased") }]);

/** How many lines one change reads: other changes run in between. */
const PIECE = 500;
/** For how many deletions at once the lines are read. */
const TOGETHER = 500;

type Held = Pick<Change, "tx" | "organization">;

/**
 * Queues the erasure of import lines about people who are deleted permanently, after the request. Lines
 * that were still to be carried out are refused from now on. Call it before the history is erased.
 */
export const forgetLines = async (
  { tx, organization }: Held,
  people: readonly IdAndEmail[],
): Promise<void> => {
  const newest = await tx
    .selectFrom("imports")
    .select("created_at")
    .where("organization_id", "=", organization.id)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (newest === undefined) return;
  await tx
    .insertInto("line_erasures")
    .values({
      organization_id: organization.id,
      id: uuid7(),
      until: newest.created_at,
      people: JSON.stringify(await soughtOf(tx, organization.id, people)),
      import_id: "",
      line: null,
    })
    .execute();
};

/** The next import must be stored after this time, so that nothing of it is erased; empty: at any time. */
export const erasedUntil = async ({ tx, organization }: Held): Promise<string> => {
  const { until } = await tx
    .selectFrom("line_erasures")
    .select(({ fn }) => fn.max("until").as("until"))
    .where("organization_id", "=", organization.id)
    .executeTakeFirstOrThrow();
  return until ?? "";
};

/** The parts of a line that answers show, or that carrying it out needs. */
type Shown = Words & Pick<LineRow, "changes">;
type Kept = Pick<ImportRow, "kind" | "created_at">;

/** The name of a room stays. */
const keepsName = (kind: ImportRow["kind"]): boolean => kind === "rooms";

/** Finds which lines of an import mention people of these deletions; later imports are left alone. */
const tellingOfAll = (
  erasures: readonly Pick<LineErasuresTable, "people" | "until">[],
  { kind, created_at }: Kept,
) => {
  const sought = erasures
    .filter(({ until }) => created_at <= until)
    .map(({ people }): Sought => JSON.parse(people));
  const telling = tellingOf({
    ids: sought.flatMap(({ ids }) => ids),
    emails: sought.flatMap(({ emails }) => emails),
  });
  return (line: Words): boolean => sought.length > 0 && telling(kind, line) !== undefined;
};

/**
 * Removes from lines what is still to be erased. Call it before reading the lines: they may be erased
 * in between.
 */
export const withoutErased = async (
  db: Queries,
  organizationId: string,
): Promise<(of: Kept) => <Line extends Shown>(line: Line) => Line> => {
  const erasures = await db
    .selectFrom("line_erasures")
    .select(["people", "until"])
    .where("organization_id", "=", organizationId)
    .execute();
  return (of) => {
    const isAbout = tellingOfAll(erasures, of);
    return (line) =>
      isAbout(line)
        ? {
            ...line,
            given: null,
            changes: null,
            reason: line.reason === null ? null : ERASED,
            name: keepsName(of.kind) ? line.name : null,
          }
        : line;
  };
};

/** Erases the data of people from lines. */
const erase = async (
  { tx }: Held,
  { id, kind }: Pick<ImportRow, "id" | "kind">,
  lines: readonly number[],
): Promise<void> => {
  if (lines.length === 0) return;
  await tx
    .updateTable("import_lines")
    .set(({ eb }) => ({
      given: null,
      changes: null,
      reason: eb.case().when("reason", "is not", null).then(ERASED).end(),
      ...(keepsName(kind) ? {} : { name: null }),
    }))
    .where("import_id", "=", id)
    .where("line", "in", lines)
    .execute();
};

/** The next deletions, and how far they are: all that are as far as the first of them. */
const nextErasures = async ({ tx, organization }: Held) => {
  const all = await tx
    .selectFrom("line_erasures")
    .selectAll()
    .where("organization_id", "=", organization.id)
    .orderBy("id")
    .limit(TOGETHER)
    .execute();
  const [first] = all;
  if (first === undefined) return undefined;
  const { import_id, line } = first;
  const next = all.filter((one) => one.import_id === import_id && one.line === line);
  const until = next.map((one) => one.until).reduce((a, b) => (a > b ? a : b));
  return { next, import_id, line, until };
};

/** Reads the next lines, and erases those that mention people who were deleted permanently. */
const eraseNext = async (change: Held): Promise<void> => {
  const { tx, organization } = change;
  const reached = await nextErasures(change);
  if (reached === undefined) return;
  const { next, import_id, line, until } = reached;
  const ids = next.map(({ id }) => id);
  const of = await tx
    .selectFrom("imports")
    .select(["id", "kind", "created_at"])
    .where("organization_id", "=", organization.id)
    .where("created_at", "<=", until)
    .where("id", line === null ? ">" : ">=", import_id)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (of === undefined) {
    await tx
      .deleteFrom("line_erasures")
      .where("organization_id", "=", organization.id)
      .where("id", "in", ids)
      .execute();
    return;
  }
  const lines = await tx
    .selectFrom("import_lines")
    .select(["line", "name", "given", "reason", "subject_id"])
    .where("import_id", "=", of.id)
    .where("line", ">", of.id === import_id ? (line ?? 0) : 0)
    .orderBy("line")
    .limit(PIECE)
    .execute();
  const found = lines.filter(tellingOfAll(next, of));
  await erase(
    change,
    of,
    found.map((one) => one.line),
  );
  await tx
    .updateTable("line_erasures")
    .set({ import_id: of.id, line: lines.length < PIECE ? null : lines.at(-1)?.line })
    .where("organization_id", "=", organization.id)
    .where("id", "in", ids)
    .execute();
};

/** Erases the lines that mention people who were deleted permanently, of several deletions together. */
export const eraseLines: Chore = {
  organizations: async (read) => {
    const rows = read.selectFrom("line_erasures").select("organization_id").distinct();
    return (await rows.execute()).map(({ organization_id }) => organization_id);
  },
  piece: ({ change }) => change(eraseNext),
};

const tooOld = (db: Queries) =>
  db.selectFrom("imports").where("created_at", "<=", now(-IMPORT_DAYS * DAY_MS));

/** Removes imports that are no longer kept, one after the other: each has up to thousands of lines. */
export const removeOldImports: Chore = {
  organizations: async (read) => {
    const rows = await tooOld(read).select("organization_id").distinct().execute();
    return rows.map(({ organization_id }) => organization_id);
  },
  piece: ({ change }) =>
    change(({ tx, organization }) =>
      tx
        .deleteFrom("imports")
        .where("id", "in", () =>
          tooOld(tx)
            .select("id")
            .where("organization_id", "=", organization.id)
            .orderBy("created_at")
            .limit(1),
        )
        .execute(),
    ),
};
