import { DatabaseSync } from "node:sqlite";
import type { Kysely } from "kysely";
import { refuseInsideChange } from "./inside-change.ts";
import { compileLookup, type Find, type Lookup } from "./lookup.ts";
import { kyselyOn } from "./sqlite-kysely.ts";
import { giveClock } from "./sqlite-pragmas.ts";
import { rowGetter } from "./sqlite-statements.ts";
import type { Tables } from "./tables.ts";

export interface SqliteReader {
  readonly read: Kysely<Tables>;
  readonly find: Find;
  /** Ends the present snapshot: the next read sees what was committed meanwhile. */
  refresh(): void;
  close(): void;
}

/**
 * The connection that only reads. All reads of one turn of the event loop share one snapshot, so
 * that the queries of one request see one state, and begin one transaction between them.
 */
export function openReader(path: string): SqliteReader {
  // The only thing that this connection may wait for is another process opening or closing the file.
  const db = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
  db.exec("pragma cache_size = -16000; pragma mmap_size = 67108864; pragma temp_store = memory");
  giveClock(db);
  const begin = db.prepare("begin");
  const end = db.prepare("commit");

  function refresh(): void {
    if (db.isOpen && db.isTransaction) end.run();
  }

  function enterSnapshot(): void {
    refuseInsideChange();
    if (db.isTransaction) return;
    begin.run();
    setImmediate(refresh);
  }

  const read = kyselyOn<Tables>(db, enterSnapshot);
  const lookups = new Map<Lookup<never>, (key: readonly string[]) => unknown>();
  return {
    read,
    find: <Row>(lookup: Lookup<Row>, key: readonly string[]) => {
      enterSnapshot();
      let get = lookups.get(lookup);
      if (get === undefined) {
        get = rowGetter(db, compileLookup(read, lookup, 1).sql);
        lookups.set(lookup, get);
      }
      return get(key) as Row | undefined;
    },
    refresh,
    close: () => db.close(),
  };
}
