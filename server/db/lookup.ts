import type { CompiledQuery, Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** A row that requests look up by its key all the time: the query is made once, for one key or several. */
export interface Lookup<Row> {
  /**
   * The query for several keys; the parts of the keys are given apart, each as one list. It may
   * answer more rows than were asked for.
   */
  readonly query: (
    db: Kysely<Tables>,
    parts: readonly (readonly string[])[],
  ) => { compile(): CompiledQuery };
  /** How many parts a key has. */
  readonly parts: number;
  /** The key of a row. */
  readonly keyOf: (row: Row) => readonly string[];
}

/** Gives one row by its key: at once where the database is in this process. */
export type Find = <Row>(
  lookup: Lookup<Row>,
  key: readonly string[],
) => Row | undefined | Promise<Row | undefined>;

/**
 * The query for so many keys, without them.
 *
 * @throws Error when the query has parameters beside its keys
 */
export const compileLookup = <Row>(
  db: Kysely<Tables>,
  { query, parts }: Lookup<Row>,
  keys: number,
): CompiledQuery => {
  const compiled = query(
    db,
    Array.from({ length: parts }, () => Array.from({ length: keys }, () => "")),
  ).compile();
  if (compiled.parameters.length !== parts * keys) {
    throw new Error(`A lookup is asked by its keys alone: ${compiled.sql}`);
  }
  return compiled;
};

/** Looks one row up inside a transaction. */
export const findIn = async <Row>(
  tx: Kysely<Tables>,
  lookup: Lookup<Row>,
  key: readonly string[],
): Promise<Row | undefined> => {
  const compiled = compileLookup(tx, lookup, 1);
  const { rows } = await tx.executeQuery({ ...compiled, parameters: key });
  return rows[0] as Row | undefined;
};
