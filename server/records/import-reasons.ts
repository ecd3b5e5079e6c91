import { errorOf, type FieldError, type FieldReason, reason } from "../../contract/kit/reasons.ts";
import type { Refusal } from "../lib/refusal.ts";

/*
 * Why lines are refused: stored by codes and values, answered with texts. What versions before the codes stored is a
 * text.
 */

/** The reasons of a refusal. */
export const refusalReasons = ({
  code,
  errors,
  reason: why,
  message,
}: Refusal): readonly FieldReason[] => {
  const [first, second] = errors;
  const isOf = second !== undefined || (first !== undefined && errorOf(first).message === message);
  return isOf ? errors : [{ field: "", reason: why ?? reason(code) }];
};

/** The form in which a line has its reasons. */
export const storedReasons = (reasons: readonly FieldReason[]): string => JSON.stringify(reasons);

const isStored = (text: string): boolean => text.startsWith('[{"field":');

/** Why a line is refused, as answers carry it: in one text, and with codes. */
export const reasonsIn = (
  stored: string | null,
): { readonly reason: string | null; readonly reasons: FieldError[] } => {
  if (stored === null || !isStored(stored)) return { reason: stored, reasons: [] };
  const reasons = (JSON.parse(stored) as FieldReason[]).map(errorOf);
  return { reason: reasons.map(({ message }) => message).join("; "), reasons };
};
