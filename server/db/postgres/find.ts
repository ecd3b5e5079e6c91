import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import { type Find, findSeveral, type Lookup } from "../prepared.ts";
import type { Tables } from "../tables.ts";

/** The most keys in one query. */
const MOST = 128;
/** Concurrent queries of one lookup: keys that come meanwhile go with the next query. */
const AT_ONCE = 2;

type Key = readonly string[];

/** Keys that are looked up together. */
interface Batch<Row> {
  readonly keys: Key[];
  readonly rows: Promise<ReadonlyMap<string, Row>>;
}

const idOf = (key: Key): string => key.join("\0");

/**
 * Looks rows up on PostgreSQL: keys that come within one turn of the event loop, or while earlier
 * queries are running, share one query. One query per request costs several times as much, most of it
 * for the round trip. Nothing but speed depends on it: `findIn` finds the same rows.
 */
export const finderOn = (db: Kysely<Tables>): Find => {
  const finders = new Map<Lookup<never>, (key: Key) => Promise<unknown>>();
  return async <Row>(lookup: Lookup<Row>, key: Key) => {
    const find = finders.get(lookup) ?? finderOf(db, lookup);
    finders.set(lookup, find);
    return (await find(key)) as Row | undefined;
  };
};

const finderOf = <Row>(db: Kysely<Tables>, lookup: Lookup<Row>) => {
  const running = new Set<Promise<unknown>>();
  let waiting: Batch<Row> | undefined;

  const ask = async (keys: readonly Key[]): Promise<ReadonlyMap<string, Row>> => {
    await nextTurn();
    while (running.size >= AT_ONCE) await Promise.race(running);
    if (waiting?.keys === keys) waiting = undefined;
    const answer = findSeveral(db, lookup, keys);
    const end = answer.catch(() => {}).finally(() => running.delete(end));
    running.add(end);
    return new Map((await answer).map((row) => [idOf(lookup.keyOf(row)), row]));
  };

  return async (key: Key): Promise<Row | undefined> => {
    if (waiting === undefined || waiting.keys.length === MOST) {
      const keys: Key[] = [];
      waiting = { keys, rows: ask(keys) };
    }
    waiting.keys.push(key);
    return (await waiting.rows).get(idOf(key));
  };
};
