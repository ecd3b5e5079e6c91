import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "./tables.ts";

/**
 * The current time by the clock of the database, `offsetMs` later (or earlier, if negative), in the
 * format of the tables: `2026-01-31T09:30:00.000Z`. Leases and expiries use only this clock, not those
 * of the processes.
 */
export const now = (offsetMs = 0): RawBuilder<string> => {
  // No parameter for an offset of 0: lookups have no parameters besides their keys.
  return offsetMs === 0
    ? sql<string>`parley_now(0)`
    : sql<string>`parley_now(${Math.round(offsetMs)})`;
};

/** The current time by the clock of the database, in milliseconds. */
export const timeOf = async (db: Kysely<Tables>): Promise<number> =>
  Date.parse((await db.selectNoFrom(now().as("time")).executeTakeFirstOrThrow()).time);

/** A time of a request, with any offset, in the format of the tables. */
export const utcOf = (time = ""): string => new Date(time).toISOString();
