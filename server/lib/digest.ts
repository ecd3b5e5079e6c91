import { hash, timingSafeEqual } from "node:crypto";

/** The SHA-256 of a text. Tokens and secrets are long and random, so this is enough for them too. */
export const digestOf = (text: string): string => hash("sha256", text);

/** Returns whether a secret has this digest, in constant time. */
export const hasDigest = (secret: string, digest: string): boolean =>
  timingSafeEqual(Buffer.from(digestOf(secret), "hex"), Buffer.from(digest, "hex"));
