import type { Database } from "../db/open.ts";
import { digestOf } from "../digest.ts";
import { openOrganization, operator } from "../organization.ts";
import { releaseSeat } from "./seats.ts";

/** Gives the seat of a ticket back; one that has ended, or an unknown one, changes nothing. */
export const leaveByTicket = async (database: Database, ticket: string): Promise<void> => {
  const digest = digestOf(ticket);
  const known = await database.read
    .selectFrom("seats")
    .select("organization_id")
    .where("ticket_digest", "=", digest)
    .where("left_at", "is", null)
    .executeTakeFirst();
  if (known === undefined) return;
  const organization = openOrganization(database, known.organization_id, operator);
  await organization.change(async (change) => {
    // Again, under the organization's row: the ticket may have been replaced meanwhile.
    const seat = await change.tx
      .selectFrom("seats")
      .selectAll()
      .where("ticket_digest", "=", digest)
      .where("left_at", "is", null)
      .executeTakeFirst();
    if (seat) await releaseSeat(change, seat, "left");
  });
};
