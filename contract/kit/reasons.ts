import { filePhrases } from "./file-phrases.ts";
import { phrases as fieldPhrases } from "./reason-phrases.ts";
import { sentences } from "./reason-sentences.ts";
import { type Code, failurePhrase as phraseOfCode, texts } from "./texts.ts";

/*
 * Why something is refused: a code with its values, from which alone the text is made, so no text
 * lacks a code.
 */

const phrases = { ...fieldPhrases, ...filePhrases };
const table = { ...phrases, ...sentences };
type Table = typeof table;

/** The values of a code; none for most. */
export type ReasonValues<C extends ReasonCode> = C extends keyof Table
  ? Parameters<Table[C]> extends readonly [infer Values]
    ? Values
    : unknown
  : unknown;

/** The code of a reason: of the table of reasons, or of a failure. */
export type ReasonCode = keyof Table | Code;

/** A code with its values. */
export type Reason<C extends ReasonCode = ReasonCode> = {
  [K in C]: { readonly code: K } & ReasonValues<K>;
}[C];

/** The values of a reason. */
export type Values<C extends ReasonCode> =
  unknown extends ReasonValues<C> ? readonly [] : readonly [values: ReasonValues<C>];

/** Makes a reason. */
export const reason = <C extends ReasonCode>(code: C, ...[values]: Values<C>): Reason<C> =>
  ({ code, ...(values as object | undefined) }) as Reason<C>;

const isPhrase = (code: ReasonCode): code is keyof typeof phrases => code in phrases;
const isSentence = (code: ReasonCode): code is keyof typeof sentences => code in sentences;

/** A reason's text without the name of its field. */
export const phraseOf = (given: Reason): string => {
  const { code } = given;
  if (isPhrase(code)) return (phrases[code] as (values: Reason) => string)(given);
  if (isSentence(code)) return (sentences[code] as (values: Reason) => string)(given);
  return phraseOfCode(code) ?? texts[code].text;
};

/** The text of a reason for a field; "" is the body. */
export const textOf = (given: Reason, field = ""): string => {
  const { code } = given;
  const follows = isPhrase(code) || (!isSentence(code) && phraseOfCode(code) !== undefined);
  return follows ? `${field === "" ? "The body" : field} ${phraseOf(given)}` : phraseOf(given);
};

/** Why a field is refused, before it becomes text. */
export interface FieldReason {
  readonly field: string;
  /** The field that the text names, if `field` is not it. */
  readonly about?: string;
  readonly reason: Reason;
}

/** Makes the reason why one field is refused. */
export const wrong = <C extends ReasonCode>(
  field: string,
  code: C,
  ...values: Values<C>
): FieldReason => ({ field, reason: reason(code, ...values) as Reason });

/** Why a field is refused, as answers carry it. */
export const errorOf = ({ field, about, reason: given }: FieldReason): FieldError => {
  const { code, ...values } = given;
  const message = textOf(given, about ?? field);
  return { field, ...(about !== undefined && { about }), code, message, ...values } as FieldError;
};

/** Why one field is refused, with the values of its code; `field` is a path such as `[3].userId`. */
export type FieldError<C extends ReasonCode = ReasonCode> = {
  [K in C]: {
    readonly field: string;
    /** The field that the text names, if `field` is not it. */
    readonly about?: string;
    readonly code: K;
    /** The text in English, made from the code and its values. */
    readonly message: string;
  } & ReasonValues<K>;
}[C];

/** A reason as schemas carry it: their messages are texts. */
export type CarriedReason = string & { readonly __carried: true };

/** Makes a reason for the `error` of a schema. */
export const says = <C extends ReasonCode>(code: C, ...values: Values<C>): CarriedReason =>
  JSON.stringify(reason(code, ...values)) as CarriedReason;

/** Reads the reason from the message of a schema's issue; the schema may have left it to Zod. */
export const carriedIn = (message: string): Reason =>
  message.startsWith('{"code":') ? JSON.parse(message) : reason("not_accepted");

/** The codes of the table of reasons, in its order. */
export const reasonCodes = Object.keys(table) as readonly (keyof Table)[];
