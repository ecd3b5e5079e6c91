import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Queries } from "../change/organization.ts";
import type { Expiry } from "../change/removals.ts";
import type { Work } from "../db/changes.ts";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import { Refusal } from "../lib/refusal.ts";

/*
 * Limits how often a password can be tried (0008). Tries are counted in the database, for all
 * processes together. The throttle slows down and never locks out: a refused try does not count, a
 * right password gets back what it cost, and a device on which the account signed in lately has an
 * allowance that strangers cannot use up. Nor can they use up the first tries of another address, which
 * the shared allowances do not count.
 *
 * The number of guesses that somebody has in a day, against a room's password of four digits (10,000):
 *
 *   the shared allowance, however many addresses there are     100 + 2,880
 *   first tries: each IPv4 address, each /64 of IPv6             3
 *                all of a /48, which anybody gets for nothing   30
 *                all of a /32, which a provider has          1,000
 *
 * On average somebody with one address, or one /48, is right after 1.7 days, and somebody with 1,000
 * addresses of IPv4 after 8 hours. Six random letters and digits hold for a thousand years.
 */

/** In seconds. */
const HOUR_S = 3600;

/** A burst of tries, then one every `seconds` (GCRA). */
interface Allowance {
  readonly name: string;
  readonly burst: number;
  readonly seconds: number;
}

/** For one login from one address: a person who mistypes, or a guesser. */
const pair: Allowance = { name: "pair", burst: 5, seconds: 5 };
/** For one login from all addresses, beyond first tries: a guesser with many addresses. */
const login: Allowance = { name: "login", burst: 100, seconds: 2 };
/** The same for the password of a room, which may be short. */
const door: Allowance = { name: "room", burst: 100, seconds: 30 };
/** For one address and all logins: an office, or a guesser with many logins. */
const address: Allowance = { name: "address", burst: 100, seconds: 1 };
/**
 * The first tries of an address for one login: they count for nobody else. A network that somebody can have
 * for little is one address as well, and so is a provider's: addresses of IPv6 cost nothing.
 */
const first: Allowance = { name: "first", burst: 3, seconds: 8 * HOUR_S };
const firstOfSite: Allowance = { name: "first-site", burst: 30, seconds: 0.8 * HOUR_S };
const firstOfProvider: Allowance = {
  name: "first-provider",
  burst: 1_000,
  seconds: 0.024 * HOUR_S,
};

/** For one known device, or one account that is signed in already. */
const own: Allowance = { name: "own", burst: 5, seconds: 5 };

/**
 * For the codes of one account's second factor, for those who know its password; a known device has its own.
 * Of a million codes three are right at a time, so somebody who has the password is right after 1,100 days.
 */
const factor: Allowance = { name: "factor", burst: 5, seconds: 300 };

/** For one guest whom moderators refuse in one room. */
const refused: Allowance = { name: "refused", burst: 2, seconds: 300 };
/** For all such guests of one address: a script makes a new guest each time, and a school has many. */
const refusedFrom: Allowance = { name: "refused-address", burst: 10, seconds: 60 };

/** A person refused by a moderator, with a digest of their address. */
export interface Refused {
  readonly room: string;
  readonly guest: string;
  readonly from: string;
}

/** Whose tries count: those of a stranger, or of a device or account that is already known. */
export type Tried =
  | { readonly login: string; readonly address: string }
  /** A room's password. */
  | { readonly door: string; readonly address: string }
  /** A device or an account. */
  | { readonly own: string }
  /** An account, or a device of it, that tries a code. */
  | { readonly factor: string }
  | Refused;

/** The key of an address: a /64 network of IPv6 belongs to one household. */
export const countedAddress = (ip: string): string => {
  if (!isIPv6(ip)) return ip;
  // Without the zone of a link-local address, which no URL takes.
  const host = new URL(`http://[${ip.replace(/%.*$/, "")}]`).hostname.slice(1, -1);
  const [, ...mapped] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(host) ?? [];
  if (mapped.length > 0) {
    const bytes = mapped.flatMap((group) => [...Buffer.from(group.padStart(4, "0"), "hex")]);
    return bytes.join(".");
  }
  const [left = "", right] = host.split("::");
  const groups = left.split(":");
  const zeros = right === undefined ? [] : Array(8 - groups.length - right.split(":").length);
  return [...groups, ...zeros.fill("0")].slice(0, 4).join(":");
};

interface Counted extends Allowance {
  readonly key: string;
}

