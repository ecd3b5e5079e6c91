import { createHmac } from "node:crypto";
import type { Cluster } from "../config/media.ts";

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** LiveKit tolerates clocks that differ by a minute; this adds some seconds in case ours is ahead. */
const EARLY_SECONDS = 10;
const LIFE_SECONDS = 30;

/**
 * A token for LiveKit (JWT, HS256), valid for 30 seconds. It never leaves this service.
 *
 * @param video the claims that LiveKit calls VideoGrant
 * @param identity who joins; undefined for a call of its API
 */
export const signToken = (
  { key, secret }: Pick<Cluster, "key" | "secret">,
  video: Readonly<Record<string, unknown>>,
  identity?: string,
): string => {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: key, sub: identity, nbf: now - EARLY_SECONDS, exp: now + LIFE_SECONDS };
  const text = `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ ...claims, video })}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
};
