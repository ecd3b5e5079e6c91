import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { sql } from "kysely";
import { now } from "../db/now.ts";
import type { Queries } from "../organization.ts";
import { Refusal } from "../refusal.ts";

/*
 * How often somebody may try to sign in or to exchange an access key. Counted in the database, so
 * that it holds over all processes. It slows down and never locks out: a try that is refused is
 * not counted, and a right password is forgiven what it cost.
 */

/** So many tries at once, then one every so many seconds (GCRA). */
interface Allowance {
  readonly name: string;
  readonly burst: number;
  readonly seconds: number;
}

/** One account or access key from one address: a person who mistypes, or a guesser. */
const pair: Allowance = { name: "pair", burst: 5, seconds: 5 };
/** One account or access key from everywhere: a guesser with many addresses. */
const login: Allowance = { name: "login", burst: 100, seconds: 2 };
/** One address for everybody: an office behind one address, or a guesser with many names. */
const address: Allowance = { name: "address", burst: 100, seconds: 1 };

/** Whose tries are counted. */
export interface Tried {
  readonly login: string;
  readonly address: string;
}

/** An address as it is counted: a network of IPv6 belongs to one household. */
export const countedAddress = (ip: string): string => {
  if (!isIPv6(ip)) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  const host = new URL(`http://[${ip}]`).hostname.slice(1, -1);
  const [left = "", right] = host.split("::");
  const groups = left.split(":");
  const zeros = right === undefined ? [] : Array(8 - groups.length - right.split(":").length);
  return [...groups, ...zeros.fill("0")].slice(0, 4).join(":");
};

const keyOf = (name: string, ...parts: readonly string[]): string =>
  `${name}:${createHash("sha256").update(parts.join("\0")).digest("base64url")}`;

interface Counted extends Allowance {
  readonly key: string;
}

/** What is counted for a try, in the order in which rows are taken. */
const countedFor = ({ login: name, address: ip }: Tried): Counted[] => {
  const from = countedAddress(ip);
  return [
    { ...address, key: keyOf("address", from) },
    { ...login, key: keyOf("login", name) },
    { ...pair, key: keyOf("pair", name, from) },
  ];
};

/** The time up to which an allowance is used, after taking its row. Both in milliseconds. */
const taken = async (
  tx: Queries,
  key: string,
): Promise<{ readonly until: number; readonly present: number }> => {
  const row = await tx
    .insertInto("throttles")
    .values({ key, used_until: now() })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({ used_until: sql.ref("throttles.used_until") }),
    )
    .returning(["used_until", now().as("present")])
    .executeTakeFirstOrThrow();
  return { until: Date.parse(row.used_until), present: Date.parse(row.present) };
};

const save = (tx: Queries, key: string, until: number) =>
  tx
    .updateTable("throttles")
    .set({ used_until: new Date(until).toISOString() })
    .where("key", "=", key)
    .execute();

/**
 * Counts a try before it is made.
 *
 * @throws Refusal `too_many_requests` with the seconds to wait; the try is then not counted
 */
export const countTry = async (tx: Queries, tried: Tried): Promise<void> => {
  for (const { key, name, burst, seconds } of countedFor(tried)) {
    const { until, present } = await taken(tx, key);
    // No further than tries can bring it: a clock that was set back must keep nobody out.
    const from = Math.min(Math.max(until, present), present + burst * seconds * 1000);
    const wait = from - present - (burst - 1) * seconds * 1000;
    if (wait > 0) {
      const retryAfter = Math.ceil(wait / 1000);
      throw new Refusal("too_many_requests", [], undefined, {
        retryAfter,
        policy: { name, quota: burst, seconds: burst * seconds },
      });
    }
    await save(tx, key, from + seconds * 1000);
  }
};

/** Forgives a try that turned out right. */
export const forgiveTry = async (tx: Queries, tried: Tried): Promise<void> => {
  for (const { key, name, seconds } of countedFor(tried)) {
    const { until } = await taken(tx, key);
    if (name === address.name) await save(tx, key, until - seconds * 1000);
    else await tx.deleteFrom("throttles").where("key", "=", key).execute();
  }
};

/** Removes what no longer counts. */
export const removeOldTries = async (tx: Queries): Promise<void> => {
  await tx.deleteFrom("throttles").where("used_until", "<", now()).execute();
};
