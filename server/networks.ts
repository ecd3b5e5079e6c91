import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";
import type { Config } from "./config.ts";

/** The words for ranges of addresses, as Fastify reads them. */
const ranges: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.1/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");

/** Whether an address is one of those that TRUST_PROXY or ALLOWED_NETWORKS names. */
export const isAmong = (networks: Config["trustProxy"]): ((address: string) => boolean) => {
  const list = new BlockList();
  for (const entry of (networks || []).flatMap((word) => ranges[word] ?? [word])) {
    const [address = "", bits] = entry.split("/");
    const family = familyOf(address);
    list.addSubnet(address, Number(bits ?? (family === "ipv6" ? 128 : 32)), family);
  }
  // An IPv4 address of a socket that takes both, ::ffff:192.0.2.1, is found by its IPv4 ranges.
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
};

/**
 * The address that a request comes from, found as Fastify finds `request.ip`: the last address that is
 * not a trusted proxy's.
 */
export const addressOf = (
  networks: Config["trustProxy"],
): ((request: Pick<IncomingMessage, "socket" | "headers">) => string) => {
  const isTrusted = isAmong(networks);
  return ({ socket, headers }) => {
    const { remoteAddress = "" } = socket;
    const forwarded = String(headers["x-forwarded-for"] ?? "").split(/ *, */);
    const chain = [remoteAddress, ...forwarded.toReversed()].filter((one) => one !== "");
    return chain.find((one) => !isTrusted(one)) ?? chain.at(-1) ?? "";
  };
};
