import { DatabaseSync } from "node:sqlite";
import type { Kysely } from "kysely";
import { refuseInsideChange } from "./inside-change.ts";
import { kyselyOn } from "./sqlite-kysely.ts";
import { giveClock } from "./sqlite-pragmas.ts";
import type { Tables } from "./tables.ts";

export interface SqliteReader {
  readonly read: Kysely<Tables>;
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

  return {
    read: kyselyOn<Tables>(db, () => {
      refuseInsideChange();
      if (db.isTransaction) return;
      begin.run();
      setImmediate(refresh);
    }),
    refresh,
    close: () => db.close(),
  };
}
