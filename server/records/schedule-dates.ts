import { isByWeekday, type Weekday, weekdays } from "../../contract/kit/plain.ts";
import { daysOf } from "../../contract/schedule/days.ts";
import type { Schedule } from "../../contract/schedule/schedule.ts";

/*
 * The dates of a series, in its time zone: 09:00 stays 09:00 when the clocks change. A time that the clocks
 * skip is as much later as they skip, and one that they show twice is the first (RFC 5545, 3.3.5).
 */

/** The values from which the dates follow. */
export interface Series {
  /** When the first date begins: ISO 8601, UTC. */
  readonly startsAt: string;
  readonly timeZone: string;
  readonly minutes: number;
  readonly repetition: Schedule["repetition"];
}

/** The text of a moment as it is stored. */
const stored = (moment: { readonly epochMilliseconds: number }): string =>
  new Date(moment.epochMilliseconds).toISOString();

/** When the first date begins, in the time zone. */
export const startOf = ({ startsAt, timeZone }: Series): Temporal.ZonedDateTime =>
  Temporal.Instant.from(startsAt).toZonedDateTimeISO(timeZone);

/** The day of the week of a date. */
export const weekdayOf = ({ dayOfWeek }: { readonly dayOfWeek: number }): Weekday =>
  weekdays[dayOfWeek - 1] ?? "monday";

/** When each date begins, the first one first. */
export const datesOf = (series: Series): readonly string[] => {
  const start = startOf(series);
  const [, ...later] = daysOf(start.toPlainDate().toString(), series.repetition);
  const time = start.toPlainTime();
  const at = (day: string) =>
    stored(Temporal.PlainDate.from(day).toPlainDateTime(time).toZonedDateTime(series.timeZone));
  return [stored(start), ...later.map(at)];
};

/** When a date that begins then is over. */
export const endOf = ({ minutes }: Pick<Series, "minutes">, startsAt: string): string =>
  new Date(Date.parse(startsAt) + minutes * 60_000).toISOString();

/** When the last date is over. */
export const lastEndOf = (series: Series): string =>
  endOf(series, datesOf(series).at(-1) ?? series.startsAt);

/** When the next date begins that is not over at this time; null after the last one. */
export const nextOf = (series: Series, now: string): string | null =>
  datesOf(series).find((date) => endOf(series, date) > now) ?? null;

/**
 * The repetition of a series whose first date moves: a single day of the week moves with it, and one that
 * the new day does not fit is given up.
 */
export const movedRepetition = (
  { repetition, ...series }: Series,
  startsAt: string,
): Series["repetition"] => {
  if (repetition === null) return null;
  const to = startOf({ ...series, repetition, startsAt });
  const isPast = repetition.until !== null && to.toPlainDate().toString() > repetition.until;
  if (isPast || (repetition.every === "weekday" && to.dayOfWeek > 5)) return null;
  if (!isByWeekday(repetition.every)) return repetition;
  const former = weekdayOf(startOf({ ...series, repetition }));
  const others = repetition.days.filter((day) => day !== former || day === weekdayOf(to));
  return { ...repetition, days: daysWith(others, weekdayOf(to)) };
};

/** Days of the week with one more, in their order. */
export const daysWith = (days: readonly Weekday[], day: Weekday): Weekday[] =>
  weekdays.filter((one) => one === day || days.includes(one));
