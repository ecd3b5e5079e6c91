import { type CompiledQuery, type Expression, type Kysely, type SqlBool, sql } from "kysely";
import { keepText } from "./kept-texts.ts";
import type { Tables } from "./tables.ts";

/** The condition that a column holds one part of the key, or of any of several keys. */
export type Holds = (column: string) => Expression<SqlBool>;

/** A row that requests look up by its key all the time: the query is built once. */
export interface Lookup<Row> {
  /** The query, with one condition for each part of the key. It may answer more rows than needed. */
  readonly query: (db: Kysely<Tables>, ...parts: Holds[]) => { compile(): CompiledQuery };
  /** How many parts a key has. */
  readonly parts: number;
  /** The key of a row. */
  readonly keyOf: (row: Row) => readonly string[];
}

/** Gives one row by its key. */
export type Find = <Row>(lookup: Lookup<Row>, key: readonly string[]) => Promise<Row | undefined>;

const one: Holds = (column) => sql`${sql.ref(column)} = ${""}`;
/** PostgreSQL only: the parameter is a list. */
const anyOf: Holds = (column) => sql`${sql.ref(column)} = any(${[]}::text[])`;

/**
 * Compiles the query for one key, or for lists of the parts of several keys.
 *
 * @throws Error if the query has parameters besides its keys
 */
export const compileLookup = <Row>(
  db: Kysely<Tables>,
  { query, parts }: Lookup<Row>,
  keys: "one" | "several",
): CompiledQuery => {
  const holds = Array.from({ length: parts }, () => (keys === "one" ? one : anyOf));
  const made = query(db, ...holds).compile();
  if (made.parameters.length !== parts) {
    throw new Error(`A lookup has no parameters besides its keys: ${made.sql}`);
  }
  keepText(made.sql);
  return made;
};

/** Compiled for one key, by adapter: a transaction has its own Kysely, but shares the adapter. */
const compiledFor = new WeakMap<object, Map<Lookup<never>, CompiledQuery>>();

/** Looks one row up inside a transaction. */
export const findIn = async <Row>(
  tx: Kysely<Tables>,
  lookup: Lookup<Row>,
  key: readonly string[],
): Promise<Row | undefined> => {
  const { adapter } = tx.getExecutor();
  const known = compiledFor.get(adapter) ?? new Map<Lookup<never>, CompiledQuery>();
  compiledFor.set(adapter, known);
  const compiled = known.get(lookup) ?? compileLookup(tx, lookup, "one");
  known.set(lookup, compiled);
  const { rows } = await tx.executeQuery({ ...compiled, parameters: key });
  return rows[0] as Row | undefined;
};
