import type { SeatRow } from "../../db/meeting-tables.ts";
import type { See, Sight } from "../../media/view.ts";
import { sightOf } from "../people/rights.ts";
import { seeingRules } from "../state/allowed.ts";
import type { Snapshot } from "../state/snapshot.ts";

/**
 * A seat whose person came in by this process. The entry stays until the seat has ended, even while the
 * person is away.
 */
export interface Entry {
  readonly seatId: string;
  /** The number of its last connection. */
  connection: number;
  /** Whether a look at the meeting has found the seat. */
  isSeen: boolean;
  hasEnded: boolean;
  /** Whether the engine may still send media that the seat may no longer see. */
  owesRemoval: boolean;
  /** Connections that wait for a look at the meeting before they are made. */
  arriving: number;
  /** Connections to the engine that are being made. */
  readonly dials: Set<Promise<unknown>>;
  /** The grant that the engine has, as JSON; undefined while there is nothing to update. */
  granted: string | undefined;
  isGranting: boolean;
}

/** A meeting with people who came in by this process. */
export interface Followed {
  readonly meetingId: string;
  readonly entries: Map<string, Entry>;
  snapshot: Snapshot | undefined;
  /** The seats of the snapshot, by ID. */
  seats: ReadonlyMap<string, SeatRow>;
  /** Seats that the engine knew of before this process did. */
  readonly strangers: Set<string>;
  unfollow: () => void;
}

/** Whether who sees whom may have changed. */
export const isSeenOtherwise = (followed: Followed, next: Snapshot): boolean => {
  const before = followed.snapshot;
  if (before === undefined) return false;
  if (seeingRules.some((name) => before.room[name] !== next.room[name])) return true;
  return next.seats.some(({ id, role }) => {
    const known = followed.seats.get(id);
    return followed.strangers.has(id) || (known !== undefined && known.role !== role);
  });
};

/** What a seat sees. Reads the meeting at each call, because a look may have changed it since. */
export const seeOf =
  (followed: Followed, seatId: string): See =>
  (other) => {
    const { snapshot, seats, strangers } = followed;
    if (snapshot === undefined) return "none";
    if (!seats.has(other)) strangers.add(other);
    // A person who is not known yet is treated like the ones who are seen least.
    const seatOf = (id: string) => seats.get(id) ?? { id, role: "viewer" as const, video: false };
    return sightOf(snapshot.room, seatOf(seatId), seatOf(other));
  };

const sights: readonly Sight[] = ["none", "audio", "all"];

/** Whether somebody sees less than before of a person who is still there. */
export const seesLess = (before: Followed, followed: Followed, seatId: string): boolean => {
  const [saw, see] = [seeOf(before, seatId), seeOf(followed, seatId)];
  return followed.seats
    .keys()
    .some((id) => before.seats.has(id) && sights.indexOf(see(id)) < sights.indexOf(saw(id)));
};
