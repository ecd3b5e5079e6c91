import { createHmac } from "node:crypto";
import type { MediaConfig } from "../config/media.ts";

/** A server for a browser's RTCPeerConnection (`RTCIceServer`). */
export interface IceServer {
  readonly urls: readonly string[];
  readonly username?: string;
  readonly credential?: string;
}

/** The host names and addresses of the servers. */
export const iceHosts = ({
  stunUrls,
  turnUrls,
}: Pick<MediaConfig, "stunUrls" | "turnUrls">): readonly string[] =>
  [...stunUrls, ...turnUrls].flatMap((url) => /^\w+:(\[[^\]]*\]|[\w.-]+)/.exec(url)?.[1] ?? []);

/** Longer than a meeting lasts; a browser that connects again gets new credentials. */
const LIFE_SECONDS = 24 * 3_600;

/** The password of a user name. */
export const turnPassword = (turnSecret: string, username: string): string =>
  createHmac("sha1", turnSecret).update(username).digest("base64");

/**
 * The servers that one person's browser may use to connect; none if none is configured.
 *
 * TURN credentials are those of coturn's `use-auth-secret` (draft-uberti-behave-turn-rest-00): the
 * username is the time of expiry and the seat, the password its HMAC-SHA1.
 *
 * @param now milliseconds since 1970
 */
export const iceServers = (
  { stunUrls, turnUrls, turnSecret }: Pick<MediaConfig, "stunUrls" | "turnUrls" | "turnSecret">,
  seat: string,
  now = Date.now(),
): readonly IceServer[] => {
  const stun = stunUrls.length > 0 ? [{ urls: stunUrls }] : [];
  if (turnUrls.length === 0 || turnSecret === undefined) return stun;
  const username = `${Math.floor(now / 1000) + LIFE_SECONDS}:${seat}`;
  return [...stun, { urls: turnUrls, username, credential: turnPassword(turnSecret, username) }];
};
