import type { FieldError } from "../contract/client.ts";
import { type Code, texts } from "../contract/texts.ts";

/** When another try is worth it, and by which rule. */
export interface Wait {
  /** Seconds. */
  readonly retryAfter: number;
  /** So many in so many seconds. */
  readonly policy: { readonly name: string; readonly quota: number; readonly seconds: number };
}

/** A rule's "no": it becomes the failure body and status of its code. Everything else is a fault. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: Code;
  readonly errors: readonly FieldError[];
  readonly wait: Wait | undefined;

  constructor(
    code: Code,
    errors: readonly FieldError[] = [],
    text: string = texts[code].text,
    wait?: Wait,
  ) {
    super(text);
    this.code = code;
    this.errors = errors;
    this.wait = wait;
  }
}

/** Ends a rule with a "no". */
export const refuse = (code: Code, errors: readonly FieldError[] = []): never => {
  throw new Refusal(code, errors);
};

/** Ends a rule with a "no" about fields, where there are any; the first one speaks. */
export const refuseFields = (errors: readonly FieldError[]): void => {
  const [first] = errors;
  if (first) throw new Refusal("invalid_input", errors, first.message);
};

/** Ends a rule with a "no" about one field; the phrase follows the field's name. */
export const refuseField = (field: string, phrase: string): never => {
  const message = `${field} ${phrase}`;
  throw new Refusal("invalid_input", [{ field, message }], message);
};
