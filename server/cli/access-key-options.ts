import { carriedIn, textOf } from "../../contract/kit/reasons.ts";
import { scopes } from "../../contract/kit/scopes.ts";
import {
  type AccessKeySettings,
  accessKeySettings,
} from "../../contract/organization/access-keys.ts";
import type { Refusal } from "../lib/refusal.ts";
import { CommandError, UsageError } from "./command.ts";

/** The options for an access key's name and rights. */
export const accessKeyOptions = {
  name: { type: "string", value: "NAME", meaning: "What the key is for." },
  scope: {
    type: "string",
    value: "SCOPE",
    meaning: `What it may do: ${scopes.join(", ")} (default).`,
  },
  expires: {
    type: "string",
    value: "TIME",
    meaning: "When it ends, such as 2027-12-31T23:59:59Z; by default when it is removed.",
  },
} as const;

type Given = { readonly [K in keyof typeof accessKeyOptions]: string | undefined };

/**
 * An access key's settings; defaults if omitted.
 *
 * @throws UsageError on a value that is not accepted
 */
export const readAccessKey = (given: Given): AccessKeySettings => {
  const read = <K extends keyof AccessKeySettings>(
    key: K,
    option: keyof Given,
  ): AccessKeySettings[K] => {
    const { data, error } = accessKeySettings[key].create.safeParse(given[option]);
    if (error) {
      const reason = carriedIn(error.issues[0]?.message ?? "");
      throw new UsageError(`${textOf(reason, `--${option}`)}.`);
    }
    return data as AccessKeySettings[K];
  };
  return {
    name: read("name", "name"),
    scope: read("scope", "scope"),
    expiresAt: read("expiresAt", "expires"),
  };
};

/** A refusal in the command line's words: names the option instead of the setting. */
export const sayRefusal = ({ message, errors: [first] }: Refusal): CommandError =>
  new CommandError(
    first?.field === "expiresAt" ? `--expires ${message.slice("expiresAt ".length)}.` : message,
  );
