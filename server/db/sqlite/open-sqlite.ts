import type { Kysely } from "kysely";
import { keepBefore } from "../backup/sqlite-file.ts";
import { isDamage } from "../errors.ts";
import { pendingMigrations } from "../migrate.ts";
import type { SchemaAccess } from "../migrations/migration.ts";
import type { Database, DatabaseOptions } from "../open.ts";
import { kyselyOn, sqliteTypes } from "./kysely.ts";
import { databaseFile, lockDataDir, privateFile } from "./lock.ts";
import { openWritable, patiently } from "./pragmas.ts";
import { openReader } from "./reader.ts";
import { openScanner } from "./scanner.ts";
import { startWriter } from "./writer.ts";

/** The embedded database: one file in the data folder, and a connection each to write, read and scan. */
export const openSqlite = async (
  dataDir: string,
  { service = false, onBroken = () => {}, bulk = false }: DatabaseOptions,
): Promise<Database> => {
  const unlock = service ? lockDataDir(dataDir) : undefined;
  try {
    const path = privateFile(databaseFile(dataDir));
    const writable = await openWritable(path, bulk);
    let isDamaged = false;
    const noteDamage = (error: unknown): void => {
      isDamaged ||= isDamage(error);
    };
    const reader = openReader(path, noteDamage);
    const { scan, close: closeScanner } = openScanner(path, noteDamage);
    const writer = startWriter(writable, {
      beforeCommit: reader.refresh,
      onBroken,
      onError: noteDamage,
    });
    return {
      name: "sqlite",
      read: reader.read,
      scan,
      find: reader.find,
      change: writer.change,
      schema: schemaOf(dataDir, path),
      async ready() {
        if (isDamaged || writer.broken() !== undefined) return false;
        const pending = await pendingMigrations(reader.read).catch(() => undefined);
        return pending?.length === 0;
      },
      load: () => ({}),
      async close() {
        reader.close();
        await closeScanner();
        await writer.close();
        unlock?.();
      },
    };
  } catch (error) {
    unlock?.();
    throw error;
  }
};

const schemaOf = (dataDir: string, path: string): SchemaAccess => ({
  types: sqliteTypes,
  keepBefore: (migration) => keepBefore(dataDir, migration),
  async alone<T>(work: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
    const db = await openWritable(path);
    try {
      // The write lock keeps other processes out; all migrations are applied together, or none.
      await patiently(60_000, () => db.exec("begin immediate"));
      const result = await work(kyselyOn<unknown>(db));
      db.exec("commit");
      return result;
    } finally {
      db.close();
    }
  },
});
