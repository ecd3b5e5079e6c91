import { type ExpressionBuilder, sql } from "kysely";
import {
  type ImportLine,
  type ImportSummary,
  lineOutcomes,
  linePlans,
} from "../../contract/imports/imports.ts";
import type { Organization, Queries } from "../change/organization.ts";
import type { ImportRow, LineRow } from "../db/import-tables.ts";
import { piecesOf } from "../db/pieces.ts";
import type { Tables } from "../db/tables.ts";
import { refuse } from "../lib/refusal.ts";
import { reasonsIn } from "../records/import-reasons.ts";
import { ERASED, withoutErased } from "../users/forget-imports.ts";

/**
 * The import of this ID in an organization.
 *
 * @throws Refusal `import_not_found`
 */
export const importOf = async (
  db: Queries,
  organizationId: string,
  id: string,
): Promise<ImportRow> =>
  (await db
    .selectFrom("imports")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst()) ?? refuse("import_not_found");

export const setImport = (
  tx: Queries,
  { id }: Pick<ImportRow, "id">,
  columns: Partial<ImportRow>,
): Promise<ImportRow> =>
  tx
    .updateTable("imports")
    .set(columns)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** The number of lines of each import by plan or outcome. */
const countLines = async (
  db: Queries,
  column: "plan" | "outcome",
  ids: readonly string[],
): Promise<(id: string, word: string) => number> => {
  const rows = await db
    .selectFrom("import_lines")
    .select(["import_id", column])
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("import_id", "in", ids)
    .where(column, "is not", null)
    .groupBy(["import_id", column])
    .execute();
  const counts = new Map(rows.map((row) => [`${row.import_id} ${row[column]}`, Number(row.count)]));
  return (id, word) => counts.get(`${id} ${word}`) ?? 0;
};

/** When imports were taken back, by their entries' numbers; without those that hold. */
const takenBack = async (
  db: Queries,
  rows: readonly ImportRow[],
): Promise<ReadonlyMap<number, string>> => {
  const [first] = rows;
  const entries = rows.flatMap(({ entry }) => (entry === null ? [] : [Number(entry)]));
  if (first === undefined || entries.length === 0) return new Map();
  const undone = await db
    .selectFrom("history")
    .select(["number", "undoes", "at"])
    .where("organization_id", "=", first.organization_id)
    .where("subject_id", "=", first.organization_id)
    .where("kind", "=", "takenBack")
    .where("number", ">", Math.min(...entries))
    .orderBy("number")
    .execute();
  // The last one counts: an import may be taken back, redone and taken back again.
  const last = new Map(undone.map(({ undoes, number, at }) => [Number(undoes), { number, at }]));
  const whenUndone = (entry: number): string | undefined => {
    const by = last.get(entry);
    return by === undefined || whenUndone(Number(by.number)) !== undefined ? undefined : by.at;
  };
  return new Map(
    entries.flatMap((entry) => {
      const at = whenUndone(entry);
      return at === undefined ? [] : [[entry, at] as const];
    }),
  );
};

/** Imports as they are answered. */
export const presentImports = async (
  db: Queries,
  rows: readonly ImportRow[],
): Promise<ImportSummary[]> => {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const planned = await countLines(db, "plan", ids);
  const done = await countLines(db, "outcome", ids);
  const undone = await takenBack(db, rows);
  const each = <W extends string>(
    words: readonly W[],
    count: (id: string, word: string) => number,
    id: string,
  ) => Object.fromEntries(words.map((word) => [word, count(id, word)])) as { [K in W]: number };
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    form: row.form,
    name: row.name,
    state: row.state,
    mode: row.mode,
    emails: row.emails,
    entry: row.entry,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    undoneAt: undone.get(Number(row.entry)) ?? null,
    lines: Number(row.lines),
    plan: each(linePlans, planned, row.id),
    done: each(lineOutcomes, done, row.id),
    ignored: JSON.parse(row.ignored),
    read: row.read === null ? null : JSON.parse(row.read),
  }));
};

/** An import as it is answered. */
export const presentImport = async (db: Queries, row: ImportRow): Promise<ImportSummary> => {
  const [presented] = await presentImports(db, [row]);
  return presented ?? refuse("import_not_found");
};

/** The kept imports, newest first. */
export const listImports = async ({ id, read, scan }: Organization): Promise<ImportSummary[]> =>
  presentImports(
    // Counting their lines may take long.
    scan,
    await read
      .selectFrom("imports")
      .selectAll()
      .where("organization_id", "=", id)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(100)
      .execute(),
  );

