import type { Messages } from "./messages.ts";

/*
 * Why something was refused, in a language: the catalog `errors` has a message of each code
 * (docs/decisions/0064, 0080).
 */

/** A code with its values. */
export interface GivenReason {
  readonly code: string;
}

type Message = string | ((values: object) => string);
type Group = { readonly [code: string]: Message | Group | undefined };

/** The unit in which messages name a largest size, in bytes. */
const unitOf: Readonly<Record<string, number>> = {
  not_picture: 1024,
  file_too_large: 1_000_000,
  file_over: 1_000_000,
  body_over: 1024 ** 2,
  body_over_without_token: 1024,
};

/** "email addresses" as the catalog's word for a choice: emailAddresses. */
const asWord = (text: string): string =>
  text.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase());

/** The values of a reason as messages take them. */
const valuesOf = (
  { code, ...given }: GivenReason,
  language: string,
): Readonly<Record<string, unknown>> => {
  const values: Readonly<Record<string, unknown>> = given;
  const { accepted, max, name, of } = values;
  return {
    ...values,
    ...(Array.isArray(accepted) && {
      accepted: new Intl.ListFormat(language, { type: "disjunction" }).format(accepted.map(String)),
    }),
    ...(typeof max === "number" && { max: max / (unitOf[code] ?? 1) }),
    ...(typeof of === "string" && { of: asWord(of) }),
    ...(code === "file_without_sheet" && {
      name: name === undefined ? "none" : "other",
      sheet: name,
    }),
  };
};

/** The message of a code; some have one for each word among the values, such as a kind. */
const messageFor = (
  errors: Messages["errors"],
  code: string,
  values: Readonly<Record<string, unknown>>,
): Message | Group | undefined => {
  const { failures, fields, files, sentences } = errors;
  const found = ([failures, fields, files, sentences] as unknown as readonly Group[])
    .map((messages) => messages[code])
    .find((one) => one !== undefined);
  if (typeof found !== "object") return found;
  return Object.values(values)
    .map((value) => (typeof value === "string" ? found[value] : undefined))
    .find((one) => typeof one === "string" || typeof one === "function");
};

/** What a mail server says, or the system's code, follows the message of its trouble. */
const withDetail = (text: string, { detail, said }: Readonly<Record<string, unknown>>): string =>
  detail === undefined && said === undefined ? text : `${text} (${said ?? detail})`;

/**
 * A reason in a language.
 *
 * @param errors the catalog of the language
 * @param field what the sentence is about: the label of a field
 * @returns undefined for a code without a message: the service's own text stands
 */
export const reasonIn = (
  errors: Messages["errors"],
  language: string,
  given: GivenReason,
  field = "",
): string | undefined => {
  const values = { ...valuesOf(given, language), field };
  const message = messageFor(errors, given.code, values);
  if (typeof message === "function") return message(values);
  if (typeof message !== "string") return undefined;
  return given.code === "mail_server" ? withDetail(message, values) : message;
};
