import type { AcceptedText } from "../../contract/kit/accepted.ts";

/** One environment variable: how it is read, shown and explained. */
export interface Variable<T> extends AcceptedText<T> {
  readonly name: string;
  /** The text that is read when the variable is not set. */
  readonly default?: string;
  /** The meaning of the unset variable where there is no default, in words. */
  readonly unset?: string;
  readonly meaning: string;
  /** The part of a value with a secret that may be shown. */
  readonly mask?: (text: string) => string;
}

export type Environment = Record<string, string | undefined>;

/** A setting that always has a value. */
export type SettingWithDefault<T> = Variable<T> & { readonly default: string };

/** A setting that may have no value. */
export type OptionalSetting<T> = Variable<T> & { readonly unset: string };

/** The problems with the settings, one per line, without a secret. */
export class ConfigError extends Error {
  override name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join(" "));
    this.problems = problems;
  }
}

/** Keeps the type of each value although all settings are in one table. */
export const define = <T>(setting: SettingWithDefault<T>): SettingWithDefault<T> => setting;
export const defineOptional = <T>(setting: OptionalSetting<T>): OptionalSetting<T> => setting;

/** Reads variables, and collects the problems with them. */
export const openReader = (env: Environment) => {
  const problems: string[] = [];
  const read = <T>(setting: Variable<T>, text: string): T | undefined => {
    const value = setting.parse(text);
    if (value === undefined) {
      const shown = JSON.stringify(shownText(env, setting));
      problems.push(`${setting.name} is ${shown}; accepted: ${setting.accepted}.`);
    }
    return value;
  };
  return {
    problems,
    /** The value of a variable. When its text is not accepted: the default, and a problem. */
    value: <T>(setting: SettingWithDefault<T>): T =>
      read(setting, env[setting.name] || setting.default) ?? (setting.parse(setting.default) as T),
    /** The value of a variable; undefined where it is not set, empty or not accepted. */
    optional: <T>(setting: OptionalSetting<T>): T | undefined => {
      const text = env[setting.name] ?? "";
      return text === "" ? undefined : read(setting, text);
    },
  };
};

/** The default of a variable, as people read it. */
export const defaultText = ({ default: text, unset }: Variable<unknown>): string =>
  text ?? unset ?? "none";

/** The part of a variable that may be shown, at most 120 characters; null where it is not set or empty. */
export const shownText = (
  env: Environment,
  setting: Pick<Variable<unknown>, "name" | "mask">,
): string | null => {
  const text = env[setting.name] ?? "";
  if (text === "") return null;
  const shown = setting.mask?.(text) ?? text;
  return shown.length > 120 ? `${shown.slice(0, 120)}...` : shown;
};

/** Shows only the length of a secret: enough to see whether it was copied completely. */
export const hide = (text: string): string => `(hidden, ${text.length} characters)`;

/**
 * A URL with its password hidden. Hides all of it where a password that is not percent-encoded could
 * be in another part.
 */
export const maskUrl = (text: string): string => {
  const url = URL.parse(text);
  if (/password=/i.test(text)) return hide(text);
  if (!text.includes("@")) return url !== null || !/:.*:/s.test(text) ? text : hide(text);
  if (url === null || (url.pathname + url.search + url.hash).includes("@") || url.host === "")
    return hide(text);
  if (url.password !== "") url.password = "***";
  return url.href;
};
