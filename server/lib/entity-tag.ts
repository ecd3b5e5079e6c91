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
 * The tags that the service may have sent, given the one that a client sends back. A proxy that
 * compresses an answer makes its tag weak, or adds the coding to it; the record is the same.
 */
const sentTags = (tag: string): readonly string[] => {
  const strong = tag.replace(/^W\//, "");
  return [strong, strong.replace(/-(?:gzip|zstd|br)"$/, '"')];
};

/** Whether a client has this version, in whatever encoding (`If-None-Match`, RFC 9110, 13.1.2). */
export const hasVersion = (ifNoneMatch: string | undefined, tag: string): boolean => {
  const tags = (ifNoneMatch ?? "").split(",").map((one) => one.trim());
  return tags.includes("*") || tags.flatMap(sentTags).includes(tag);
};

/**
 * Refuses a change when the record is not the version that the caller loaded (RFC 9110, 13.1.1). Beyond
 * the RFC, also accepts a tag that a proxy has made weak: the service sends strong tags only.
 *
 * @throws Refusal `precondition_failed`
 */
export const checkMatch = (ifMatch: IfMatch, record: string): void => {
  if (ifMatch === undefined || ifMatch === "*") return;
  if (!ifMatch.flatMap(sentTags).includes(entityTagOf(record))) refuse("precondition_failed");
};
