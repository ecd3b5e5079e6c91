import { isolated } from "../../contract/kit/plain.ts";

/** The parts of a text; every second one was isolated. */
export const isolatedParts = (text: string): readonly string[] => text.split(/[\u2068\u2069]/);

const isolatedValue = (value: unknown): unknown => {
  if (typeof value === "string") return isolated(value);
  return Array.isArray(value) ? value.map(isolatedValue) : value;
};

/** The same texts: those with parameters isolate what they are given. */
export const isolating = <Texts>(texts: Texts): Texts => {
  const made: unknown =
    typeof texts === "function"
      ? (...given: unknown[]) => texts(...given.map(isolatedValue))
      : Object.getPrototypeOf(texts ?? "") === Object.prototype
        ? Object.fromEntries(
            Object.entries(texts as object).map(([name, text]) => [name, isolating(text)]),
          )
        : texts;
  return made as Texts;
};
