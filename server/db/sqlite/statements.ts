import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import type { CompiledQuery, QueryResult } from "kysely";
import { leastRecentlyUsed } from "../../lib/lru.ts";

const MOST_KEPT = 400;
/** Longer texts are bulk statements, each a little different: they would only evict others. */
const LONGEST_KEPT = 8_000;

interface Prepared {
  readonly statement: StatementSync;
  /** The names of the columns; a statement without columns answers no rows. */
  readonly names: readonly string[];
  readonly booleans: readonly string[];
}

/** The part of a query that a connection needs. */
export type Question = Pick<CompiledQuery, "sql" | "parameters">;

/**
 * Runs queries on one SQLite connection as PostgreSQL would: booleans go in and come out as
 * booleans. Prepared statements are cached; the least recently used are evicted.
 *
 * @param beforeQuery runs before each query, and may refuse it
 * @param onError gets the error of a query
 */
export const statementRunner = (
  db: DatabaseSync,
  beforeQuery: () => void = () => {},
  onError: (error: unknown) => void = () => {},
): (<R>(question: Question) => QueryResult<R>) => {
  const kept = leastRecentlyUsed<string, Prepared>(MOST_KEPT);

  const prepared = (text: string): Prepared => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const made = prepare(db, text);
    if (text.length <= LONGEST_KEPT) kept.set(text, made);
    return made;
  };

  const run = <R>({ sql, parameters }: Question): QueryResult<R> => {
    const { statement, names, booleans } = prepared(sql);
    const bound = parameters.map(bind);
    if (names.length === 0)
      return { numAffectedRows: BigInt(statement.run(...bound).changes), rows: [] };
    // All rows at once: a cached statement must never be iterated twice at the same time.
    const rows = (statement.all(...bound) as unknown as Values[]).map((values) =>
      rowOf(names, values),
    );
    if (booleans.length > 0) for (const row of rows) readBooleans(row, booleans);
    return { rows: rows as R[] };
  };

  return (question) => {
    try {
      beforeQuery();
      return run(question);
    } catch (error) {
      onError(error);
      throw error;
    }
  };
};

const prepare = (db: DatabaseSync, text: string): Prepared => {
  const statement = db.prepare(text);
  statement.setReturnArrays(true);
  const columns = statement.columns();
  return {
    statement,
    names: columns.map(({ name }) => name),
    booleans: columns.filter(({ type }) => type === "boolean").map(({ name }) => name),
  };
};

type Values = readonly SQLOutputValue[];

/** A row as an object; one that SQLite makes is a dictionary, which is slower to make and to read. */
const rowOf = (names: readonly string[], values: Values): Record<string, unknown> => {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < names.length; at += 1) row[names[at] ?? ""] = values[at];
  return row;
};

const bind = (value: unknown): SQLInputValue =>
  typeof value === "boolean" ? Number(value) : (value as SQLInputValue);

const readBooleans = (row: Record<string, unknown>, names: readonly string[]): void => {
  for (const name of names) {
    const value = row[name];
    if (value !== null) row[name] = value !== 0;
  }
};
