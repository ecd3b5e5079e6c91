import { lookup as resolveName } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { takeTurns } from "../turns.ts";

/** An IP address that may be dialed. */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** The address must not be dialed. */
export class ForbiddenAddress extends Error {
  override name = "ForbiddenAddress";
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
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"],
  ...["172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"],
  ...["198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
]);
/**
 * Global unicast (RFC 4291). Everything else is not public: loopback, unique-local, link-local and
 * multicast, and also embedded IPv4 addresses (::ffff:0:0/96, 64:ff9b::/96).
 */
const global6 = table("ipv6", ["2000::/3"]);
/** The exceptions within it: special purposes, Teredo, documentation, 6to4. */
const reserved6 = table("ipv6", ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

/** Whether an IP address is on the public Internet. */
export const isPublic = (address: string): boolean =>
  isIP(address) === 4
    ? !reserved4.check(address, "ipv4")
    : isIP(address) === 6 && global6.check(address, "ipv6") && !reserved6.check(address, "ipv6");

/**
 * Organizations take turns with their lookups, one at a time: a lookup cannot be aborted, and the whole
 * process has two places for them (half of libuv's threads), which new connections to PostgreSQL and to the
 * store need too.
 */
const lookups = takeTurns(1, Number.POSITIVE_INFINITY);

/** A host from the URL parser, without the brackets of an IPv6 address. */
const bareOf = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

/**
 * Whether a host may be dialed, judged without resolving it: an IP address that is public or allowed, or
 * a name; but a name of this machine (RFC 6761, 6.3) only if a loopback address is allowed.
 */
export const mayBeDialed = (host: string, isAllowed: (address: string) => boolean): boolean => {
  const bare = bareOf(host);
  if (/(?:^|\.)localhost\.?$/.test(bare)) return isAllowed("127.0.0.1") || isAllowed("::1");
  return isIP(bare) === 0 || isPublic(bare) || isAllowed(bare);
};

/**
 * The addresses of a host, after a check that they may be dialed. Dial these and do not resolve the name
 * again, because its addresses could have changed.
 *
 * @param organizationId whose turn a lookup takes
 * @param host a name or an IP address, IPv6 in brackets, as the URL parser writes it
 * @param isAllowed whether an address that is not public may be dialed
 * @param signal if it aborts before the lookup has its turn, nothing is looked up
 * @throws ForbiddenAddress if one of the addresses may not be dialed
 */
export const addressesOf = async (
  organizationId: string,
  host: string,
  isAllowed: (address: string) => boolean,
  signal: AbortSignal,
): Promise<Address[]> => {
  const bare = bareOf(host);
  const lookUp = async () => {
    signal.throwIfAborted();
    return resolveName(bare, { all: true });
  };
  // An address is no name: it is not looked up anywhere.
  const found = await (isIP(bare) === 0 ? lookups.run(organizationId, lookUp) : lookUp());
  if (!found.every(({ address }) => isPublic(address) || isAllowed(address))) {
    throw new ForbiddenAddress(
      "The address is not one of the public Internet. An operator can allow it: WEBHOOK_NETWORKS.",
    );
  }
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};
