import { isByWeekday, type Repeating, type Weekday, weekdays } from "../kit/plain.ts";

/*
 * The days of a series, without clocks and time zones: pages and the service follow the same rule. A day is a text
 * as in ISO 8601: 2026-03-02.
 */

/** The most dates of a series. */
export const MOST_DATES = 500;

/** How a date repeats: until a last day, or so many times. */
export interface DayRepetition {
  readonly every: Repeating;
  readonly days: readonly Weekday[];
  readonly until: string | null;
  readonly count: number | null;
}

const DAY_MS = 86_400_000;
const FRIDAY = 5;

/** The longest time that is searched for dates: fifty years, and no year of five digits. */
const LONGEST_MS = 50 * 366 * DAY_MS;
const LAST_DAY = "9999-12-31";

const stored = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** The day of the week of a moment at midnight UTC: 1 is Monday, 7 Sunday. */
const dayOfWeek = (moment: number): number => new Date(moment).getUTCDay() || 7;

/** The same day some months later; undefined in a month without it. */
const monthly = (first: number, months: number): number | undefined => {
  const from = new Date(first);
  const day = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, from.getUTCDate());
  return new Date(day).getUTCDate() === from.getUTCDate() ? day : undefined;
};

/** Returns whether the day that comes so many days after the first is one of the series. Weeks begin on Monday. */
const isOn = ({ every, days }: DayRepetition, first: number, later: number): boolean => {
  if (every === "day") return true;
  const day = dayOfWeek(first + later * DAY_MS);
  if (every === "weekday") return day <= FRIDAY;
  const week = Math.floor((dayOfWeek(first) - 1 + later) / 7);
  if (every === "twoWeeks" && week % 2 === 1) return false;
  return days.includes(weekdays[day - 1] ?? "monday");
};

/** The day that is the nth candidate of a series; undefined if the series leaves it out. */
const candidate = (repetition: DayRepetition, first: number, n: number): number | undefined => {
  if (repetition.every === "month") return monthly(first, n);
  return isOn(repetition, first, n) ? first + n * DAY_MS : undefined;
};

/** The days of a series, the first one first. */
export const daysOf = (firstDay: string, repetition: DayRepetition | null): readonly string[] => {
  const days = [firstDay];
  if (repetition === null) return days;
  // A series by the day of the week that names none has its first day alone.
  if (isByWeekday(repetition.every) && repetition.days.length === 0) return days;
  const first = Date.parse(`${firstDay}T00:00Z`);
  const { until, count } = repetition;
  const end = until === null ? first + LONGEST_MS : Date.parse(`${until}T00:00Z`);
  const last = Math.min(end, Date.parse(`${LAST_DAY}T00:00Z`));
  const step = repetition.every === "month" ? 28 : 1;
  for (let n = 1; days.length < (count ?? MOST_DATES); n += 1) {
    if (first + n * step * DAY_MS > last) break;
    const day = candidate(repetition, first, n);
    if (day === undefined) continue;
    if (day > last) break;
    days.push(stored(day));
  }
  return days;
};
