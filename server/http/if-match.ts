import type { IfMatch } from "../lib/entity-tag.ts";
import { refuseField } from "../lib/refusal.ts";

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
// A blank can match in one place only: otherwise, a header of many commas would take very long.
const LIST = new RegExp(`^[ \\t,]*${TAG.source}(?:[ \\t]*,(?:[ \\t]*${TAG.source})?)*[ \\t]*$`);

/**
 * Reads `If-Match` (RFC 9110, 13.1.1).
 *
 * @throws Refusal on If-Match where it is neither * nor a list of entity tags
 */
export const readIfMatch = (header: string | undefined): IfMatch => {
  if (header === undefined) return undefined;
  if (header.trim() === "*") return "*";
  if (!LIST.test(header)) refuseField("If-Match", "not_entity_tag");
  return header.match(TAG) ?? [];
};
