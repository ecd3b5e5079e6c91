import { type CompiledQuery, sql } from "kysely";
import type { Queries } from "../../change/organization.ts";
import type { Tables } from "../../db/tables.ts";

/** Rows per statement: SQLite can keep the statement prepared, and PostgreSQL gets few statements. */
const ROWS = 100;

/** Inserts rows and returns how many were added; rows that are already taken are skipped. */
export type Inserter<Row> = (tx: Queries, rows: readonly Row[]) => Promise<number>;

/**
 * Makes a function that inserts many rows into a table of one database: the statement is compiled once,
 * then only the values change.
 */
export const inserter = <Row extends object>(
  table: keyof Tables,
  columns: readonly (keyof Row & string)[],
): Inserter<Row> => {
  const texts = new Map<number, CompiledQuery>();

  const textFor = (tx: Queries, size: number): CompiledQuery => {
    const known = texts.get(size);
    if (known !== undefined) return known;
    const row = sql`(${sql.join(columns.map(() => ""))})`;
    const made = sql`
      insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(Array.from({ length: size }, () => row))}
      on conflict do nothing`.compile(tx);
    texts.set(size, made);
    return made;
  };

  return async (tx, rows) => {
    let added = 0;
    for (let from = 0; from < rows.length; from += ROWS) {
      const some = rows.slice(from, from + ROWS);
      const parameters = some.flatMap((row) => columns.map((column) => row[column]));
      const { numAffectedRows } = await tx.executeQuery({
        ...textFor(tx, some.length),
        parameters,
      });
      added += Number(numAffectedRows);
    }
    return added;
  };
};

/** The rows that are not in the table, because they were skipped. */
export const leftOut = async <Row extends { readonly id: string }>(
  tx: Queries,
  table: "users" | "rooms",
  rows: readonly Row[],
): Promise<Row[]> => {
  const missing: Row[] = [];
  for (let from = 0; from < rows.length; from += ROWS) {
    const some = rows.slice(from, from + ROWS);
    const ids = some.map(({ id }) => id);
    const there = await tx.selectFrom(table).select("id").where("id", "in", ids).execute();
    const known = new Set(there.map(({ id }) => id));
    missing.push(...some.filter(({ id }) => !known.has(id)));
  }
  return missing;
};
