import { hash } from "node:crypto";

/** The digest of a token or secret. All are random and long: a plain SHA-256 is enough. */
export const digestOf = (secret: string): string => hash("sha256", secret);