const counted = (allowance: Allowance, ...parts: readonly string[]): Counted => ({
  ...allowance,
  key: `${allowance.name}:${createHash("sha256").update(parts.join("\0")).digest("base64url")}`,
});

/** The allowances that a try may take from. */
interface Allowances {
  /** It takes from all of these, */
  readonly always: readonly Counted[];
  /** and from all of these, if all of them have something left, */
  readonly first: readonly Counted[];
  /** or else from these, which strangers share. */
  readonly shared: readonly Counted[];
}

/** The first tries of an address, and of the networks around it. */
const firstsOf = (opened: string, from: string): Counted[] => {
  const groups = from.split(":");
  const around =
    groups.length === 1
      ? []
      : [
          counted(firstOfSite, opened, ...groups.slice(0, 3)),
          counted(firstOfProvider, opened, ...groups.slice(0, 2)),
        ];
  return [counted(first, opened, from), ...around];
};

const allowancesOf = (tried: Tried): Allowances => {
  const only = (...always: readonly Counted[]): Allowances => ({ always, first: [], shared: [] });
  if ("factor" in tried) return only(counted(factor, tried.factor));
  if ("own" in tried) return only(counted(own, tried.own));
  if ("room" in tried) {
    const { room, guest, from } = tried;
    return only(counted(refused, room, guest), counted(refusedFrom, room, from));
  }
  const from = countedAddress(tried.address);
  const [opened, shared] = "door" in tried ? [tried.door, door] : [tried.login, login];
  return {
    always: [counted(address, from), counted(pair, opened, from)],
    first: firstsOf(opened, from),
    shared: [counted(shared, opened)],
  };
};

/** Until when an allowance is used, and the current time, in milliseconds. */
interface Used {
  readonly until: number;
  readonly current: number;
}

const usedOf = (row: { readonly used_until: string; readonly current: string }): Used => ({
  until: Date.parse(row.used_until),
  current: Date.parse(row.current),
});

/** Locks the rows of allowances, in their order. @returns how much of each is used */
const lock = async (
  tx: Queries,
  allowances: readonly Counted[],
): Promise<(allowance: Counted) => Used> => {
  const rows = await tx
    .insertInto("throttles")
    .values(allowances.map(({ key }) => ({ key, used_until: now() })))
    .onConflict((conflict) =>
      // A write locks the row.
      conflict.column("key").doUpdateSet((eb) => ({ used_until: eb.ref("throttles.used_until") })),
    )
    .returning(["key", "used_until", now().as("current")])
    .execute();
  const used = new Map(rows.map((row) => [row.key, usedOf(row)]));
  return ({ key, name }) => {
    const row = used.get(key);
    if (!row) throw new Error(`The allowance "${name}" was not taken.`);
    return row;
  };
};

/** Saves until when allowances are used. */
const save = async (
  tx: Queries,
  allowances: readonly Counted[],
  to: (allowance: Counted) => number,
): Promise<void> => {
  const saved = allowances.map((allowance) => ({
    key: allowance.key,
    used_until: new Date(to(allowance)).toISOString(),
  }));
  await tx
    .insertInto("throttles")
    .values(saved)
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet((eb) => ({ used_until: eb.ref("excluded.used_until") })),
    )
    .execute();
};

/** Locks the rows of allowances, and saves the new values. */
const adjust = async (
  tx: Queries,
  allowances: readonly Counted[],
  to: (allowance: Counted, used: Used) => number,
): Promise<void> => {
  const usedOf = await lock(tx, allowances);
  await save(tx, allowances, (allowance) => to(allowance, usedOf(allowance)));
};

/** At most what tries can use up: a clock that was set back must not lock anybody out. */
const usedUntil = ({ burst, seconds }: Allowance, { until, current }: Used): number =>
  Math.min(Math.max(until, current), current + burst * seconds * 1000);

/** The milliseconds until an allowance has something left. */
const waitFor = (allowance: Allowance, used: Used): number =>
  usedUntil(allowance, used) - used.current - (allowance.burst - 1) * allowance.seconds * 1000;

/** @throws Refusal `too_many_requests` with the seconds to wait, where an allowance is used up */
const refuseUsedUp = (allowance: Allowance, used: Used): void => {
  const { name, burst, seconds } = allowance;
  const wait = waitFor(allowance, used);
  if (wait <= 0) return;
  const policy = { name, quota: burst, seconds: burst * seconds };
  const retryAfter = Math.ceil(wait / 1000);
  throw new Refusal("too_many_requests", [], undefined, { retryAfter, policy });
};

