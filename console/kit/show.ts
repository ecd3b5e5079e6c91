import { languageFor } from "../../contract/kit/languages.ts";
import { type Weekday, weekdays } from "../../contract/kit/plain.ts";
import { language, t } from "../texts/index.ts";

/** Returns whether the browser's language tag can be used: some report languages that Intl refuses, such as "C". */
const isKnown = (tag: string): boolean => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
};
const numberingSystem = "latn";
/**
 * The page's language as the person's country writes it, if the browser names one; with the digits of
 * fields and codes.
 */
const locale = new Intl.Locale(
  navigator.languages.filter(isKnown).find((tag) => languageFor([tag], [language])) ?? language,
  { numberingSystem },
);

/** The fields of a date, for computing. */
const fieldsIn = (timeZone: string | undefined) =>
  new Intl.DateTimeFormat("en", {
    ...({ year: "numeric", month: "numeric", day: "numeric" } as const),
    ...({ hour: "numeric", minute: "numeric", second: "numeric", hourCycle: "h23" } as const),
    ...({ calendar: "iso8601", era: "short", timeZone } as const),
  });

const zonedMomentsIn = (timeZone: string | undefined) =>
  new Intl.DateTimeFormat(locale, {
    ...({ weekday: "short", year: "numeric", month: "short", day: "numeric" } as const),
    ...({ hour: "numeric", minute: "2-digit", timeZoneName: "short", timeZone } as const),
  });

const formatsIn = (timeZone: string | undefined) => ({
  days: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone }),
  moments: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone }),
  shortDays: new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone }),
  months: new Intl.DateTimeFormat(locale, { month: "short", year: "numeric", timeZone }),
  weekdays: new Intl.DateTimeFormat(locale, {
    ...({ weekday: "short", month: "short", day: "numeric" } as const),
    ...({ hour: "numeric", minute: "2-digit", timeZone } as const),
  }),
  zonedMoments: zonedMomentsIn(timeZone),
  times: new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone }),
  fields: fieldsIn(timeZone),
});
let formats = formatsIn(undefined);

/**
 * Shows and reads dates in this time zone: that of the person's account.
 *
 * @param timeZone null: that of the browser, also if the browser does not know the zone
 */
export const showIn = (timeZone: string | null): void => {
  try {
    formats = formatsIn(timeZone ?? undefined);
  } catch {
    formats = formatsIn(undefined);
  }
};

/** The time zone in which dates are shown. */
export const shownZone = (): string => formats.days.resolvedOptions().timeZone;

const numbers = new Intl.NumberFormat(locale);

export const showDay = (time: string): string => formats.days.format(new Date(time));
export const showShortDay = (time: string): string => formats.shortDays.format(new Date(time));
export const showMonth = (time: string): string => formats.months.format(new Date(time));
export const showMoment = (time: string): string => formats.moments.format(new Date(time));
/** The same with weekday and time zone, for people invited from elsewhere. */
export const showZonedMoment = (time: string, timeZone?: string): string =>
  (timeZone === undefined ? formats.zonedMoments : zonedMomentsIn(timeZone)).format(new Date(time));
/** A day of the week with its date and time. */
export const showWeekday = (time: string): string => formats.weekdays.format(new Date(time));
export const showTime = (time: string): string => formats.times.format(new Date(time));
/**
 * The value of a field of date, or of date and time, in words; undefined if it has none. Browsers show such
 * fields in their own language: a page in another one says in words what they mean.
 */
