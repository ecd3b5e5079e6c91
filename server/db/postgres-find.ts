import type { CompiledQuery, Kysely } from "kysely";
import { compileLookup, type Find, type Lookup } from "./lookup.ts";
import type { Tables } from "./tables.ts";

/** Keys asked together at most. */
const MOST = 64;

interface Asked {
  readonly key: readonly string[];
  readonly resolve: (row: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Looks rows up on PostgreSQL: what one turn of the event loop asks for is asked in one query. A
 * question of its own per request costs several times as much, most of it on the way.
 */
export const finderOn = (db: Kysely<Tables>): Find => {
  const waiting = new Map<Lookup<unknown>, Asked[]>();
  const texts = new Map<Lookup<unknown>, Map<number, CompiledQuery>>();

  /** Few different texts: the number of keys is rounded up to a power of two. */
  const textFor = (
    lookup: Lookup<unknown>,
    keys: number,
  ): { text: CompiledQuery; size: number } => {
    const size = 2 ** Math.ceil(Math.log2(keys));
    const known = texts.get(lookup) ?? new Map<number, CompiledQuery>();
    texts.set(lookup, known);
    const text = known.get(size) ?? compileLookup(db, lookup, size);
    known.set(size, text);
    return { text, size };
  };

  const ask = async (lookup: Lookup<unknown>, asked: readonly Asked[]): Promise<void> => {
    try {
      const { text, size } = textFor(lookup, asked.length);
      const parameters = Array.from({ length: lookup.parts }, (_, part) =>
        Array.from({ length: size }, (_, at) => (asked[at] ?? asked[0])?.key[part]),
      ).flat();
      const { rows } = await db.executeQuery({ ...text, parameters });
      const found = new Map(rows.map((row) => [lookup.keyOf(row).join("\0"), row]));
      for (const { key, resolve } of asked) resolve(found.get(key.join("\0")));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  };

  const askAll = (): void => {
    const all = [...waiting];
    waiting.clear();
    for (const [lookup, asked] of all) {
      for (let from = 0; from < asked.length; from += MOST) {
        void ask(lookup, asked.slice(from, from + MOST));
      }
    }
  };

  return <Row>(lookup: Lookup<Row>, key: readonly string[]) =>
    new Promise<Row | undefined>((resolve, reject) => {
      if (waiting.size === 0) setImmediate(askAll);
      const same = waiting.get(lookup as Lookup<unknown>) ?? [];
      waiting.set(lookup as Lookup<unknown>, same);
      same.push({ key, resolve: resolve as (row: unknown) => void, reject });
    });
};
