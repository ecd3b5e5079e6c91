import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { isBusy } from "../errors.ts";

/**
 * Opens a connection that may write. Its own wait for a lock is short, because it blocks the whole
 * process: for a longer wait use `patiently`.
 *
 * @param bulk for bulk writes: uses a larger cache
 */
export const openWritable = async (path: string, bulk = false): Promise<DatabaseSync> => {
  const db = new DatabaseSync(path, { timeout: 10 });
  try {
    await patiently(5_000, () => db.exec("pragma journal_mode = wal"));
    db.exec(`
      pragma synchronous = full;
      pragma fullfsync = on;
      pragma cache_size = -8000;
      pragma temp_store = memory;
      pragma journal_size_limit = 16777216;
      pragma secure_delete = on;
    `);
    // New rows go to random pages of the indexes: with a large cache, these are not read and written
    // each time.
    if (bulk) db.exec("pragma cache_size = -200000; pragma wal_autocheckpoint = 32000");
    giveClock(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

/** How many times it tries to empty the log while others read and write. */
const TRIES = 50;

/**
 * Empties the write-ahead log: it still has pages as they were before something was deleted. Gives up
 * where the database is never at rest; the log is then overwritten anyway.
 */
export const truncateLog = async (path: string): Promise<void> => {
  const db = await openWritable(path);
  try {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const { busy } = db.prepare("pragma wal_checkpoint(truncate)").get() ?? {};
      if (busy === 0) return;
      await sleep(20 + Math.random() * 20);
    }
  } finally {
    db.close();
  }
};

/**
 * Writes the whole file again, without the copies of deleted entries that SQLite leaves in the free space of
 * pages when it moves entries between them (`secure_delete` overwrites only what is deleted), and empties the
 * log. Readers go on; those who write wait.
 */
export const rewriteFile = async (path: string): Promise<void> => {
  const db = await openWritable(path);
  try {
    // The copy may be larger than the memory.
    db.exec("pragma temp_store = file");
    await patiently(60_000, () => db.exec("vacuum"));
  } finally {
    db.close();
  }
  await truncateLog(path);
};

/** Opens a connection that only reads. */
export const openToRead = (path: string): DatabaseSync => {
  // It only ever waits for another process that opens or closes the file.
  const db = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
  db.exec("pragma cache_size = -16000; pragma mmap_size = 1073741824; pragma temp_store = memory");
  giveClock(db);
  return db;
};

/** Gives the connection `parley_now(offset_ms)`: see now.ts. */
export const giveClock = (db: DatabaseSync): void => {
  // "Deterministic" makes SQLite call it once per statement, not once per row: one statement, one now.
  let last = { time: Number.NaN, text: "" };
  db.function("parley_now", { deterministic: true }, (offsetMs) => {
    const time = Date.now() + Number(offsetMs);
    // There are thousands of calls in the same millisecond.
    if (time !== last.time) last = { time, text: new Date(time).toISOString() };
    return last.text;
  });
};

/** Retries while another process holds the database, for at most `forMs` milliseconds. */
export const patiently = async <T>(forMs: number, attempt: () => T): Promise<T> => {
  const until = performance.now() + forMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
    }
    // Random pauses, so that two that wait for each other do not stay in step.
    await sleep(1 + Math.random() * 4);
  }
};
