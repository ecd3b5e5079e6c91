import type { PeerType } from "../../contract/meetings.ts";
import { digestOf } from "../digest.ts";
import type { Queries } from "../organization.ts";
import type { PersonSeat } from "./persons.ts";

/*
 * A guest needs no account, and is somebody new without the cookie: one script could claim every seat
 * of a room again and again, and never come in. How many claims an address may hold is not limited,
 * because a whole class may enter from one address: only where somebody else finds no seat, those who
 * hold most give one back. The same holds for the places before the door.
 */

/** What is stored of an address, as the throttles store it. */
export const claimedFrom = (countedAddress: string): string => digestOf(countedAddress);

/** A place that somebody wants, and finds taken. */
interface WantedPlace {
  /** Of the seats inside, or of the places before the door. */
  readonly state: "claimed" | "waiting";
  /** Only seats of this role; undefined: of any. */
  readonly role: PeerType | undefined;
  /** The address of the person who wants it; null for somebody who is no guest. */
  readonly own: string | null;
}

/**
 * A seat that a guest has claimed and to which nobody is connected: the latest one of the address that
 * holds most of them in a meeting. Undefined where that would hold fewer than the person who wants the
 * place, with it.
 */
export const spareClaim = async (
  tx: Queries,
  meetingId: string,
  { state, role, own }: WantedPlace,
): Promise<PersonSeat | undefined> => {
  const claimed = tx
    .selectFrom("seats")
    .where("meeting_id", "=", meetingId)
    .where("state", "=", state)
    .where("process", "is", null)
    .where("claimed_from", "is not", null)
    .$if(role !== undefined, (query) => query.where("role", "=", role as PeerType));
  const held = await claimed
    .select("claimed_from")
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .groupBy("claimed_from")
    .orderBy("count", "desc")
    .execute();
  const mine = Number(held.find(({ claimed_from }) => claimed_from === own)?.count ?? 0);
  const [most] = held;
  if (most === undefined || Number(most.count) <= mine + 1) return undefined;
  return claimed
    .selectAll()
    .$narrowType<PersonSeat>()
    .where("claimed_from", "=", most.claimed_from)
    .orderBy("id", "desc")
    .executeTakeFirst();
};
