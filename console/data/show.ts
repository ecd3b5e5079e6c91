import { language } from "../texts/index.ts";

const days = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
const moments = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const numbers = new Intl.NumberFormat(language);

export const showDay = (time: string): string => days.format(new Date(time));
export const showMoment = (time: string): string => moments.format(new Date(time));
export const showNumber = (value: number): string => numbers.format(value);

/** The first letters of a name's first and last word. */
export const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return letters
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
};

/** A moment as a field of date and time takes it, in the person's own time zone. */
export const toLocal = (time: string | null): string => {
  if (time === null) return "";
  const date = new Date(time);
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
};

export const fromLocal = (local: string): string | null =>
  local === "" ? null : new Date(local).toISOString();
