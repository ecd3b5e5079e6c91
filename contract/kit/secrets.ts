/*
 * Passwords, keys and addresses are secrets. The history has none of them, and answers have them only for
 * callers who may read secrets (scopes.ts).
 */

/** Stands for a secret that is set. */
export const CONCEALED = "(set)";

/** Stands for an address with a secret in it: its host, in an address that can be sent back. */
export const concealedAddress = (address: string): string => {
  const url = URL.parse(address);
  return url === null ? CONCEALED : `${url.protocol}//${url.host}/${CONCEALED}`;
};

/** Whether a text stands for a secret. */
export const isConcealed = (text: unknown): boolean =>
  text === CONCEALED ||
  (typeof text === "string" && text.includes("://") && text.endsWith(`/${CONCEALED}`));
