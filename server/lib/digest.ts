import { hash, timingSafeEqual } from "node:crypto";

/** The digest of a token or secret. All are long and random, so a plain SHA-256 is enough. */
export const digestOf = (secret: string): string => hash("sha256", secret);

/** Whether a secret has this digest, in constant time. */
export const hasDigest = (secret: string, digest: string): boolean =>
  timingSafeEqual(Buffer.from(digestOf(secret), "hex"), Buffer.from(digest, "hex"));
