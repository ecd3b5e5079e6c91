import { fallbackLanguage } from "../../contract/kit/languages.ts";
import { language, t } from "../texts/index.ts";

/*
 * Why something was refused, in the page's language: the service names a code with its values, and the
 * catalog `errors` has a message of each code (docs/decisions/0064, 0080). The service's own texts are
 * English.
 */

/** A code with its values, as failures, fields and lines of imports carry it. */
interface Given {
  readonly code: string;
}

type Message = string | ((values: object) => string);
type Messages = { readonly [code: string]: Message | Messages | undefined };

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
const valuesOf = ({ code, ...given }: Given): Readonly<Record<string, unknown>> => {
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
const messageFor = (code: string, values: Readonly<Record<string, unknown>>) => {
  const catalog: readonly Messages[] = [
    t.errors.failures,
    t.errors.fields as unknown as Messages,
    t.errors.files as unknown as Messages,
    t.errors.sentences as unknown as Messages,
  ];
  const found = catalog.map((messages) => messages[code]).find((one) => one !== undefined);
  if (typeof found !== "object") return found;
  return Object.values(values)
    .map((value) => (typeof value === "string" ? found[value] : undefined))
    .find((one): one is Message => typeof one === "string" || typeof one === "function");
};

/**
 * A reason in the page's language.
 *
 * @param field what the sentence is about: the label of a field
 * @returns undefined in English, and for a code that these pages do not know: the service's text stands
 */
export const reasonText = (given: Given, field = ""): string | undefined => {
  if (language === fallbackLanguage) return undefined;
  const values = { ...valuesOf(given), field };
  const message = messageFor(given.code, values);
  return typeof message === "function" ? message(values) : message;
};
