import type { PeerType } from "../../../contract/meetings/meetings.ts";
import type { Queries } from "../../change/organization.ts";
import { digestOf } from "../../lib/digest.ts";
import { livingSeats, type PersonSeat } from "./seat.ts";

/*
 * A guest needs no account, and without the cookie counts as a new person: one script could claim every
 * seat of a room again and again, and never come in. The claims of an address are not limited, because
 * a whole class may enter from one address. But if somebody else finds no seat, the address with the
 * most claims loses one. Places in the lobby work the same way, connected or not: a script connects too.
 */

/** The digest by which a claim's address is stored, as in the throttles. */
export const claimedFrom = (countedAddress: string): string => digestOf(countedAddress);

/** A place that somebody wants, when none is free. */
interface WantedPlace {
  /** `claimed` for a seat inside, `waiting` for a place in the lobby. */
  readonly state: "claimed" | "waiting";
  /** Only seats of this role; undefined for any role. */
  readonly role: PeerType | undefined;
  /** The address of the person who wants it; null unless they are a guest. */
  readonly own: string | null;
}

/** The claims of one address. */
export interface HeldClaims {
  readonly claimed_from: string | null;
  readonly count: number | string;
}

/**
 * The address that gives up a claim: the one with the most. Undefined if it would then have fewer of them
 * than the address of the person who wants the place would have with it.
 */
export const whoGivesUp = (held: readonly HeldClaims[], own: string | null): string | undefined => {
  const mine = Number(held.find(({ claimed_from }) => claimed_from === own)?.count ?? 0);
  const [most] = held.toSorted((one, other) => Number(other.count) - Number(one.count));
  if (most === undefined || Number(most.count) <= mine + 1) return undefined;
  return most.claimed_from ?? undefined;
};

/**
 * Finds a claim to give up: the latest seat that was claimed and not entered, of the address that
 * `whoGivesUp` names.
 */
export const spareClaim = async (
  tx: Queries,
  meetingId: string,
  { state, role, own }: WantedPlace,
): Promise<PersonSeat | undefined> => {
  const claimed = livingSeats(tx, meetingId)
    .where("state", "=", state)
    .where("claimed_from", "is not", null)
    .$if(role !== undefined, (query) => query.where("role", "=", role as PeerType));
  const held = await claimed
    .select("claimed_from")
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .groupBy("claimed_from")
    .execute();
  const from = whoGivesUp(held, own);
  if (from === undefined) return undefined;
  return claimed
    .selectAll()
    .$narrowType<PersonSeat>()
    .where("claimed_from", "=", from)
    .orderBy("id", "desc")
    .executeTakeFirst();
};
