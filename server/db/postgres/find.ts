import type { CompiledQuery, Kysely } from "kysely";
import { compileLookup, type Find, type Lookup } from "../lookup.ts";
import type { Tables } from "../tables.ts";

/** The most keys in one query. */
const MOST = 128;
/** Concurrent queries of one lookup: keys that come meanwhile go with the next query. */
const AT_ONCE = 2;

interface Asked {
  readonly key: readonly string[];
  readonly resolve: (row: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The waiting keys of one lookup. */
interface Queue {
  readonly query: CompiledQuery;
  readonly waiting: Asked[];
  running: number;
}

/**
 * Looks rows up on PostgreSQL: keys that come within one turn of the event loop, or while earlier
 * queries are running, share one query. One query per request costs several times as much, most of it
 * for the round trip.
 */
export const finderOn = (db: Kysely<Tables>): Find => {
  const queues = new Map<Lookup<never>, Queue>();

  const queueOf = (lookup: Lookup<never>): Queue => {
    const known = queues.get(lookup);
    if (known) return known;
    const made = { query: compileLookup(db, lookup, "several"), waiting: [], running: 0 };
    queues.set(lookup, made);
    return made;
  };

  const ask = async (lookup: Lookup<never>, { query }: Queue, asked: readonly Asked[]) => {
    try {
      const parameters = Array.from({ length: lookup.parts }, (_, part) => [
        ...new Set(asked.map(({ key }) => key[part])),
      ]);
      const { rows } = await db.executeQuery<never>({ ...query, parameters });
      const found = new Map(rows.map((row) => [lookup.keyOf(row).join("\0"), row]));
      for (const { key, resolve } of asked) resolve(found.get(key.join("\0")));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  };

  const askWaiting = async (lookup: Lookup<never>, queue: Queue): Promise<void> => {
    if (queue.running >= AT_ONCE) return;
    queue.running += 1;
    while (queue.waiting.length > 0) await ask(lookup, queue, queue.waiting.splice(0, MOST));
    queue.running -= 1;
  };

  return <Row>(lookup: Lookup<Row>, key: readonly string[]) =>
    new Promise<Row | undefined>((resolve, reject) => {
      const queue = queueOf(lookup);
      if (queue.waiting.length === 0) setImmediate(() => void askWaiting(lookup, queue));
      queue.waiting.push({ key, resolve: resolve as (row: unknown) => void, reject });
    });
};
