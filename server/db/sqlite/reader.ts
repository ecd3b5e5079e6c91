import type { Kysely } from "kysely";
import { refuseInsideChange } from "../changes.ts";
import { compileLookup, type Find, type Lookup } from "../lookup.ts";
import type { Tables } from "../tables.ts";
import { kyselyOn } from "./kysely.ts";
import { openToRead } from "./pragmas.ts";
import { rowGetter } from "./statements.ts";

export interface SqliteReader {
  readonly read: Kysely<Tables>;
  readonly find: Find;
  /** Ends the current snapshot: the next read sees later commits. */
  refresh(): void;
  close(): void;
}

interface Asked {
  readonly lookup: Lookup<never>;
  readonly key: readonly string[];
  readonly resolve: (row: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The connection that only reads. All reads of one turn of the event loop share one transaction, so
 * that the queries of one request see one state.
 */
export const openReader = (path: string, onError: (error: unknown) => void): SqliteReader => {
  const db = openToRead(path);
  const begin = db.prepare("begin");
  const end = db.prepare("commit");

  const refresh = (): void => {
    if (!db.isOpen || !db.isTransaction) return;
    try {
      end.run();
    } catch (error) {
      // On a damaged file the commit fails, and no caller waits for it.
      onError(error);
      if (db.isTransaction) db.exec("rollback");
    }
  };

  const enterSnapshot = (): void => {
    refuseInsideChange();
    if (db.isTransaction) return;
    begin.run();
    setImmediate(refresh);
  };

  const read = kyselyOn<Tables>(db, enterSnapshot, onError);
  const lookups = new Map<Lookup<never>, (key: readonly string[]) => unknown>();
  const getterOf = (lookup: Lookup<never>): ((key: readonly string[]) => unknown) => {
    const known = lookups.get(lookup);
    if (known) return known;
    const made = rowGetter(db, compileLookup(read, lookup, "one").sql);
    lookups.set(lookup, made);
    return made;
  };

  let waiting: Asked[] = [];
  const answerTogether = (): void => {
    const all = waiting;
    waiting = [];
    for (const { lookup, key, resolve, reject } of all) {
      try {
        enterSnapshot();
        resolve(getterOf(lookup)(key));
      } catch (error) {
        onError(error);
        reject(error);
      }
    }
  };

  return {
    read,
    /**
     * The lookups of a turn wait for its end and are answered one after the other: the answers that
     * follow from them leave together, and their reader is woken once.
     */
    find: <Row>(lookup: Lookup<Row>, key: readonly string[]) =>
      new Promise<Row | undefined>((resolve, reject) => {
        if (waiting.length === 0) setImmediate(answerTogether);
        waiting.push({ lookup, key, resolve: resolve as (row: unknown) => void, reject });
      }),
    refresh,
    close: () => db.close(),
  };
};
