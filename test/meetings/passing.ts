import type { Queries } from "../../server/organization.ts";

/** When something of a meeting was or will be; time passes by taking them back. */
const times: Readonly<Record<"seats" | "meetings", readonly string[]>> = {
  seats: ["claimed_at", "joined_at", "last_seen", "left_at", "lease_until"],
  meetings: ["opened_at", "started_at", "ended_at"],
};

/** A time so much earlier. */
export const earlier = (time: string, seconds: number): string =>
  new Date(Date.parse(time) - seconds * 1000).toISOString();

/** Lets time pass in the meetings of an organization: everything that was is so much longer ago. */
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
