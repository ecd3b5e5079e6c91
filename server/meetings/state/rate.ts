import { openBucket, type Rate } from "../../lib/bucket.ts";
import { leastRecentlyUsed } from "../../lib/lru.ts";
import { Refusal } from "../../lib/refusal.ts";

/** Commands of one person in a meeting. */
export const COMMANDS: Rate = { perSecond: 50, burst: 300 };
/** The rate at which one person may change things for everybody else: messages, hands, devices, requests. */
export const CHANGES: Rate = { perSecond: 3, burst: 30 };
/** How often somebody may report how good the connection is. */
export const QUALITIES: Rate = { perSecond: 0.2, burst: 10 };
/** Bytes of signals of one person in a meeting: some ten descriptions of 20 kB for each other browser there can be. */
export const SIGNALS: Rate = { perSecond: 100_000, burst: 1_000_000 };
/** Bytes of signals that a process leaves in the database for one receiver on another process. */
export const STORED_FOR_ONE: Rate = { perSecond: 100_000, burst: 1_000_000 };
/** The same for all receivers together. */
export const STORED: Rate = { perSecond: 500_000, burst: 10_000_000 };

/** The most people, or addresses, that have a bucket at a time; beyond, the least recently used are full again. */
const BUCKETS = 10_000;

/** A bucket for each key. @returns whether its next one may pass, by what it takes */
export const openBuckets = (rate: Rate): ((key: string, takes?: number) => boolean) => {
  const buckets = leastRecentlyUsed<string, ReturnType<typeof openBucket>>(BUCKETS);
  return (key, takes) => {
    const mayPass = buckets.get(key) ?? openBucket(rate);
    buckets.set(key, mayPass);
    return mayPass(takes);
  };
};

/** Somebody inside who sends something. */
export interface MessageSender {
  readonly meetingId: string;
  /** As in `seats.person`. */
  readonly person: string;
  /** A guest's address; null for everybody else. */
  readonly from: string | null;
}

/**
 * How many times one person's allowance the guests of an address have together. Each new cookie is
 * a new guest, so a script could have any number of allowances; a class that writes and raises
 * hands behind one address has enough.
 */
const GUESTS_OF_ADDRESS = 10;

/**
 * An allowance for each person of a meeting, whichever seats and connections they have had. Each process
 * counts for itself.
 *
 * @returns whether somebody's next one may pass, by what it takes
 */
export const openAllowance = (rate: Rate): ((sender: MessageSender, takes?: number) => boolean) => {
  const ofPerson = openBuckets(rate);
  const ofAddress = openBuckets({
    perSecond: GUESTS_OF_ADDRESS * rate.perSecond,
    burst: GUESTS_OF_ADDRESS * rate.burst,
  });
  return ({ meetingId, person, from }, takes) =>
    ofPerson(`${meetingId} ${person}`, takes) &&
    (from === null || ofAddress(`${meetingId} ${from}`, takes));
};

/** How often one guest may come into a room: a page that is reloaded comes again. */
const COMING: Rate = { perSecond: 0.2, burst: 20 };
/** In which time the guests of an address may come as often as `comingsOf` says, in seconds. */
const COMING_TOGETHER_S = 600;

/**
 * How often the guests of one address may come into a room together: a class fills it, and reloads
 * three times.
 */
const comingsOf = (seats: number): number => 60 + 4 * seats;

const mayCome = openBuckets(COMING);
/** Each coming takes its part of 1, because rooms differ. */
const mayComeTogether = openBuckets({ perSecond: 1 / COMING_TOGETHER_S, burst: 1 });

const tooOften = (name: string, quota: number, seconds: number): Refusal =>
  new Refusal("too_many_requests", [], undefined, {
    retryAfter: Math.ceil(seconds / quota),
    policy: { name, quota, seconds },
  });

/** A guest who comes into a room. */
export interface ComingGuest {
  readonly roomId: string;
  /** As in `seats.person`. */
  readonly person: string;
  readonly from: string;
  /** How many people fit into the room. */
  readonly seats: number;
}

/**
 * Counts that a guest comes. Each who comes and goes leaves a row and two events, and needs no account
 * for it. Each process counts for itself.
 *
 * @throws Refusal `too_many_requests`
 */
export const countComing = ({ roomId, person, from, seats }: ComingGuest): void => {
  const { burst, perSecond } = COMING;
  if (!mayCome(`${roomId} ${person}`)) throw tooOften("guest", burst, burst / perSecond);
  const quota = comingsOf(seats);
  if (!mayComeTogether(`${roomId} ${from}`, 1 / quota))
    throw tooOften("guests", quota, COMING_TOGETHER_S);
};
