import { hash } from "node:crypto";
import { refuse } from "./refusal.ts";

/** 128 bits: two versions never share a tag. */
const TAG_LENGTH = 22;

/**
 * The strong entity tag of a record (RFC 9110, 8.8.3). It depends only on the text, so every
 * process and both databases agree.
 */
export const entityTagOf = (record: string): string =>
  `"${hash("sha256", record, "base64url").slice(0, TAG_LENGTH)}"`;

/** The condition of an edit (`If-Match`); undefined: none, "*": anything that exists. */
export type IfMatch = readonly string[] | "*" | undefined;

/**
 * The tags that the service may have sent for one that a client sends back. A proxy that compresses
 * a response weakens its tag or adds the coding; the record is the same.
 */
const sentTags = (tag: string): readonly string[] => {
  const strong = tag.replace(/^W\//, "");
  return [strong, strong.replace(/-(?:gzip|zstd|br)"$/, '"')];
};

/** Returns whether a client has this version in any encoding (`If-None-Match`, RFC 9110, 13.1.2). */
export const hasVersion = (ifNoneMatch: string | undefined, tag: string): boolean => {
  const tags = (ifNoneMatch ?? "").split(",").map((one) => one.trim());
  return tags.includes("*") || tags.flatMap(sentTags).includes(tag);
};

/**
 * Refuses a change if the record is not the version that the caller loaded (RFC 9110, 13.1.1). Also
 * accepts a tag weakened by a proxy: the service sends only strong ones.
 *
 * @throws Refusal `precondition_failed`
 */
export const checkMatch = (ifMatch: IfMatch, record: string): void => {
  if (ifMatch === undefined || ifMatch === "*") return;
  if (!ifMatch.flatMap(sentTags).includes(entityTagOf(record))) refuse("precondition_failed");
};
