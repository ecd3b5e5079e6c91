import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Work } from "../db/changes.ts";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { Queries } from "../organization.ts";
import { Refusal } from "../refusal.ts";
import type { Expiry } from "../removals.ts";

/*
 * Limits how often a password can be tried (0008). Tries are counted in the database, for all
 * processes together. The throttle slows down and never locks out: a refused try does not count, a
 * right password gets back what it cost, and a device on which the account signed in lately has an
 * allowance that strangers cannot use up.
 */

/** A burst of tries, then one every `seconds` (GCRA). */
interface Allowance {
  readonly name: string;
  readonly burst: number;
  readonly seconds: number;
}

/** For one login from one address: a person who mistypes, or a guesser. */
const pair: Allowance = { name: "pair", burst: 5, seconds: 5 };
/** For one login from all addresses: a guesser with many addresses. */
const login: Allowance = { name: "login", burst: 100, seconds: 2 };
/** For one address and all logins: an office, or a guesser with many logins. */
const address: Allowance = { name: "address", burst: 100, seconds: 1 };
/** For one known device, or one account that is signed in already. */
const own: Allowance = { name: "own", burst: 5, seconds: 5 };

/** For one guest whom moderators do not let into one room. */
const refused: Allowance = { name: "refused", burst: 2, seconds: 300 };
/** For all such guests of one address: a script makes a new guest each time, and a school has many. */
const refusedFrom: Allowance = { name: "refused-address", burst: 10, seconds: 60 };

/** Somebody whom a moderator has refused, with a digest of their address. */
export interface Refused {
  readonly room: string;
  readonly guest: string;
  readonly from: string;
}

/** Whose tries count: those of a stranger, or of a device or account that is already known. */
export type Tried =
  | { readonly login: string; readonly address: string }
  /** A device or an account. */
  | { readonly own: string }
  | Refused;

/** The key of an address: a /64 network of IPv6 belongs to one household. */
export const countedAddress = (ip: string): string => {
  if (!isIPv6(ip)) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  // Without the zone of a link-local address, which no URL takes.
  const host = new URL(`http://[${ip.replace(/%.*$/, "")}]`).hostname.slice(1, -1);
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

/** The allowances of a try, in the order in which their rows are locked. */
const countedFor = (tried: Tried): Counted[] => {
  if ("own" in tried) return [counted(own, tried.own)];
  if ("room" in tried) {
    const { room, guest, from } = tried;
    return [counted(refused, room, guest), counted(refusedFrom, room, from)];
  }
  const from = countedAddress(tried.address);
  return [counted(address, from), counted(login, tried.login), counted(pair, tried.login, from)];
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

/** Locks the rows of all allowances in one statement, and saves the new values in another. */
const adjust = async (
  tx: Queries,
  tried: Tried,
  to: (allowance: Counted, used: Used) => number,
): Promise<void> => {
  const allowances = countedFor(tried);
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
  const saved = allowances.map((allowance) => {
    const row = used.get(allowance.key);
    if (!row) throw new Error(`The allowance "${allowance.name}" was not taken.`);
    return { key: allowance.key, used_until: new Date(to(allowance, row)).toISOString() };
  });
  await tx
    .insertInto("throttles")
    .values(saved)
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet((eb) => ({ used_until: eb.ref("excluded.used_until") })),
    )
    .execute();
};

/** At most what tries can use up: a clock that was set back must not lock anybody out. */
const usedUntil = ({ burst, seconds }: Allowance, { until, current }: Used): number =>
  Math.min(Math.max(until, current), current + burst * seconds * 1000);

/** @throws Refusal `too_many_requests` with the seconds to wait, where an allowance is used up */
const refuseUsedUp = (allowance: Allowance, used: Used): void => {
  const { name, burst, seconds } = allowance;
  const wait = usedUntil(allowance, used) - used.current - (burst - 1) * seconds * 1000;
  if (wait <= 0) return;
  const policy = { name, quota: burst, seconds: burst * seconds };
  const retryAfter = Math.ceil(wait / 1000);
  throw new Refusal("too_many_requests", [], undefined, { retryAfter, policy });
};

/**
 * Counts a try before it is made.
 *
 * @throws Refusal `too_many_requests` with the seconds to wait; the try then does not count
 */
export const countTry = (tx: Queries, tried: Tried): Promise<void> =>
  adjust(tx, tried, (allowance, used) => {
    refuseUsedUp(allowance, used);
    return usedUntil(allowance, used) + allowance.seconds * 1000;
  });

/** Counts what somebody else has decided: it is never refused, and never counts for more than a burst. */
export const countRefused = (tx: Queries, who: Refused): Promise<void> =>
  adjust(tx, who, (allowance, { until, current }) =>
    usedUntil(allowance, { until: Math.max(until, current) + allowance.seconds * 1000, current }),
  );

/**
 * Checks that somebody may ask again. It only reads: almost everybody who comes was never refused.
 *
 * @throws Refusal `too_many_requests` with the seconds to wait
 */
export const checkRefused = async (db: Queries, who: Refused): Promise<void> => {
  const allowances = countedFor(who);
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
export const giveBackTry = (tx: Queries, tried: Tried): Promise<void> =>
  adjust(tx, tried, ({ seconds }, { until }) => until - seconds * 1000);

/**
 * Gives back earlier tries after a right password. The allowances that others share, of the address and
 * of the login, get back this one try alone: a person who signs in does not help people who guess.
 */
export const forgiveTries = (tx: Queries, tried: Tried): Promise<void> =>
  adjust(tx, tried, ({ name, seconds }, { until, current }) =>
    name === address.name || name === login.name ? until - seconds * 1000 : current,
  );

/** The row that a try locks first. */
const turnOf = (tried: Tried): string => countedFor(tried)[0]?.key ?? "";

/**
 * Counts a try in a change of its own. Those of one address, device or account run one after the other:
 * they would wait for each other's row anyway, each with a connection to PostgreSQL.
 *
 * @throws Refusal `too_many_requests` with the seconds to wait; `overloaded` where too many wait. The try
 *   then does not count
 */
export const countInTurn = (database: Database, tried: Tried): Promise<void> =>
  database.changeInTurn(`count ${turnOf(tried)}`, (tx) => countTry(tx, tried));

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

/** Runs a counted try. One that fails because too many wait does not count: it is given back. */
export const orGiveBack = async <T>(
  work: Promise<T>,
  giveBack: () => Promise<void>,
): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    await giveBack();
    throw error;
  }
};
