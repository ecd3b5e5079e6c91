/*
 * Queries that are built once: for a simple one, building and compiling it costs as much as running
 * it. Without this, a fetch would build its query again for each request, and a creation several of them.
 * PostgreSQL parses and plans them once per connection, which again costs more than finding a row.
 */
import { CompiledQuery, type Expression, type Kysely, type SqlBool, sql } from "kysely";
import { digestOf } from "../lib/digest.ts";
import { isPostgres } from "./dialect.ts";
import type { Tables } from "./tables.ts";

/** Makes something once for each key and each of the two databases. */
const once = <Key, Made>() => {
  const kept = { sqlite: new Map<Key, Made>(), postgres: new Map<Key, Made>() };
  return (db: Kysely<Tables>, key: Key, make: () => Made): Made => {
    const known = kept[isPostgres(db) ? "postgres" : "sqlite"];
    const made = known.get(key) ?? make();
    known.set(key, made);
    return made;
  };
};

/** The texts of frequent queries, and the name under which PostgreSQL keeps the plan of each. */
const names = new Map<string, string>();

/**
 * Gives a text a name. There must be few such texts, and they must list their columns. The name follows from
 * the text, so that no process runs another text where a pooler gives it the connection of another process.
 */
const keepText = (text: string): void => {
  if (!names.has(text)) names.set(text, `kept_${digestOf(text).slice(0, 32)}`);
};

/** The name of a kept text. */
export const statementName = (text: string): string | undefined => names.get(text);

type Value = string | number | null;
/** Accepts interfaces too, which have no index signature. */
type ValuesOf<Given> = { readonly [Name in keyof Given]: Value | readonly string[] };

/** Runs the query of a shape with values. */
export interface Ask<Shape, Given, Row> {
  (db: Kysely<Tables>, shape: Shape, values: Given): Promise<readonly Row[]>;
  /** The same query, to be sent (`Send`). */
  statement(db: Kysely<Tables>, shape: Shape, values: Given): CompiledQuery<Row>;
}

/** Stands for a value while its query is built: the query then shows where the value goes. */
interface Mark {
  readonly markOf: string;
  /** The place in a list. */
  readonly index?: number;
}

const isMark = (parameter: unknown): parameter is Mark =>
  typeof parameter === "object" && parameter !== null && "markOf" in parameter;

/**
 * A query that is built once per shape and database. Lists of another length are another shape.
 *
 * @param build makes the query; it may use the shape and the lengths of lists, never the values
 * @param keepsPlan whether PostgreSQL may plan it once; false if the plan depends on the values
 */
export const prepared = <Shape, Given extends ValuesOf<Given>, Row>(
  build: (db: Kysely<Tables>, shape: Shape, values: Given) => { compile(): CompiledQuery<Row> },
  keepsPlan: (shape: Shape) => boolean = () => true,
): Ask<Shape, Given, Row> => {
  const built = once<string, CompiledQuery<Row>>();

  const make = (db: Kysely<Tables>, shape: Shape, values: Given): CompiledQuery<Row> => {
    const marks = Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((_, index) => ({ markOf: name, index })) : { markOf: name },
    ]);
    const query = build(db, shape, Object.fromEntries(marks)).compile();
    if (keepsPlan(shape)) keepText(query.sql);
    return query;
  };

  const statement: Ask<Shape, Given, Row>["statement"] = (db, shape, values) => {
    const given = values as Readonly<Record<string, unknown>>;
    let key = JSON.stringify(shape);
    for (const name in given) {
      const value = given[name];
      if (Array.isArray(value)) key += ` ${value.length}`;
    }
    const query = built(db, key, () => make(db, shape, values));
    const parameters = query.parameters.map((one) => {
      if (!isMark(one)) return one;
      const value = given[one.markOf];
      return one.index === undefined ? value : (value as readonly string[])[one.index];
    });
    return { ...query, parameters };
  };

  const ask = async (db: Kysely<Tables>, shape: Shape, values: Given): Promise<readonly Row[]> =>
    (await db.executeQuery<Row>(statement(db, shape, values))).rows;

  return Object.assign(ask, { statement });
};

/** The rows of several queries. */
type RowsOf<Queries extends readonly CompiledQuery[]> = {
  readonly [At in keyof Queries]: Queries[At] extends CompiledQuery<infer Row>
    ? readonly Row[]
    : never;
};

