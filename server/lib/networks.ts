import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";

/** Networks as addresses, ranges in CIDR notation (RFC 4632) and words for ranges; false: none. */
export type Networks = false | readonly string[];

/** The words for ranges of addresses, as Fastify reads them. */
const ranges: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.1/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");

/** Whether an address is one of those that TRUST_PROXY or ALLOWED_NETWORKS names. */
export const isAmong = (networks: Networks): ((address: string) => boolean) => {
  const list = new BlockList();
  for (const entry of (networks || []).flatMap((word) => ranges[word] ?? [word])) {
    const [address = "", bits] = entry.split("/");
    const family = familyOf(address);
    list.addSubnet(address, Number(bits ?? (family === "ipv6" ? 128 : 32)), family);
  }
  // An IPv4 address of a socket that takes both, ::ffff:192.0.2.1, is found by its IPv4 ranges.
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
};

/** An address as some proxies write it in X-Forwarded-For: with a port, IPv6 then in brackets. */
const WITH_PORT = [/^\[([^\]]*)\](?::\d{1,5})?$/, /^([\d.]+):\d{1,5}$/];

/** The address in an entry of X-Forwarded-For; undefined where it is none, such as `unknown`. */
const addressIn = (entry: string): string | undefined => {
  const written = WITH_PORT.map((form) => form.exec(entry)?.[1]).find((one) => one !== undefined);
  const address = written ?? entry;
  return isIP(address) === 0 ? undefined : address;
};

/**
 * The address that a request comes from: the last one that is not a trusted proxy's. What is no address
 * counts as that of the proxy that reported it. Fastify's `request.ip` would take such a text, and an
 * address with its port, for an address of its own.
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
