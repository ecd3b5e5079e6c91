import { isIPv6 } from "node:net";
import type { MediaConfig } from "../config/media.ts";

/** The ports of one run. */
export interface Ports {
  readonly http: number;
  readonly udp: number;
  readonly tcp: number | "off";
}

const isLoopback = (address: string): boolean => address === "::1" || address.startsWith("127.");

/**
 * How LiveKit tells browsers its address. Without `use_ice_lite`, `node_ip` or `use_external_ip`
 * LiveKit asks the STUN servers of two companies when it starts.
 */
const addressing = (address: MediaConfig["address"], stunUrls: readonly string[]) => {
  if (address === undefined) return { use_ice_lite: true };
  if (address === "auto") {
    const servers = stunUrls.map((url) => url.replace(/^stuns?:/, ""));
    return { use_external_ip: true, ...(servers.length > 0 && { stun_servers: servers }) };
  }
  if (!isLoopback(address)) return { use_ice_lite: true, node_ip: address };
  return {
    use_ice_lite: true,
    node_ip: address,
    enable_loopback_candidate: true,
    ips: { includes: [`${address}/${isIPv6(address) ? 128 : 32}`] },
  };
};

/**
 * The configuration of LiveKit's process: YAML, of which JSON is a subset. LiveKit refuses unknown
 * keys, so this fits the version in `release.ts` only.
 */
export const livekitConfig = (
  { address, stunUrls }: Pick<MediaConfig, "address" | "stunUrls">,
  { http, udp, tcp }: Ports,
  { key, secret }: { readonly key: string; readonly secret: string },
): string =>
  JSON.stringify({
    port: http,
    bind_addresses: ["127.0.0.1"],
    rtc: { udp_port: udp, tcp_port: tcp === "off" ? 0 : tcp, ...addressing(address, stunUrls) },
    room: {
      auto_create: true,
      empty_timeout: 60,
      departure_timeout: 60,
      enable_remote_unmute: false,
    },
    // Parley stores nothing in attributes and metadata; 0 would mean no limit.
    limit: { max_participant_identity_length: 64, max_attributes_size: 1, max_metadata_size: 1 },
    keys: { [key]: secret },
    logging: { level: "warn", json: true },
  });
