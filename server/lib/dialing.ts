import { lookup as resolveName } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { reason, textOf } from "../../contract/kit/reasons.ts";
import { refuseField } from "./refusal.ts";
import { takeTurns } from "./turns.ts";

/*
 * Connections to addresses chosen by somebody other than the operator: webhooks, and receivers of
 * live streams.
 */

/** Returns whether the operator allows an address that is not public. */
export type IsAllowed = (address: string) => boolean;

/** The address must not be dialed. */
export class ForbiddenAddress extends Error {
  override name = "ForbiddenAddress";
  readonly reason = reason("address_not_public");
  constructor() {
    super();
    this.message = textOf(this.reason);
  }
}

const table = (family: "ipv4" | "ipv6", ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits] = range.split("/");
    list.addSubnet(network, Number(bits), family);
  }
  return list;
};

/** The IPv4 addresses that are not public (IANA Special-Purpose Address Registry, and multicast). */
const reserved4 = table("ipv4", [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
]);
/**
 * Global unicast (RFC 4291). Everything else is not public: loopback, unique-local, link-local and
 * multicast, and also embedded IPv4 addresses (::ffff:0:0/96, 64:ff9b::/96).
 */
const global6 = table("ipv6", ["2000::/3"]);
/** The exceptions within it: special purposes, Teredo, documentation, 6to4. */
const reserved6 = table("ipv6", ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

/** Returns whether an IP address is on the public Internet. */
export const isPublic = (address: string): boolean =>
  isIP(address) === 4
    ? !reserved4.check(address, "ipv4")
    : isIP(address) === 6 && global6.check(address, "ipv6") && !reserved6.check(address, "ipv6");

/**
 * Organizations take turns with lookups, one at a time: a lookup cannot be aborted, and the process
 * has two places for them (half of libuv's threads), which new connections to PostgreSQL and the
 * store need too.
 */
const lookups = takeTurns(1, Number.POSITIVE_INFINITY);

/** A host without the brackets of an IPv6 address. */
const bareOf = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

/**
 * Returns whether a host may be dialed, without resolving it: a public or allowed IP address, or a name. A
 * name of this machine (RFC 6761, 6.3) needs an allowed loopback address.
 */
const mayBeDialed = (host: string, isAllowed: IsAllowed): boolean => {
  // The URL parser normalizes hosts only for http: 0x7f.1 becomes 127.0.0.1.
  const bare = bareOf(URL.parse(`http://${host}`)?.hostname ?? host);
  if (/(?:^|\.)localhost\.?$/.test(bare)) return isAllowed("127.0.0.1") || isAllowed("::1");
  return isIP(bare) === 0 || isPublic(bare) || isAllowed(bare);
};

/**
 * Refuses addresses whose host may not be dialed; names are checked at each connection.
 *
 * @throws Refusal `invalid_input` on the field
 */
export const refuseInside = (field: string, url: string, isAllowed: IsAllowed): void => {
  if (mayBeDialed(new URL(url).hostname, isAllowed)) return;
  refuseField(field, "not_public_address");
};

/** Stops waiting when the signal aborts; the DNS lookup itself cannot be aborted. */
const orAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
    // Already aborted. The promise may still fail, so it needs a handler.
    if (signal.aborted) stop();
  });

/**
 * Resolves a host and checks that its addresses may be dialed.
 *
 * @param organizationId whose turn a lookup takes
 * @param host a name or an IP address
 * @param isAllowed whether a non-public address may be dialed
 * @param signal ends the waiting; aborted before its turn, nothing is looked up
 * @returns the `lookup` of a connection, pinned to these addresses: resolved again, the name could
 * mean others
 * @throws ForbiddenAddress if one of the addresses may not be dialed
 */
export const checkedLookup = async (
  organizationId: string,
  host: string,
  isAllowed: IsAllowed,
  signal: AbortSignal,
): Promise<LookupFunction> => {
  const bare = bareOf(host);
  const lookUp = async () => {
    signal.throwIfAborted();
    return resolveName(bare, { all: true });
  };
  // An IP address needs no lookup.
  const looking = isIP(bare) === 0 ? lookups.run(organizationId, lookUp) : lookUp();
  const found = await orAborted(looking, signal);
  if (!found.every(({ address }) => isPublic(address) || isAllowed(address))) {
    throw new ForbiddenAddress();
  }
  return (_host, options, done) => {
    const [first] = found;
    if (options.all) done(null, found);
    else if (first) done(null, first.address, first.family);
  };
};
