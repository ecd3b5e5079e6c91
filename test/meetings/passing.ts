import type { Queries } from "../../server/change/organization.ts";

/** The times of a meeting's events; moving them back simulates that time passes. */
const times: Readonly<Record<"seats" | "meetings", readonly string[]>> = {
  seats: ["claimed_at", "joined_at", "last_seen", "left_at", "lease_until"],
  meetings: ["opened_at", "started_at", "ended_at"],
};

/** A time, moved back by this much. */
export const earlier = (time: string, seconds: number): string =>
  new Date(Date.parse(time) - seconds * 1000).toISOString();

/** Simulates that time passes in the meetings of an organization: moves all its times back. */
export const passInMeetings = async (
  tx: Queries,
  organizationId: string,
  seconds: number,
): Promise<void> => {
  for (const table of ["seats", "meetings"] as const) {
    const mine = tx.selectFrom(table).selectAll().where("organization_id", "=", organizationId);
    for (const row of await mine.execute()) {
      const set = Object.fromEntries(
        Object.entries(row).flatMap(([column, value]) =>
          times[table].includes(column) && value !== null
            ? [[column, earlier(String(value), seconds)]]
            : [],
        ),
      );
      await tx.updateTable(table).set(set).where("id", "=", row.id).execute();
    }
  }
};