/** The allowances that a counted try used. */
export type Taken = readonly Counted[];

/**
 * Counts a try before it is made.
 *
 * @throws Refusal `too_many_requests` with the seconds to wait; the try then does not count
 */
export const countTry = async (tx: Queries, tried: Tried): Promise<Taken> => {
  const { always, first: firsts, shared } = allowancesOf(tried);
  const usedOf = await lock(tx, [...always, ...firsts, ...shared]);
  const isFirst =
    firsts.length > 0 && firsts.every((allowance) => waitFor(allowance, usedOf(allowance)) <= 0);
  const taken = [...(isFirst ? firsts : shared), ...always];
  for (const allowance of taken) refuseUsedUp(allowance, usedOf(allowance));
  await save(
    tx,
    taken,
    (allowance) => usedUntil(allowance, usedOf(allowance)) + allowance.seconds * 1000,
  );
  return taken;
};

/**
 * Counts another person's decision: it is never refused, and never counts for more than a burst.
 */
export const countRefused = (tx: Queries, who: Refused): Promise<void> =>
  adjust(tx, allowancesOf(who).always, (allowance, { until, current }) =>
    usedUntil(allowance, { until: Math.max(until, current) + allowance.seconds * 1000, current }),
  );

/**
 * Checks that somebody may ask again. It only reads: almost everybody who comes was never refused.
 *
 * @throws Refusal `too_many_requests` with the seconds to wait
 */
export const checkRefused = async (db: Queries, who: Refused): Promise<void> => {
  const allowances = allowancesOf(who).always;
  const keys = allowances.map(({ key }) => key);
  const rows = await db
    .selectFrom("throttles")
    .select(["key", "used_until", now().as("current")])
    .where("key", "in", keys)
    .execute();
  for (const allowance of allowances) {
    const row = rows.find(({ key }) => key === allowance.key);
    if (row) refuseUsedUp(allowance, usedOf(row));
  }
};

/** Gives back a try that was counted and then not made. */
export const giveBackTry = (tx: Queries, taken: Taken): Promise<void> =>
  adjust(tx, taken, ({ seconds }, { until }) => until - seconds * 1000);

/** The allowances that are one person's: a right password gives back earlier tries too. */
const PERSONAL: readonly string[] = [pair.name, own.name, factor.name];

/**
 * Gives back earlier tries after a right password. The allowances that others share get back this one try
 * alone: a person who signs in does not help people who guess.
 */
export const forgiveTries = (tx: Queries, taken: Taken): Promise<void> =>
  adjust(tx, taken, ({ name, seconds }, { until, current }) =>
    PERSONAL.includes(name) ? current : until - seconds * 1000,
  );

/** The row that a try locks first. */
const turnOf = (tried: Tried): string => allowancesOf(tried).always[0]?.key ?? "";

/**
 * Counts a try in a change of its own. Those of one address, device or account run one after the other:
 * they would wait for each other's row anyway, each with a connection to PostgreSQL.
 *
 * @param more what else is part of the change
 * @throws Refusal `too_many_requests` with the seconds to wait; `overloaded` where too many wait. The try
 *   then does not count
 */
export const countInTurn = (
  database: Database,
  tried: Tried,
  more: (tx: Queries, taken: Taken) => Promise<void> = async () => {},
): Promise<Taken> =>
  database.changeInTurn(`count ${turnOf(tried)}`, async (tx) => {
    const taken = await countTry(tx, tried);
    await more(tx, taken);
    return taken;
  });

/** A change that gives back tries. It does not wait behind tries that are still to be counted. */
export const giveBackInTurn = <T>(database: Database, tried: Tried, work: Work<T>): Promise<T> =>
  database.changeInTurn(`give back ${turnOf(tried)}`, work);

/** Allowances that are full again. */
export const wholeAllowances: Expiry = {
  table: "throttles",
  key: "key",
  by: "used_until",
  until: now(),
};

/** Runs a counted try. One that nobody could judge, because too many wait or the database is away, is given back. */
export const orGiveBack = async <T>(
  work: Promise<T>,
  giveBack: () => Promise<void>,
): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    const isJudged = error instanceof Refusal && error.code !== "overloaded";
    if (!isJudged) await giveBack();
    throw error;
  }
};

/** The same for a try that was counted in turn. */
export const judged = <T>(
  database: Database,
  tried: Tried,
  taken: Taken,
  work: Promise<T>,
): Promise<T> =>
  orGiveBack(work, () => giveBackInTurn(database, tried, (tx) => giveBackTry(tx, taken)));
