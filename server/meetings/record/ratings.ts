import { settingsOf } from "../../../contract/kit/organization-settings.ts";
import { openOrganization, service } from "../../change/organization.ts";
import type { Database } from "../../db/open.ts";
import type { Rate } from "../../lib/bucket.ts";
import { digestOf } from "../../lib/digest.ts";
import { meter } from "../../lib/measured.ts";
import { refuse } from "../../lib/refusal.ts";
import { isPerson } from "../seats/seat.ts";
import { openBuckets } from "../state/rate.ts";

/** How often one seat may be rated. */
const RATINGS: Rate = { perSecond: 0.01, burst: 5 };
/** Until when after its end a seat may be rated, in milliseconds. */
const RATED_MS = 24 * 3_600_000;

const mayRate = openBuckets(RATINGS);

/**
 * Stores how somebody rates the connection of the seat of a ticket, which has ended.
 *
 * @throws Refusal `ticket_ended` for a ticket that may not rate; `too_many_requests`
 */
export const rateByTicket = async (
  database: Database,
  { ticket, rating }: { readonly ticket: string; readonly rating: number },
): Promise<void> => {
  const digest = digestOf(ticket);
  const known = await database.read
    .selectFrom("seats")
    .select(["id", "organization_id"])
    .where("ticket_digest", "=", digest)
    .executeTakeFirst();
  if (known === undefined) return refuse("ticket_ended");
  if (!mayRate(known.id)) refuse("too_many_requests");
  const organization = openOrganization(database, known.organization_id, service);
  await organization.change(async ({ tx, organization: own }) => {
    const seat = await tx
      .selectFrom("seats")
      .selectAll()
      .where("ticket_digest", "=", digest)
      .executeTakeFirst();
    const isRated = seat !== undefined && settingsOf(own).rateMeetings && isPerson(seat);
    // Without its name it belongs to a deleted person.
    if (!isRated || seat.joined_at === null || seat.peer_name === "") return refuse("ticket_ended");
    const hasEnded = seat.state === "leaving" || seat.state === "left";
    const isOld = seat.left_at !== null && Date.now() - Date.parse(seat.left_at) > RATED_MS;
    if (!hasEnded || isOld) return refuse("ticket_ended");
    await tx.updateTable("seats").set({ rating }).where("id", "=", seat.id).execute();
    meter("rating", rating);
  });
};

/** The average of ratings, with one decimal; null without any. */
export const averageOf = (sum: number, count: number): number | null =>
  count === 0 ? null : Math.round((10 * sum) / count) / 10;
