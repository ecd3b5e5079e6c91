/** One environment variable: how it is read, shown and explained. */
export interface Setting<T> {
  readonly name: string;
  /** As `parley config` shows it. */
  readonly default: string;
  readonly meaning: string;
  readonly accepted: string;
  /** What may be shown of a value that holds a secret. */
  readonly mask?: (text: string) => string;
  /** Answers undefined to a text that is not accepted. */
  readonly parse: (text: string) => T | undefined;
}

export type Environment = Record<string, string | undefined>;

/** A line for the person who starts Parley: the variable, what it was, what is accepted. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** Keeps the type of each value while settings stand in one table. */
export const define = <T>(setting: Setting<T>): Setting<T> => setting;

/**
 * The value of one variable, undefined where it is not set or empty.
 *
 * @throws ConfigError where its text is not accepted.
 */
export const read = <T>(env: Environment, setting: Setting<T>): T | undefined => {
  const text = env[setting.name] ?? "";
  if (text === "") return undefined;
  const value = setting.parse(text);
  if (value !== undefined) return value;
  throw new ConfigError(
    `${setting.name} is ${JSON.stringify(shownText(env, setting))}; accepted: ${setting.accepted}.`,
  );
};

/** What may be shown of a variable, at most 120 characters; null where it is not set or empty. */
export const shownText = (
  env: Environment,
  setting: Pick<Setting<unknown>, "name" | "mask">,
): string | null => {
  const text = env[setting.name] ?? "";
  if (text === "") return null;
  const shown = setting.mask?.(text) ?? text;
  return shown.length > 120 ? `${shown.slice(0, 120)}...` : shown;
};

/** Nothing of a secret but its length, which is what goes wrong when it is copied. */
export const hide = (text: string): string => `(hidden, ${text.length} characters)`;

/**
 * A URL with its password hidden. Where a password that is not percent-encoded could stand in
 * another part, nothing is shown.
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