export const showField = (value: string): string | undefined => {
  const isOwn = languageFor([navigator.language], [language]) !== undefined;
  const moment = Date.parse(value.length > 10 ? `${value}Z` : value);
  if (isOwn || Number.isNaN(moment)) return undefined;
  const timeStyle = value.length > 10 ? ({ timeStyle: "short" } as const) : {};
  const format = { dateStyle: "full", ...timeStyle, timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(locale, format).format(moment);
};
/** A moment of today as its time alone. */
export const showSince = (time: string): string =>
  dayOf(time) === dayOf() ? showTime(time) : showMoment(time);
export const showNumber = (value: number): string => numbers.format(value);

const lists = new Intl.ListFormat(locale);
const shares = new Intl.NumberFormat(locale, { style: "percent" });

const commas: Readonly<Record<string, string>> = { ja: "、", "zh-CN": "、", ar: "، " };

/** Several things as people write them in a sentence. */
export const showList = (items: readonly string[]): string => lists.format(items);
/** Several names or words one after the other. */
export const showRow = (items: readonly string[]): string => items.join(commas[language] ?? ", ");

const withoutSpaces: ReadonlySet<string> = new Set(["ja", "zh-CN"]);
/** Several sentences one after the other. */
export const showSentences = (sentences: readonly string[]): string =>
  sentences.join(withoutSpaces.has(language) ? "" : " ");

const languageNames = new Intl.DisplayNames([language], { type: "language" });
/** The name of a language in that of the page. */
export const showLanguage = (tag: string): string => languageNames.of(tag) ?? tag;

/** The days of a week, beginning with the one that the country begins with; Monday where it is not known. */
export const showWeek = (): readonly Weekday[] => {
  const known = locale as { readonly getWeekInfo?: () => { readonly firstDay: number } };
  const first = (known.getWeekInfo?.().firstDay ?? 1) - 1;
  return [...weekdays.slice(first), ...weekdays.slice(0, first)];
};
/** A part of one as a percentage. */
export const showShare = (share: number): string => shares.format(share);

/** How long something lasted. */
export const showDuration = (seconds: number): string => {
  const texts = t.meetings.duration;
  const minutes = Math.round(seconds / 60);
  if (seconds < 60) return texts.seconds(seconds);
  return minutes < 60
    ? texts.minutes(minutes)
    : texts.hours(Math.floor(minutes / 60), minutes % 60);
};

/** How long something will last. */
export const showLength = (minutes: number): string => {
  const texts = t.schedule.length;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return texts.minutes(rest);
  return rest === 0 ? texts.hours(hours) : texts.both(hours, rest);
};

const SIZES = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** A size in the unit that gives one to three digits before the point. */
export const showBytes = (bytes: number): string => {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), SIZES.length - 1);
  return new Intl.NumberFormat(locale, {
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
    .toLocaleUpperCase(language);
};

const DAY_MS = 86_400_000;

const padded = (part: number, digits = 2): string => String(part).padStart(digits, "0");

/** The date and time that clocks in a time zone show, as if it were UTC, in milliseconds. */
const clockAt = (moment: number, fields: Intl.DateTimeFormat): number => {
  const parts = fields.formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((one) => one.type === type)?.value);
  const era = parts.find(({ type }) => type === "era")?.value;
  const year = era?.startsWith("B") ? 1 - part("year") : part("year");
  const clock = new Date(0);
  // Not Date.UTC, which takes the years 0 to 99, through which a typed year passes, for a later
  // century.
  clock.setUTCFullYear(year, part("month") - 1, part("day"));
  clock.setUTCHours(part("hour"), part("minute"), part("second"));
  return clock.getTime();
};

/** The fields of dates in a time zone; default: that of the person. */
const fieldsOf = (timeZone: string | undefined): Intl.DateTimeFormat =>
  timeZone === undefined ? formats.fields : fieldsIn(timeZone);

/** A moment in the format of a date-and-time field; default: in the person's own time zone. */
export const toLocal = (time: string | null, timeZone?: string): string => {
  if (time === null) return "";
  const clock = new Date(clockAt(Date.parse(time), fieldsOf(timeZone)));
  const day = `${padded(clock.getUTCFullYear(), 4)}-${padded(clock.getUTCMonth() + 1)}-${padded(clock.getUTCDate())}`;
  return `${day}T${padded(clock.getUTCHours())}:${padded(clock.getUTCMinutes())}`;
};

/** A moment's day in the person's own time zone, for the name of a file; default: today. */
export const dayOf = (time = new Date().toISOString()): string => toLocal(time).slice(0, 10);

/**
 * The moment in such a field; null if it is empty, undefined if it is not valid. A time that clocks
 * skip is an hour later, one that they show twice is the first.
 */
export const fromLocal = (local: string, timeZone?: string): string | null | undefined => {
  if (local === "") return null;
  const fields = fieldsOf(timeZone);
  const wanted = Date.parse(`${local}Z`);
  if (Number.isNaN(wanted)) return undefined;
  const offsets = [wanted - DAY_MS, wanted + DAY_MS].map((near) => clockAt(near, fields) - near);
  const moments = offsets.map((offset) => wanted - offset);
  const moment = moments.find((one) => clockAt(one, fields) === wanted) ?? Math.max(...moments);
  return new Date(moment).toISOString();
};

/** The time zones by name, for a field; the chosen one too if this browser does not know it. */
export const zoneChoices = (
  chosen: string | null,
): readonly { readonly value: string; readonly label: string }[] => {
  const names = new Set([...Intl.supportedValuesOf("timeZone"), ...(chosen ? [chosen] : [])]);
  return [...names].sort().map((name) => ({ value: name, label: name.replaceAll("_", " ") }));
};
