import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Answer } from "./ask.ts";
import { saidIn } from "./reasons.ts";

/** A failure body with `message`, as most operations answer it. */
export const failure = (code: string, message: string, errors?: object[]) => ({
  success: false,
  message,
  code,
  ...(errors === undefined ? {} : { errors }),
});

/** Bad input about one field. */
export const fieldFailure = (field: string, message: string, code = "invalid_input") =>
  failure(code, message, [{ field, message }]);

/** A failure body without codes and values of its reasons: `ask` has checked that these make the texts. */
export const saidBody = ({ reason: _, errors, ...body }: Answer["body"]) => ({
  ...body,
  ...(errors === undefined ? {} : { errors: saidIn(errors) }),
});

/** Sends a request, and compares the whole failure with the expected one. */
export const assertFails = async (
  asked: Promise<Answer>,
  status: number,
  body: object,
): Promise<void> => {
  const answer = await asked;
  assert.deepEqual([answer.status, saidBody(answer.body)], [status, body]);
};

/** Refused values of a field, and the answer: a phrase about the field, or a text with its code. */
export type Refused = readonly [
  field: string,
  values: readonly unknown[],
  text: string,
  code?: string,
];

/** Sends each value in place of the field, and compares the failure with the table. */
export const assertRefused = async (
  t: TestContext,
  send: (more: Record<string, unknown>) => Promise<Answer>,
  table: readonly Refused[],
): Promise<void> => {
  for (const [field, values, text, code] of table) {
    const message = code === undefined ? `${field} ${text}` : text;
    for (const value of values) {
      // For the field of an element, `tags[1]`, the whole array is sent.
      const name = field.replace(/\[.*/, "");
      await t.test(`${field} ${JSON.stringify(value)?.slice(0, 40)}: ${message}`, () =>
        assertFails(send({ [name]: value }), 400, fieldFailure(field, message, code)),
      );
    }
  }
};

/** Values that text fields refuse whatever their length. */
export const unstorable = ["a\0b", "a\ud83d", "\udc00"];
export const unstorablePhrase = "must be text without U+0000 and unpaired surrogates";
