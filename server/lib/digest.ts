import { hash, timingSafeEqual } from "node:crypto";

/** The digest of a token or secret. All are random and long: a plain SHA-256 is enough. */
export const digestOf = (secret: string): string => hash("sha256", secret);

/** Whether a secret has this digest; how long that takes tells nothing about it. */
export const hasDigest = (secret: string, digest: string): boolean =>
  timingSafeEqual(Buffer.from(digestOf(secret), "hex"), Buffer.from(digest, "hex"));
