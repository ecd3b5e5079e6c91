import type { z } from "zod";
import { shownFaults } from "../../contract/kit/fields.ts";
import { carriedIn, type FieldReason } from "../../contract/kit/reasons.ts";

type Values = Readonly<Record<string, unknown>>;

const faults: ReadonlySet<string> = new Set(Object.values(shownFaults));

/**
 * The errors of an edit that stores a shown text which a create would refuse. A stored text may
 * stay, so earlier records can be edited and sent back.
 *
 * @param fields the schemas of a create
 */
export const shownTextErrors = (
  fields: Readonly<Record<string, z.ZodType>>,
  stored: Values,
  changes: Values,
): readonly FieldReason[] =>
  Object.entries(fields).flatMap(([field, schema]) => {
    const [given, kept] = [changes[field], [stored[field]].flat()];
    const fresh = Array.isArray(given) ? given.filter((one) => !kept.includes(one)) : given;
    if (fresh === undefined || kept.includes(fresh)) return [];
    const issues = schema.safeParse(fresh).error?.issues ?? [];
    const reason = issues
      .map(({ message }) => carriedIn(message))
      .find(({ code }) => faults.has(code));
    return reason === undefined ? [] : [{ field, reason }];
  });
