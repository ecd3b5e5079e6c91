import type { FieldError } from "../contract/client.ts";
import { type Code, texts } from "../contract/texts.ts";

/** When to retry, and the limit behind it. */
export interface Wait {
  /** Seconds. */
  readonly retryAfter: number;
  /** How many are allowed in how many seconds. */
  readonly policy: { readonly name: string; readonly quota: number; readonly seconds: number };
}

/** A failure that a rule decides: becomes the body and status of its code. All else is a fault. */
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

/** Ends a rule with a refusal. */
export const refuse = (code: Code, errors: readonly FieldError[] = []): never => {
  throw new Refusal(code, errors);
};

/** Ends a rule with a refusal of fields, if there are any; the text is that of the first one. */
export const refuseFields = (errors: readonly FieldError[]): void => {
  const [first] = errors;
  if (first) throw new Refusal("invalid_input", errors, first.message);
};

/** Ends a rule with a refusal of one field; the phrase follows the field's name. */
export const refuseField = (field: string, phrase: string): never => {
  const message = `${field} ${phrase}`;
  throw new Refusal("invalid_input", [{ field, message }], message);
};
