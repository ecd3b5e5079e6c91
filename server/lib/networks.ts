import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";

/** Networks as addresses, CIDR ranges (RFC 4632) and words for ranges; false for none. */
export type Networks = false | readonly string[];

/** The words for ranges, as Fastify reads them. */
const ranges: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.1/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");

/** Makes the test for addresses in these networks, as TRUST_PROXY and ALLOWED_NETWORKS name them. */
export const isAmong = (networks: Networks): ((address: string) => boolean) => {
  if (!networks) return () => false;
  const list = new BlockList();
  for (const entry of networks.flatMap((word) => ranges[word] ?? [word])) {
    const [address = "", bits] = entry.split("/");
    const family = familyOf(address);
    list.addSubnet(address, Number(bits ?? (family === "ipv6" ? 128 : 32)), family);
  }
  // A dual-stack socket shows IPv4 as ::ffff:192.0.2.1; find it by its IPv4 ranges.
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
};

/** An address as some proxies write it in X-Forwarded-For: with a port, IPv6 in brackets. */
const WITH_PORT = [/^\[([^\]]*)\](?::\d{1,5})?$/, /^([\d.]+):\d{1,5}$/];

/** The address in an entry of X-Forwarded-For; undefined if there is none, such as `unknown`. */
const addressIn = (entry: string): string | undefined => {
  const written = WITH_PORT.map((form) => form.exec(entry)?.[1]).find((one) => one !== undefined);
  const address = written ?? entry;
  return isIP(address) === 0 ? undefined : address;
};

/**
 * The client's address: the last one that is not a trusted proxy's. An entry that is no address
 * counts as the proxy that sent it; Fastify's `request.ip` would take it, or an address with a
 * port, for a separate address.
 */
export const addressOf = (
  networks: Networks,
): ((request: Pick<IncomingMessage, "socket" | "headers">) => string) => {
  const isTrusted = isAmong(networks);
  return ({ socket, headers }) => {
    const entries = String(headers["x-forwarded-for"] ?? "").split(",");
    let nearest = socket.remoteAddress ?? "";
    while (isTrusted(nearest)) {
      const reported = addressIn(entries.pop()?.trim() ?? "");
      if (reported === undefined) break;
      nearest = reported;
    }
    return nearest;
  };
};
