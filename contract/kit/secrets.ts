/*
 * Passwords, keys and addresses are secrets. The history has none, and answers have them only for
 * callers who may read secrets (scopes.ts).
 */

/** Replaces a secret that is set. */
export const CONCEALED = "(set)";

/** Replaces an address with a secret: its host, in an address that can be sent back. */
export const concealedAddress = (address: string): string => {
  const url = URL.parse(address);
  return url === null ? CONCEALED : `${url.protocol}//${url.host}/${CONCEALED}`;
};

/** Returns whether a text replaces a secret. */
export const isConcealed = (text: unknown): boolean =>
  text === CONCEALED ||
  (typeof text === "string" && text.includes("://") && text.endsWith(`/${CONCEALED}`));