interface Wanted {
  readonly importId: string;
  readonly page: number;
  readonly limit: number;
  readonly plan?: LineRow["plan"] | undefined;
  readonly outcome?: LineRow["outcome"] | undefined;
}

/** A line's changes, before and after. */
const sidesOf = (changes: string | null): Pick<ImportLine, "before" | "after"> =>
  changes === null ? { before: null, after: null } : JSON.parse(changes);

/** The name that a line gives a person; null if it gives none or is carried out. */
const calledIn = (given: string | null): string | null => {
  const name: unknown = given === null ? null : JSON.parse(given).name;
  return typeof name === "string" ? name.slice(0, 254) : null;
};

/**
 * A page of an import's lines, in order.
 *
 * @throws Refusal `import_not_found`
 */
export const listLines = async (
  { id, read }: Organization,
  { importId, page, limit, plan, outcome }: Wanted,
): Promise<{
  readonly import: ImportSummary;
  readonly lines: ImportLine[];
  readonly total: number;
}> => {
  const row = await importOf(read, id, importId);
  const shown = (await withoutErased(read, id))(row);
  const chosen = read
    .selectFrom("import_lines")
    .where("import_id", "=", importId)
    .$if(plan !== undefined, (query) => query.where("plan", "=", plan ?? null))
    .$if(outcome !== undefined, (query) => query.where("outcome", "=", outcome ?? null));
  const { total } = await chosen
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const lines = await chosen
    .selectAll()
    .orderBy("line")
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return {
    import: await presentImport(read, row),
    lines: lines
      .map((line) => shown(line))
      .map(({ line, name, given, plan, outcome, reason, subject_id, changes }) => ({
        line: Number(line),
        name: name ?? "",
        called: row.kind === "users" ? calledIn(given) : null,
        plan,
        outcome,
        ...reasonsIn(reason),
        id: outcome === null ? null : subject_id,
        ...sidesOf(changes),
      })),
    total: Number(total),
  };
};

/** The next lines to check or carry out. */
export const nextLines = async (db: Queries, row: ImportRow, limit: number): Promise<LineRow[]> => {
  const shown = (await withoutErased(db, row.organization_id))(row);
  const lines = await db
    .selectFrom("import_lines")
    .selectAll()
    .where("import_id", "=", row.id)
    .where(row.state === "checking" ? "plan" : "outcome", "is", null)
    .orderBy("line")
    .limit(limit)
    .execute();
  return lines.map((line) => shown(line));
};

/** A line of a confirmed import that is still to be carried out. */
export const waitingLine = async (
  db: Queries,
  row: ImportRow,
  line: number,
): Promise<LineRow | undefined> => {
  const shown = (await withoutErased(db, row.organization_id))(row);
  const waiting = await db
    .selectFrom("import_lines")
    .innerJoin("imports", "imports.id", "import_lines.import_id")
    .selectAll("import_lines")
    .where("import_id", "=", row.id)
    .where("line", "=", line)
    .where("outcome", "is", null)
    .where("imports.state", "=", "running")
    .executeTakeFirst();
  return waiting && shown(waiting);
};

/**
 * The condition under which a line may store this result. One about a person who was erased meanwhile is
 * dropped: the next look finds the erasure.
 */
export const mayTell =
  (reason: string | null) =>
  ({ lit, eb }: ExpressionBuilder<Tables, "import_lines">) =>
    reason === ERASED ? lit(true) : eb("given", "is not", null);

/** Marks a line as carried out or refused. */
export const markLine = async (
  tx: Queries,
  { import_id, line }: LineRow,
  columns: Pick<LineRow, "outcome" | "reason" | "subject_id">,
): Promise<void> => {
  await tx
    .updateTable("import_lines")
    .set({ ...columns, given: null })
    .where("import_id", "=", import_id)
    .where("line", "=", line)
    .where("outcome", "is", null)
    .where(mayTell(columns.reason))
    .execute();
};

/** The most rows of one statement: SQLite takes 32,766 values. */
const PIECE = 500;

/** Stores the lines of a new import. */
export const addLines = async (tx: Queries, lines: readonly LineRow[]): Promise<void> => {
  for (const piece of piecesOf(lines, PIECE)) {
    await tx.insertInto("import_lines").values(piece).execute();
  }
};

/** Marks lines that need no change as carried out. */
export const settleWithoutChange = async (tx: Queries, importId: string): Promise<void> => {
  await tx
    .updateTable("import_lines")
    .set({
      outcome: sql<LineRow["outcome"]>`case plan when 'same' then 'same' else 'refused' end`,
      given: null,
    })
    .where("import_id", "=", importId)
    .where("plan", "in", ["same", "refuse"])
    .execute();
};