/** Several texts as one, which answers the rows of each as JSON. */
const joined = (queries: readonly CompiledQuery[]): string => {
  let before = 0;
  const parts = queries.map(({ sql: text, parameters }, at) => {
    const renumbered = text.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + before}`);
    before += parameters.length;
    return `(select coalesce(json_agg(q), '[]') from (${renumbered}) as q) as "${at}"`;
  });
  return `select ${parts.join(", ")}`;
};

const forAll = once<string, string>();

/**
 * Asks prepared queries at once. On PostgreSQL they are one statement, which answers all of them as of one
 * moment: most of what a small query costs is its own answer, there and here.
 */
export const together = async <const Queries extends readonly CompiledQuery[]>(
  db: Kysely<Tables>,
  ...queries: Queries
): Promise<RowsOf<Queries>> => {
  if (!isPostgres(db)) {
    const answers = await Promise.all(queries.map((query) => db.executeQuery(query)));
    return answers.map(({ rows }) => rows) as RowsOf<Queries>;
  }
  const text = forAll(db, queries.map(({ sql: one }) => one).join(";"), () => {
    const made = joined(queries);
    keepText(made);
    return made;
  });
  const parameters = queries.flatMap(({ parameters: own }) => own);
  const { rows } = await db.executeQuery<Record<number, readonly unknown[]>>(
    CompiledQuery.raw(text, parameters),
  );
  return queries.map((_, at) => rows[0]?.[at] ?? []) as RowsOf<Queries>;
};

/** The condition that a column holds one part of the key, or of any of several keys. */
export type Holds = (column: string) => Expression<SqlBool>;

/** A row that requests look up by its key all the time. */
export interface Lookup<Row> {
  /** The query, with one condition for each part of the key. It may answer more rows than needed. */
  readonly query: (db: Kysely<Tables>, ...parts: Holds[]) => { compile(): CompiledQuery };
  /** How many parts a key has. */
  readonly parts: number;
  readonly keyOf: (row: Row) => readonly string[];
}

/** Gives one row by its key. */
export type Find = <Row>(lookup: Lookup<Row>, key: readonly string[]) => Promise<Row | undefined>;

const one: Holds = (column) => sql`${sql.ref(column)} = ${""}`;
/** PostgreSQL only: the parameter is a list. */
const anyOf: Holds = (column) => sql`${sql.ref(column)} = any(${[]}::text[])`;

const compile = <Row>(db: Kysely<Tables>, { query, parts }: Lookup<Row>, holds: Holds) => {
  const made = query(db, ...Array.from({ length: parts }, () => holds)).compile();
  if (made.parameters.length !== parts) {
    throw new Error(`A lookup has no parameters besides its keys: ${made.sql}`);
  }
  keepText(made.sql);
  return made;
};

const forOne = once<Lookup<never>, CompiledQuery>();
const forSeveral = once<Lookup<never>, CompiledQuery>();

/** The query of a lookup for one key. */
export const queryOf = <Row>(db: Kysely<Tables>, lookup: Lookup<Row>): CompiledQuery =>
  forOne(db, lookup, () => compile(db, lookup, one));

/** Looks one row up inside a transaction. */
export const findIn = async <Row>(
  tx: Kysely<Tables>,
  lookup: Lookup<Row>,
  key: readonly string[],
): Promise<Row | undefined> => {
  const { rows } = await tx.executeQuery({ ...queryOf(tx, lookup), parameters: key });
  return rows[0] as Row | undefined;
};

/** Looks rows up on this connection, such as in a transaction. */
export const findingIn =
  (db: Kysely<Tables>): Find =>
  (lookup, key) =>
    findIn(db, lookup, key);

/** Looks the rows of several keys up together (PostgreSQL); may answer others as well. */
export const findSeveral = async <Row>(
  db: Kysely<Tables>,
  lookup: Lookup<Row>,
  keys: readonly (readonly string[])[],
): Promise<readonly Row[]> => {
  const query = forSeveral(db, lookup, () => compile(db, lookup, anyOf));
  const parameters = query.parameters.map((_, part) => [...new Set(keys.map((key) => key[part]))]);
  const { rows } = await db.executeQuery<Row>({ ...query, parameters } as CompiledQuery<Row>);
  return rows;
};

/**
 * The results of all of these, once each has ended: where one fails, none runs on after its caller.
 *
 * @throws the first failure in the order of the list
 */
export const settled = async <const T extends readonly unknown[]>(
  asked: T,
): Promise<{ -readonly [At in keyof T]: Awaited<T[At]> }> => {
  await Promise.allSettled(asked);
  return Promise.all(asked);
};
