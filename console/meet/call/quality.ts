import type { Quality } from "../../../contract/kit/plain.ts";

/*
 * How good this person's connection is: what the browser knows of each connection (getStats), measured
 * every few seconds. A word counts once two measurements in a row agree on it.
 */

/** The main reason why the connection is not good. */
export type Weakness = "loss" | "delay" | "computer";

export interface OwnQuality {
  readonly level: Quality;
  /** Undefined: nothing does. */
  readonly why: Weakness | undefined;
}

/** One entry of a browser's statistics. */
export interface Stat {
  readonly type: string;
}

/** The totals of one connection since it began. */
export interface Carried {
  readonly received: number;
  readonly lost: number;
  /** The share of recently sent data that the other side lost, 0 to 1. */
  readonly lostThere: number;
  /** In seconds; undefined: not measured yet. */
  readonly roundTrip: number | undefined;
  /** True if the computer cannot make the picture fast enough. */
  readonly isBusy: boolean;
}

const EVERY = 5_000;
const LOSS = { fair: 0.02, poor: 0.08 } as const;
const ROUND_TRIP = { fair: 0.3, poor: 0.6 } as const;

/** The measurements of one connection. */
export const carriedBy = (stats: Iterable<Stat>): Carried => {
  let [received, lost, lostThere, isBusy] = [0, 0, 0, false];
  let roundTrip: number | undefined;
  // The browser's types know few of the fields of each type of statistics.
  for (const one of stats as Iterable<Stat & Readonly<Record<string, unknown>>>) {
    const number = (field: string): number => Number(one[field] ?? 0);
    if (one.type === "inbound-rtp") {
      received += number("packetsReceived");
      lost += number("packetsLost");
    } else if (one.type === "remote-inbound-rtp") {
      lostThere = Math.max(lostThere, number("fractionLost"));
    } else if (one.type === "outbound-rtp") {
      isBusy ||= one.qualityLimitationReason === "cpu";
    } else if (one.type === "candidate-pair" && one.nominated === true) {
      if (one.currentRoundTripTime !== undefined)
        roundTrip = Math.max(roundTrip ?? 0, number("currentRoundTripTime"));
    }
  }
  return { received, lost, lostThere, roundTrip, isBusy };
};

const gradeOf = (
  value: number,
  limits: { readonly fair: number; readonly poor: number },
): Quality => (value >= limits.poor ? "poor" : value >= limits.fair ? "fair" : "good");

const rank = { good: 0, fair: 1, poor: 2 } as const;

/** How good a connection was between two measurements; undefined: it is not there yet. */
export const qualityBetween = (before: Carried, now: Carried): OwnQuality | undefined => {
  if (now.roundTrip === undefined) return undefined;
  const received = Math.max(0, now.received - before.received);
  const lost = Math.max(0, now.lost - before.lost);
  const lostHere = lost === 0 ? 0 : lost / (lost + received);
  const loss = gradeOf(Math.max(lostHere, now.lostThere), LOSS);
  const delay = gradeOf(now.roundTrip, ROUND_TRIP);
  if (loss !== "good" && rank[loss] >= rank[delay]) return { level: loss, why: "loss" };
  if (delay !== "good") return { level: delay, why: "delay" };
  return now.isBusy ? { level: "fair", why: "computer" } : { level: "good", why: undefined };
};

/** The best of several connections: what is wrong with all of them is this person's own. */
export const bestOf = (all: readonly OwnQuality[]): OwnQuality | undefined =>
  all.toSorted((one, other) => rank[one.level] - rank[other.level])[0];

/**
 * Measures again and again.
 *
 * @param stats the statistics of each connection, by a key of its own
 * @param onChange called when a word has held for two measurements and is another one than before
 * @returns a function that ends it
 */
export const watchQuality = (
  stats: () => Promise<ReadonlyMap<unknown, readonly Stat[]>>,
  onChange: (quality: OwnQuality) => void,
): (() => void) => {
  let before: ReadonlyMap<unknown, Carried> = new Map();
  let last: string | undefined;
  let told: string | undefined;

  const look = async (): Promise<void> => {
    const found = await stats();
    const now = new Map([...found].map(([key, one]) => [key, carriedBy(one)]));
    const measured = [...now].flatMap(([key, carried]) => {
      const earlier = before.get(key);
      const quality = earlier && qualityBetween(earlier, carried);
      return quality ? [quality] : [];
    });
    before = now;
    const quality = bestOf(measured);
    const word = JSON.stringify(quality);
    const holds = word === last;
    last = word;
    if (!quality || !holds || word === told) return;
    told = word;
    onChange(quality);
  };

  // A connection that is just being closed may not be measured.
  const timer = setInterval(() => void look().catch(() => {}), EVERY);
  return () => clearInterval(timer);
};
