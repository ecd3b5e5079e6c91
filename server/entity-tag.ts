import { hash } from "node:crypto";
import { refuse } from "./refusal.ts";

/** 128 bits: enough that two versions of one thing never share a tag. */
const TAG_LENGTH = 22;

/**
 * The strong entity tag of a record (RFC 9110, 8.8.3). It follows from the text alone, so every
 * process and both databases give the same one.
 */
export const entityTagOf = (record: string): string =>
  `"${hash("sha256", record, "base64url").slice(0, TAG_LENGTH)}"`;

/** The condition of an edit (`If-Match`); undefined: none, "*": anything that exists. */
export type IfMatch = readonly string[] | "*" | undefined;

/**
 * Refuses a change when the record is not the version that the caller loaded. The comparison
 * is strong: a weak tag never matches (RFC 9110, 13.1.1).
 *
 * @throws Refusal `precondition_failed`
 */
export const checkMatch = (ifMatch: IfMatch, record: string): void => {
  if (ifMatch === undefined || ifMatch === "*") return;
  if (!ifMatch.includes(entityTagOf(record))) refuse("precondition_failed");
};
