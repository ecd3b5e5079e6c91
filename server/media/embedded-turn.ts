import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type { EmbeddedTurn } from "../config-media.ts";
import { base62 } from "./base62.ts";
import { KEY_NAME } from "./key.ts";
import { type IceServer, LIFE_SECONDS } from "./turn.ts";

/*
 * LiveKit's own TURN server, for meetings whose browsers connect directly (pkg/service/turn.go,
 * v1.13.5). It knows no accounts: a username names the API key, an ID and the time of expiry, and the
 * password follows from it and the key's secret. So Parley makes credentials without asking LiveKit.
 */

/** The TURN part of LiveKit's configuration; undefined without a TURN server. */
export const turnConfig = (turn: EmbeddedTurn | undefined) =>
  turn && {
    turn: {
      enabled: true,
      udp_port: turn.port,
      bind_addresses: [isIPv6(turn.address) ? "::" : "0.0.0.0"],
      relay_range_start: turn.from,
      relay_range_end: turn.to,
      // If two people both need the relay, each reaches the other at the relay's own address,
      // which may be private. All other private addresses stay out of reach.
      allow_restricted_peer_cidrs: [`${turn.address}/${isIPv6(turn.address) ? 128 : 32}`],
    },
  };

/**
 * Makes the TURN server of one person's browser.
 *
 * @param secret shared by Parley and LiveKit
 * @param now milliseconds since 1970
 */
export const embeddedTurn =
  ({ address, port }: EmbeddedTurn, secret: string) =>
  (seat: string, now = Date.now()): IceServer => {
    const expiry = Math.floor(now / 1000) + LIFE_SECONDS;
    const host = isIPv6(address) ? `[${address}]` : address;
    const password = createHash("sha256").update(`${secret}|${seat}|${expiry}`).digest();
    return {
      urls: [`turn:${host}:${port}?transport=udp`],
      username: base62(Buffer.from(`${KEY_NAME}|${seat}|${expiry}`)),
      credential: base62(password),
    };
  };
