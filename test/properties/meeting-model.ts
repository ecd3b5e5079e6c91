/*
 * A model of the interface's rules for a room in use (meetings.md, promise P-MEET-6), independent of the
 * product: who has a seat after each step, what the room's status is, and how long it was in use.
 */

/** A moment between these two, in milliseconds: a step takes a while. */
export interface Moment {
  readonly from: number;
  readonly to: number;
}

export const everyRole = ["moderator", "participant", "viewer"] as const;
export type Role = (typeof everyRole)[number];
export type State = "claimed" | "inside" | "away" | "returning";

/** How long a seat without a connection is kept, in milliseconds. */
const LEASES = { claimed: 30_000, away: 25_000, returning: 20_000 } as const;
/** A lease that ends this soon may be over before the next step is done. */
const SOON = 8_000;
/** Seconds by which the time of a meeting may differ: it is rounded, and the service has a separate clock. */
const ROUNDED = 1;

interface Seat {
  readonly state: State;
  readonly role: Role;
  /** Since when the lease has been running; undefined with a connection. */
  readonly since?: Moment;
  /** When the person was first inside; undefined: not yet. */
  readonly joined?: Moment;
  /** When the connection was lost. */
  readonly lost?: Moment;
}

/** When somebody was inside. */
interface Stay {
  readonly joined: Moment;
  readonly left: Moment;
}

export interface Model {
  readonly limits: Record<Role, number>;
  stateOf(person: number): State | undefined;
  /** Everybody with a seat, or who may return, by number. */
  states(): Readonly<Record<number, State>>;
  status(): "free" | "busy" | "occupied";
  /** The seconds with somebody inside, over all meetings that have ended: lower and upper bound. */
  seconds(): Moment;
  /** @returns "ok" or the code of the refusal */
  join(person: number, role: Role, at: Moment): string;
  /** @returns whether the ticket opens anything */
  connect(person: number, at: Moment): boolean;
  /** The connection is lost; `noticed` is later if a process died. */
  lose(person: number, at: Moment, noticed?: Moment): void;
  leave(person: number, mayReturn: boolean, at: Moment): void;
  /** @returns "ok" or the code of the refusal */
  remove(person: number, at: Moment): string;
  closeAll(at: Moment): void;
  /** Ends the seats whose lease has run out by now. @returns whether it is certain which seats these are */
  sweep(now: Moment): boolean;
}

/** The length of the union of stays, with the given ends of each. */
const union = (stays: readonly (readonly [number, number])[]): number => {
  let sum = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const [from, to] of stays.toSorted(([one], [other]) => one - other)) {
    sum += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return sum / 1000;
};

export const startModel = (limits: Record<Role, number>): Model => {
  const seats = new Map<number, Seat>();
  let stays: Stay[] = [];
  let total: Moment = { from: 0, to: 0 };

  const free = (role: Role): number =>
    limits[role] -
    [...seats.values()].filter((one) => one.role === role && one.state !== "returning").length;

  /** The end of somebody's stay. */
  const note = (person: number, left: Moment): void => {
    const joined = seats.get(person)?.joined;
    if (joined) stays.push({ joined, left });
  };

  /** Ends a person's seat, and with the last one the meeting. */
  const end = (person: number, at: Moment): void => {
    note(person, at);
    seats.delete(person);
    if (seats.size > 0 || stays.length === 0) return;
    const least = union(stays.map(({ joined, left }) => [joined.to, left.from]));
    const most = union(stays.map(({ joined, left }) => [joined.from, left.to]));
    total = { from: total.from + least - ROUNDED, to: total.to + most + ROUNDED };
    stays = [];
  };

  const leaseOf = ({ state }: Seat): number => (state === "inside" ? 0 : LEASES[state]);

  return {
    limits,
    stateOf: (person) => seats.get(person)?.state,
    states: () => Object.fromEntries([...seats].map(([person, { state }]) => [person, state])),
    status: () => {
      const isEntered = [...seats.values()].some((one) => ["inside", "away"].includes(one.state));
      if (!isEntered) return "free";
      return everyRole.some((role) => free(role) > 0) ? "busy" : "occupied";
    },
    seconds: () => total,
    join: (person, role, at) => {
      const own = seats.get(person);
      if (own?.state === "inside") return "ok";
      if (own?.state === "away" || own?.state === "claimed") {
        seats.set(person, { ...own, since: at });
        return "ok";
      }
      if (free(role) <= 0) return "seats_full";
      seats.set(person, { state: "claimed", role, since: at });
      return "ok";
    },
    connect: (person, at) => {
      const own = seats.get(person);
      if (own === undefined || own.state === "returning") return false;
      seats.set(person, { state: "inside", role: own.role, joined: own.joined ?? at });
      return true;
    },
    lose: (person, at, noticed = at) => {
      const own = seats.get(person);
      if (own) seats.set(person, { ...own, state: "away", since: noticed, lost: at });
    },
    leave: (person, mayReturn, at) => {
      const own = seats.get(person);
      if (own === undefined || own.state === "returning") return;
      if (!mayReturn || own.state === "claimed") return end(person, at);
      note(person, at);
      seats.set(person, { state: "returning", role: own.role, since: at });
    },
    remove: (person, at) => {
      const own = seats.get(person);
      if (own === undefined || own.state === "returning") return "peer_not_found";
      end(person, at);
      return "ok";
    },
    closeAll: (at) => {
      for (const person of [...seats.keys()]) end(person, at);
    },
    sweep: (now) => {
      let isCertain = true;
      for (const [person, seat] of [...seats]) {
        const { since, lost } = seat;
        if (since === undefined) continue;
        if (now.from - since.to >= leaseOf(seat)) end(person, lost ?? now);
        else if (now.to - since.from + SOON >= leaseOf(seat)) isCertain = false;
      }
      return isCertain;
    },
  };
};
