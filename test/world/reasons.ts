import assert from "node:assert/strict";
import { type FieldError, type Reason, reasonCodes, textOf } from "../../contract/kit/reasons.ts";
import { texts } from "../../contract/kit/texts.ts";

const known: ReadonlySet<string> = new Set([...reasonCodes, ...Object.keys(texts)]);

/** Checks that an error has a code of the table, and that its text is made from the code and its values. */
export const assertReason = ({ field, about, message, ...reason }: FieldError): void => {
  const text = JSON.stringify({ field, message, ...reason });
  assert.ok(known.has(reason.code), text);
  assert.equal(message, textOf(reason as Reason, about ?? field), text);
};

/** Checks the reasons in the body of a failure. */
export const assertReasons = (
  said: string,
  { errors = [], reason }: { readonly errors?: readonly FieldError[]; readonly reason?: Reason },
): void => {
  errors.forEach(assertReason);
  if (reason !== undefined) assert.equal(said, textOf(reason), JSON.stringify(reason));
};

/**
 * The errors' fields and messages, without codes and values: `ask` has checked that these make the text.
 */
export const saidIn = (errors: readonly FieldError[] | undefined) =>
  errors?.map(({ field, message }) => ({ field, message }));

/** Errors of fields with their codes. */
export const codesIn = (errors: readonly FieldError[] | undefined) =>
  errors?.map(({ field, code }) => [field, code]);
