import type { z } from "zod";
import {
  carriedIn,
  errorOf,
  type FieldReason,
  type Reason,
  type ReasonCode,
  textOf,
  type Values,
  wrong,
} from "../../contract/kit/reasons.ts";
import { type Code, isCode, isInterfaceCode, texts } from "../../contract/kit/texts.ts";

/** When to retry, and the limit behind it. */
export interface Wait {
  /** Seconds. */
  readonly retryAfter: number;
  /** How many are allowed, in how many seconds. */
  readonly policy: { readonly name: string; readonly quota: number; readonly seconds: number };
}

/** The text of a failure: of its reason, its first wrong field, or its code. */
const textFor = (code: Code, [first]: readonly FieldReason[], reason?: Reason): string => {
  if (reason !== undefined) return textOf(reason);
  return code === "invalid_input" && first !== undefined
    ? errorOf(first).message
    : texts[code].text;
};

/** A failure decided by a rule, with a body and status by its code. Everything else is a fault. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: Code;
  /** The faults, field by field. */
  readonly errors: readonly FieldReason[];
  /** Why, if one code has several texts. */
  readonly reason: Reason | undefined;
  readonly wait: Wait | undefined;
  /** The values with which the caller may go on. */
  readonly more: { readonly ticket: string } | undefined;

  constructor(
    code: Code,
    errors: readonly FieldReason[] = [],
    reason?: Reason,
    wait?: Wait,
    more?: Refusal["more"],
  ) {
    super(textFor(code, errors, reason));
    this.code = code;
    this.errors = errors;
    this.reason = reason;
    this.wait = wait;
    this.more = more;
  }
}

/** Ends a rule with a refusal. */
export const refuse = (code: Code, errors: readonly FieldReason[] = [], reason?: Reason): never => {
  throw new Refusal(code, errors, reason);
};

/** Ends a rule with a refusal of fields, if there are any; the text is the first one's. */
export const refuseFields = (errors: readonly FieldReason[]): void => {
  if (errors.length > 0) throw new Refusal("invalid_input", errors);
};

/** Ends a rule with a refusal of one field. */
export const refuseField = <C extends ReasonCode>(
  field: string,
  code: C,
  ...values: Values<C>
): never => {
  throw new Refusal("invalid_input", [wrong(field, code, ...values)]);
};

/** A path as people write it: `[3].userId`, `tags[0]`. */
const fieldAt = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (field, part) =>
      typeof part === "number"
        ? `${field}[${part}]`
        : field === ""
          ? String(part)
          : `${field}.${String(part)}`,
    "",
  );

/** The code of a refusal of this field. */
const failureOf = ({ reason: { code } }: FieldReason): Code =>
  isCode(code) ? code : "invalid_input";

/**
 * The refusal for these issues. Its text is the first one of the interface, otherwise the first
 * field's, in the order of the schema.
 */
export const refusalOf = (issues: readonly z.core.$ZodIssue[]): Refusal => {
  const all = issues.map(
    ({ path, message }): FieldReason => ({ field: fieldAt(path), reason: carriedIn(message) }),
  );
  const speaking = all.find(({ reason: { code } }) => isInterfaceCode(code)) ?? all[0];
  // One number can break two bounds with the same text; keep the first.
  const said = new Set<string>();
  const errors = all.filter((one) => {
    const before = said.size;
    return said.add(JSON.stringify([one.field, errorOf(one).message])).size > before;
  });
  return new Refusal(speaking === undefined ? "invalid_input" : failureOf(speaking), errors);
};
