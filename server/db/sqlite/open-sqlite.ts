import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CompiledQuery, Kysely } from "kysely";
import { announceHere } from "../announcements.ts";
import { keepBefore } from "../backup/sqlite-file.ts";
import { openBell } from "../bell.ts";
import { type Changes, refuseInsideChange, startChanges } from "../changes.ts";
import type { Database, DatabaseOptions } from "../database.ts";
import { isDamage, isIoFailure } from "../errors.ts";
import { pendingMigrations } from "../migrate.ts";
import type { SchemaAccess } from "../migrations/migration.ts";
import { databaseFile } from "../place.ts";
import { type Lookup, queryOf } from "../prepared.ts";
import type { Tables } from "../tables.ts";
import { kyselyOn, sqliteTypes } from "./kysely.ts";
import { lockDataDir, privateFile } from "./lock.ts";
import { openToRead, openWritable, patiently, rewriteFile, truncateLog } from "./pragmas.ts";
import { openScanner } from "./scanner.ts";
import { statementRunner } from "./statements.ts";

/** The embedded database: one file in the data folder, and a connection each to write, read and scan. */
export const openSqlite = async (
  dataDir: string,
  { service = false, onBroken = () => {}, onWaiting = () => {}, bulk = false }: DatabaseOptions,
): Promise<Database> => {
  const held = service ? await lockDataDir(dataDir, onWaiting) : undefined;
  try {
    const path = privateFile(databaseFile(dataDir));
    let [isDamaged, isBroken] = [false, false];
    const noteDamage = (error: unknown): void => {
      isDamaged ||= isDamage(error);
    };
    const writable = await openWritable(path, bulk);
    const reader = openReader(path, noteDamage);
    const { scan, close: closeScanner } = openScanner(path, noteDamage);
    const writer = startWriter(writable, {
      onError: noteDamage,
      beforeCommit: reader.refresh,
      onBroken(error) {
        isBroken = true;
        onBroken(error);
      },
    });
    return {
      name: "sqlite",
      read: reader.read,
      scan,
      find: reader.find,
      change: writer.change,
      changeInTurn: (_key, work) => writer.change(work),
      forget: () => truncateLog(path),
      rewrite: () => rewriteFile(path),
      announcements: announceHere(),
      leftWork: openBell(),
      schema: schemaOf(dataDir),
      async ready() {
        if (isDamaged || isBroken) return false;
        const pending = await pendingMigrations(reader.read).catch(() => undefined);
        return pending?.length === 0;
      },
      isAnswering: () => !writer.isLockedOut(),
      load: () => ({}),
      leave: () => held?.leave(),
      async close() {
        reader.close();
        await closeScanner();
        await writer.close();
        writable.close();
        held?.release();
      },
    };
  } catch (error) {
    held?.release();
    throw error;
  }
};

/**
 * The connection that only reads. Queries that follow each other without waiting for anything else
 * share one transaction, so that a request sees one state. The transaction ends with the callback that
 * began it, not with its turn of the event loop: the next callback may serve a request that was sent
 * after another process had committed.
 */
const openReader = (path: string, onError: (error: unknown) => void) => {
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
    process.nextTick(refresh);
  };

  const run = statementRunner(db, enterSnapshot, onError);
  const read = kyselyOn<Tables>(run);
  let turn: Promise<void> | undefined;
  const endOfTurn = (): Promise<void> => {
    turn ??= nextTurn().then(() => {
      turn = undefined;
    });
    return turn;
  };

  return {
    read,
    /**
     * The lookups of a turn wait for its end and are answered one after the other, so that the
     * responses that depend on them are sent together and wake their reader once. They bypass Kysely,
     * which takes longer than SQLite here.
     */
    async find<Row>(lookup: Lookup<Row>, key: readonly string[]): Promise<Row | undefined> {
      await endOfTurn();
      return run<Row>({ sql: queryOf(read, lookup).sql, parameters: key }).rows[0];
    },
    /** Ends the current snapshot: the next read sees later commits. */
    refresh,
    close: () => db.close(),
  };
};

const LONGEST_WAIT_MS = 5_000;

interface WriterEvents {
  /** Gets the error of a failed query. */
  readonly onError: (error: unknown) => void;
  /** Runs right before each commit. */
  readonly beforeCommit: () => void;
  /**
   * The disk failed to make a commit durable: its content is then unknown, and nothing may be written
   * any more.
   */
  readonly onBroken: (error: unknown) => void;
}

/** The only place that writes. A commit is one fsync, so waiting changes are committed together. */
const startWriter = (
  db: DatabaseSync,
  { onError, beforeCommit, onBroken }: WriterEvents,
): Changes & { readonly isLockedOut: () => boolean } => {
  const run = statementRunner(db, undefined, onError);
  const tx = kyselyOn<Tables>(run);
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const rollback = db.prepare("rollback");
  const save = db.prepare("savepoint one");
  const undo = db.prepare("rollback to one");
  const keep = db.prepare("release one");
  let broken: unknown;
  /** Another process holds the file, and the waiting changes cannot begin. */
  let isLockedOut = false;

  const beginTransaction = async (since: number) => {
    if (broken !== undefined) throw broken;
    isLockedOut = true;
    await patiently(LONGEST_WAIT_MS - (performance.now() - since), () => begin.run()).finally(
      () => {
        isLockedOut = false;
      },
    );
    let isSaved = false;
    return {
      tx,
      send(statement: CompiledQuery) {
        run(statement);
        return Promise.resolve();
      },
      async save() {
        if (isSaved) keep.run();
        save.run();
        isSaved = true;
      },
      async undo() {
        // A full disk, for example, ends the whole transaction: then this fails, and so does the batch.
        undo.run();
      },
      async commit() {
        beforeCommit();
        commit.run();
      },
      async abandon(error: unknown) {
        if (db.isTransaction) rollback.run();
        if (!isIoFailure(error)) return;
        broken = error;
        onBroken(error);
      },
    };
  };
  // Batches are short, because others need the event loop.
  const changes = startChanges(beginTransaction, {
    batchMs: 15,
    patienceMs: Number.POSITIVE_INFINITY,
    beginMs: LONGEST_WAIT_MS,
  });
  return { ...changes, isLockedOut: () => isLockedOut };
};

const schemaOf = (dataDir: string): SchemaAccess => ({
  types: sqliteTypes,
  keepBefore: (migration) => keepBefore(dataDir, migration),
  async alone<T>(work: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
    const db = await openWritable(databaseFile(dataDir));
    try {
      // The write lock keeps other processes out; all migrations are applied together, or none.
      await patiently(60_000, () => db.exec("begin immediate"));
      const result = await work(kyselyOn<unknown>(statementRunner(db)));
      db.exec("commit");
      return result;
    } finally {
      db.close();
    }
  },
});
