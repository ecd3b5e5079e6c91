import type { LetterRow } from "../db/tables.ts";

/**
 * The letters that tell people what happened to their accounts. They hold no secret, and go to the address that the
 * account had then: neither a new password, a new address nor a revocation withdraws them.
 */
export const notices: readonly LetterRow["kind"][] = ["new-sign-in", "sign-in-changed"];

/** Returns whether a letter is such a one. */
export const isNotice = (kind: LetterRow["kind"]): boolean => notices.includes(kind);
