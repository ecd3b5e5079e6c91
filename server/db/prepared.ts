import type { CompiledQuery, Kysely } from "kysely";
import { keepText } from "./kept-texts.ts";
import type { Tables } from "./tables.ts";

type Value = string | number | null;
type Values = Readonly<Record<string, Value | readonly string[]>>;
/** Accepts interfaces too, which have no index signature. */
type ValuesOf<Given> = { readonly [Name in keyof Given]: Value | readonly string[] };

/** Runs the query of a shape with values. */
export type Ask<Shape, Given, Row> = (
  db: Kysely<Tables>,
  shape: Shape,
  values: Given,
) => Promise<readonly Row[]>;

/** The source of a parameter of the query: a name, and an index if it is a list. */
interface Source {
  readonly name: string;
  readonly index: number | undefined;
}

/** A built query, and where its parameters come from. */
interface Built {
  readonly query: CompiledQuery;
  /** For each parameter; undefined for a constant of the query. */
  readonly sources: readonly (Source | undefined)[];
}

/** Stand-ins for the values, which show where in the query each value goes. */
const markedOf = (values: Values) => {
  const sources = new Map<Value, Source>();
  const mark = (given: Value, name: string, index?: number): Value => {
    const at = sources.size;
    const made = typeof given === "number" ? -1_000_001 - at : `\u0001${at}`;
    sources.set(made, { name, index });
    return made;
  };
  const marked = Object.fromEntries(
    Object.entries(values).map(([name, given]) => [
      name,
      Array.isArray(given)
        ? given.map((one, index) => mark(one, name, index))
        : mark(given as Value, name),
    ]),
  );
  return { marked, sources };
};

const valueAt = (values: Values, { name, index }: Source): unknown => {
  const value = values[name];
  return index === undefined ? value : (value as readonly string[])[index];
};

/**
 * A query that is built once per shape and database instead of once per request: building a query
 * costs as much as running it. Lists of another length are another shape.
 *
 * @param build makes the query; it may use the shape and the lengths of lists, never the values
 * @param keepsPlan whether PostgreSQL may plan it once; false if the plan depends on the values
 */
export const prepared = <Shape, Given extends ValuesOf<Given>, Row>(
  build: (db: Kysely<Tables>, shape: Shape, values: Given) => { compile(): CompiledQuery<Row> },
  keepsPlan: (shape: Shape) => boolean = () => true,
): Ask<Shape, Given, Row> => {
  // By adapter: a transaction has its own Kysely, but shares the adapter.
  const kept = new WeakMap<object, Map<string, Built>>();

  const builtFor = (db: Kysely<Tables>, shape: Shape, values: Given): Built => {
    const { adapter } = db.getExecutor();
    const known = kept.get(adapter) ?? new Map<string, Built>();
    kept.set(adapter, known);
    let key = JSON.stringify(shape);
    for (const name in values) {
      const value: unknown = values[name as keyof Given];
      if (Array.isArray(value)) key += ` ${value.length}`;
    }
    const earlier = known.get(key);
    if (earlier) return earlier;
    const { marked, sources } = markedOf(values as Values);
    const query = build(db, shape, marked as unknown as Given).compile();
    const built = {
      query,
      sources: query.parameters.map((parameter) => sources.get(parameter as Value)),
    };
    known.set(key, built);
    if (keepsPlan(shape)) keepText(query.sql);
    return built;
  };

  return async (db, shape, values) => {
    const { query, sources } = builtFor(db, shape, values);
    const parameters = sources.map((source, at) =>
      source === undefined ? query.parameters[at] : valueAt(values as Values, source),
    );
    const { rows } = await db.executeQuery<Row>({ ...query, parameters } as CompiledQuery<Row>);
    return rows;
  };
};
