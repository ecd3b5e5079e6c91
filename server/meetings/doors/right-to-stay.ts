import { GUEST } from "../../db/person-keys.ts";
import type { PersonSeat } from "../seats/seat.ts";
import { isThere } from "../state/view.ts";

/*
 * A right to enter is not a right to stay: a link, an invitation, a password or a session that ends throws
 * nobody out who is inside, also not across a lost connection or a reload. What ends a seat is a decision
 * about its person: removal, exclusion, a revoked invitation or account, a removed access key.
 *
 * It is the same the other way round: a seat that was claimed and not entered yet gives no right to stay.
 * Otherwise a claim that is renewed again and again would outlive a lock, a new password and a new link.
 */

/** Returns whether a seat's person is inside, returns, or was let in by a moderator. */
export const mayStay = (seat: PersonSeat): boolean => {
  if (isThere(seat) || seat.state === "returning") return true;
  if (seat.state !== "claimed") return false;
  // Back after a reload, or a guest whose claim counts for no address since a moderator has let them in.
  return seat.last_seen !== null || (seat.person.startsWith(GUEST) && seat.claimed_from === null);
};
