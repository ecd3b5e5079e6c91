import type { CompiledQuery, Kysely } from "kysely";
import { keepText } from "./kept-texts.ts";
import type { Tables } from "./tables.ts";

type Value = string | number;

/** A query of a shape, asked with values. */
export type Ask<Shape, Values, Row> = (
  db: Kysely<Tables>,
  shape: Shape,
  values: Values,
) => Promise<readonly Row[]>;

interface Text {
  readonly query: CompiledQuery;
  /** The value at each place; undefined for a constant of the query. */
  readonly names: readonly (string | undefined)[];
}

/**
 * A query that is built once per shape and database instead of once per request: building one
 * costs as much as asking it.
 *
 * @param build makes the query; it may look at the shape, never at the values
 */
export const prepared = <Shape, Values extends Readonly<Record<string, Value>>, Row>(
  build: (db: Kysely<Tables>, shape: Shape, values: Values) => { compile(): CompiledQuery<Row> },
): Ask<Shape, Values, Row> => {
  const kept = new WeakMap<Kysely<Tables>, Map<string, Text>>();

  const textOf = (db: Kysely<Tables>, shape: Shape, values: Values): Text => {
    const texts = kept.get(db) ?? new Map<string, Text>();
    kept.set(db, texts);
    const key = JSON.stringify(shape);
    const known = texts.get(key);
    if (known) return known;
    // Built once with values that tell their names, to see which value goes where.
    const names = Object.keys(values);
    const marks = names.map((name, at) =>
      typeof values[name] === "number" ? -1_000_001 - at : `\u0001${name}`,
    );
    const marked = Object.fromEntries(names.map((name, at) => [name, marks[at]])) as Values;
    const query = build(db, shape, marked).compile();
    const text = {
      query,
      names: query.parameters.map((parameter) => names[marks.indexOf(parameter as Value)]),
    };
    texts.set(key, text);
    keepText(query.sql);
    return text;
  };

  return async (db, shape, values) => {
    const { query, names } = textOf(db, shape, values);
    const parameters = names.map((name, at) =>
      name === undefined ? query.parameters[at] : values[name],
    );
    const { rows } = await db.executeQuery<Row>({ ...query, parameters } as CompiledQuery<Row>);
    return rows;
  };
};
