import { type RawBuilder, sql } from "kysely";

/**
 * The present time by the clock of the database, `offsetMs` later (or earlier, when negative), as
 * the texts of the tables: `2026-01-31T09:30:00.000Z`. Leases and expiries are judged by this one
 * clock, whatever the clocks of the processes say.
 */
export const now = (offsetMs = 0): RawBuilder<string> => {
  // Without a parameter where there is nothing to say: lookups are asked by their keys alone.
  return offsetMs === 0
    ? sql<string>`parley_now(0)`
    : sql<string>`parley_now(${Math.round(offsetMs)})`;
};
