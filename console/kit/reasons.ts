import { fallbackLanguage } from "../../contract/kit/languages.ts";
import { type GivenReason, reasonIn } from "../../languages/reason-text.ts";
import { language, t } from "../texts/index.ts";

export type { GivenReason };

/**
 * A reason in the page's language.
 *
 * @param field what the sentence is about: the label of a field
 * @returns undefined in English, and for a code that these pages do not know: the service's text stands
 */
export const reasonText = (given: GivenReason, field = ""): string | undefined =>
  language === fallbackLanguage ? undefined : reasonIn(t.errors, language, given, field);

/** Why an email or a delivery has not arrived; null where nothing has failed. */
export const lastErrorText = ({
  lastError,
  lastReason,
}: {
  readonly lastError: string | null;
  /** A service of an earlier version answers none. */
  readonly lastReason?: GivenReason | null;
}): string | null => (lastReason ? reasonText(lastReason) : undefined) ?? lastError;
