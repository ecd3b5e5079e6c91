import { openOrganization, type Queries, service } from "../../change/organization.ts";
import { type SeatRow, seatColumns } from "../../db/meeting-tables.ts";
import type { Database } from "../../db/open.ts";
import { prepared, together } from "../../db/prepared.ts";
import { digestOf } from "../../lib/digest.ts";
import { askOccupancy } from "../seats/places.ts";
import { isPerson } from "../seats/seat.ts";
import { askSeat, heldIn } from "../state/open-meeting.ts";
import { releaseRead, releaseSeat } from "../state/release.ts";
import { lookAtTicket } from "./presence.ts";
import { keepPlace, letReturn } from "./reconnect.ts";
import { mayStay } from "./right-to-stay.ts";

/** The seat that a ticket opens. */
const byTicket = prepared<null, { readonly digest: string }, SeatRow>((db, _, { digest }) =>
  db
    .selectFrom("seats")
    .select(seatColumns)
    .where("ticket_digest", "=", digest)
    .where("left_at", "is", null),
);

/**
 * Gives the seat of a ticket back; nothing happens if the seat has ended or the ticket is unknown.
 *
 * @param mayReturn whether the person may come back for a moment, as after a reload of the page
 */
export const leaveByTicket = async (
  database: Database,
  { ticket, mayReturn }: { readonly ticket: string; readonly mayReturn: boolean },
): Promise<void> => {
  const known = await lookAtTicket(database, ticket);
  if (known === undefined || known.state === "left") return;
  const digest = digestOf(ticket);
  const organization = openOrganization(database, known.organization_id, service);
  // Under the organization's lock: the ticket may have been replaced meanwhile.
  const { meeting_id: meetingId, person } = known;
  const readAgain = async (tx: Queries) => {
    const [[seat], [meeting], [row], counted, seconds] = await together(
      tx,
      byTicket.statement(tx, null, { digest }),
      ...heldIn(tx, meetingId),
      askOccupancy.statement(tx, null, { meetingId }),
      askSeat.statement(tx, { second: true }, { meetingId, person }),
    );
    return { seat, held: meeting && row && { meeting, row }, counted, seconds };
  };
  await organization.change(async (change, { seat, held, counted, seconds }) => {
    if (seat === undefined) return;
    const hasSecond = seconds.length > 0;
    if (mayReturn && isPerson(seat) && mayStay(seat)) await letReturn(change, seat);
    else if (mayReturn && seat.state === "waiting") await keepPlace(change, seat);
    else if (held) await releaseRead(change, { seat, held, counted, hasSecond }, "left");
    else await releaseSeat(change, seat, "left");
  }, readAgain);
};
