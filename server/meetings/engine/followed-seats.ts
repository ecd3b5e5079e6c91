import type { SeatRow } from "../../db/meeting-tables.ts";
import type { Grant } from "../../media/grants.ts";
import type { Memory, See, Sight } from "../../media/view.ts";
import { seeingRules } from "../seats/allowed.ts";
import type { Snapshot } from "../state/snapshot.ts";
import { PublishedDevices } from "./devices.ts";
import { grantOf, sightOf } from "./rights.ts";

/**
 * A seat whose person came in by this process. The entry stays until the seat has ended, even while the
 * person is away.
 */
export class FollowedSeat {
  readonly seatId: string;
  /** The number of its last connection. */
  connection = 0;
  /** True once a look at the meeting has found the seat. */
  isSeen = false;
  hasEnded = false;
  /** True if the engine may still send media that the seat may no longer see. */
  owesRemoval = false;
  /** Connections that wait for a look at the meeting before they are made. */
  arriving = 0;
  /** Connections to the engine that are being made. */
  readonly dials = new Set<Promise<unknown>>();
  /** The grant that the engine has, as JSON; undefined while there is nothing to update. */
  granted: string | undefined;
  isGranting = false;
  /** The people who were shown to the person's client. */
  readonly memory: Memory = { people: undefined };
  readonly devices = new PublishedDevices();
  isCorrecting = false;

  constructor(seatId: string) {
    this.seatId = seatId;
  }

  /** True while a connection of it is in progress. */
  get isConnecting(): boolean {
    return this.arriving > 0 || this.dials.size > 0;
  }
}

/** The result of a look at a meeting. */
interface Found {
  readonly snapshot: Pick<Snapshot, "room" | "meeting" | "seats"> | undefined;
  /** The seats of the snapshot, by ID. */
  readonly seats: ReadonlyMap<string, SeatRow>;
}

const sights: readonly Sight[] = ["none", "audio", "all"];

const sightIn = ({ snapshot, seats }: Found, seatId: string, other: string): Sight => {
  if (snapshot === undefined) return "none";
  // A person who is not known yet is treated as least visible.
  const seatOf = (id: string) => seats.get(id) ?? { id, role: "viewer" as const, video: false };
  return sightOf(snapshot.room, seatOf(seatId), seatOf(other));
};

/** The changes that one look makes to what people see. */
export interface Difference {
  /** True if the visibility of people may have changed. */
  readonly isOther: boolean;
  /** Returns whether a seat may now see less of a person who is still there. */
  readonly seesLess: (seatId: string) => boolean;
}

/** A meeting with people who came in by this process, as the last look has found it. */
export class Followed {
  readonly meetingId: string;
  readonly #entries = new Map<string, FollowedSeat>();
  /** Seats that the engine knew of before this process did. */
  readonly #strangers = new Set<string>();
  #found: Found = { snapshot: undefined, seats: new Map() };

  constructor(meetingId: string) {
    this.meetingId = meetingId;
  }

  /** The seats that came in by this process. */
  get entries(): ReadonlyMap<string, FollowedSeat> {
    return this.#entries;
  }

  /** The seats that the last look has found, by ID. */
  get seats(): ReadonlyMap<string, SeatRow> {
    return this.#found.seats;
  }

  /** The entry of a seat, a new one if it has none. */
  enter(seatId: string): FollowedSeat {
    const entry = this.#entries.get(seatId) ?? new FollowedSeat(seatId);
    this.#entries.set(seatId, entry);
    return entry;
  }

  /** Forgets an entry, unless the seat has another one by now. @returns whether it was the last one */
  forget(entry: FollowedSeat): boolean {
    if (this.#entries.get(entry.seatId) !== entry) return false;
    this.#entries.delete(entry.seatId);
    return this.#entries.size === 0;
  }

  /** Takes what a look has found; undefined: the meeting is over. */
  take(snapshot: Found["snapshot"]): Difference {
    const before = this.#found;
    const isOther = snapshot !== undefined && this.#isSeenOtherwise(snapshot);
    const found = {
      snapshot: snapshot ?? before.snapshot,
      seats: new Map(snapshot?.seats.map((seat) => [seat.id, seat])),
    };
    this.#found = found;
    for (const id of found.seats.keys()) this.#strangers.delete(id);
    const isLess = (seatId: string, other: string) =>
      sights.indexOf(sightIn(found, seatId, other)) <
      sights.indexOf(sightIn(before, seatId, other));
    return {
      isOther,
      seesLess: (seatId) =>
        found.seats.keys().some((other) => before.seats.has(other) && isLess(seatId, other)),
    };
  }

  #isSeenOtherwise(next: Pick<Snapshot, "room" | "seats">): boolean {
    const { snapshot, seats } = this.#found;
    if (snapshot === undefined) return false;
    if (seeingRules.some((name) => snapshot.room[name] !== next.room[name])) return true;
    return next.seats.some(({ id, role }) => {
      const known = seats.get(id);
      return this.#strangers.has(id) || (known !== undefined && known.role !== role);
    });
  }

  /** The view of a seat. Reads the meeting at each call, because a look may have changed it since. */
  seeOf(seatId: string): See {
    return (other) => {
      const { snapshot, seats } = this.#found;
      if (snapshot !== undefined && !seats.has(other)) this.#strangers.add(other);
      return sightIn(this.#found, seatId, other);
    };
  }

  /** The current rights of a seat to send and receive; undefined without the seat. */
  grantOf(seatId: string): Grant | undefined {
    const { snapshot, seats } = this.#found;
    const seat = seats.get(seatId);
    return snapshot && seat && grantOf(snapshot, seat);
  }
}
