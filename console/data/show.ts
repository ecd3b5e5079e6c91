import { language } from "../texts/index.ts";

/** Whether the browser's language tag can be used: some report languages that Intl refuses, such as "C". */
const isKnown = (tag: string): boolean => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
};
/** Dates are in the format of the person's browser, whatever the language of the texts. */
const locales = [...navigator.languages.filter(isKnown), language];

const days = new Intl.DateTimeFormat(locales, { dateStyle: "medium" });
const moments = new Intl.DateTimeFormat(locales, { dateStyle: "medium", timeStyle: "short" });
const shortDays = new Intl.DateTimeFormat(locales, { month: "short", day: "numeric" });
const months = new Intl.DateTimeFormat(locales, { month: "short", year: "numeric" });
const times = new Intl.DateTimeFormat(locales, { timeStyle: "short" });
const numbers = new Intl.NumberFormat(language);

export const showDay = (time: string): string => days.format(new Date(time));
export const showShortDay = (time: string): string => shortDays.format(new Date(time));
export const showMonth = (time: string): string => months.format(new Date(time));
export const showMoment = (time: string): string => moments.format(new Date(time));
export const showTime = (time: string): string => times.format(new Date(time));
export const showNumber = (value: number): string => numbers.format(value);

const SIZES = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** A size in the unit in which it has one to three digits before the point. */
export const showBytes = (bytes: number): string => {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), SIZES.length - 1);
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: SIZES[step] ?? "byte",
    unitDisplay: step === 0 ? "long" : "short",
    maximumFractionDigits: step < 3 ? 0 : 1,
  }).format(bytes / 1000 ** step);
};

/** The first letters of a name's first and last word. */
export const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return letters
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
};

const padded = (part: number, digits = 2): string => String(part).padStart(digits, "0");

/** A moment in the format of a date-and-time field, in the person's own time zone. */
export const toLocal = (time: string | null): string => {
  if (time === null) return "";
  const date = new Date(time);
  // Not computed from the offset: before standard time, offsets had seconds, and a year that is being typed
  // passes through those centuries.
  const month = `${padded(date.getFullYear(), 4)}-${padded(date.getMonth() + 1)}`;
  return `${month}-${padded(date.getDate())}T${padded(date.getHours())}:${padded(date.getMinutes())}`;
};

/** A moment's day in the person's own time zone, for the name of a file; default: today. */
export const dayOf = (time = new Date().toISOString()): string => toLocal(time).slice(0, 10);

/** The moment that such a field holds; null if it is empty, undefined if it is not a valid moment. */
export const fromLocal = (local: string): string | null | undefined => {
  if (local === "") return null;
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
};
