/*
 * Moments as spreadsheets write them: local times without a time zone. An ambiguous date stays, so
 * that the field's own check refuses it.
 */

const CLOCK =
  /(?<hour>\d{1,2})[:.](?<minute>\d\d)(?:[:.](?<second>\d\d)(?:[.,]\d+)?)?(?:\s?(?<half>[ap])\.?m\.?)?$/;
const DATES: readonly RegExp[] = [
  /^(?<year>\d{4})(?<sign>[-/.])(?<month>\d{1,2})\k<sign>(?<day>\d{1,2})(?:T|,? )/,
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4}),? /,
].map(({ source }) => new RegExp(source + CLOCK.source, "i"));

/** Two numbers and a year: the order of day and month depends on the country. */
const EITHER = /^\s*(?<one>\d{1,2})(?<sign>[-/])(?<other>\d{1,2})\k<sign>(?<year>\d{4})\b/;

/** The order in which a column writes day and month. */
export type DayOrder = "day first" | "month first";

/**
 * A column's order of day and month, by its unambiguous dates.
 *
 * @returns undefined if there are none, or if they differ
 */
export const dayOrderIn = (values: readonly unknown[]): DayOrder | undefined => {
  const orders = new Set<DayOrder>();
  for (const value of values) {
    const found = typeof value === "string" ? EITHER.exec(value)?.groups : undefined;
    if (Number(found?.one) > 12) orders.add("day first");
    if (Number(found?.other) > 12) orders.add("month first");
  }
  return orders.size === 1 ? [...orders][0] : undefined;
};

/** A date with the year first, if the order of its parts is known. */
const yearFirst = (text: string, order: DayOrder | undefined): string =>
  order === undefined
    ? text
    : text.replace(EITHER, order === "day first" ? "$4-$3-$1" : "$4-$1-$3");

/** Hours of the day from a 12-hour clock. */
const hourOf = (hour: number, half: string | undefined): number => {
  if (half === undefined) return hour;
  return (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
};

/**
 * A local time without a time zone, as a moment in this zone.
 *
 * @returns the value unchanged if it is no such time
 */
export const momentIn = (
  value: unknown,
  timeZone: string | undefined,
  order: DayOrder | undefined,
): unknown => {
  if (typeof value !== "string" || timeZone === undefined) return value;
  const text = yearFirst(value.trim(), dayOrderIn([value]) ?? order);
  const found = DATES.map((date) => date.exec(text)?.groups).find(Boolean);
  if (found === undefined) return value;
  const { year, month, day, hour, minute, second = 0, half } = found;
  try {
    const local = Temporal.PlainDateTime.from(
      {
        year: Number(year),
        month: Number(month),
        day: Number(day),
        hour: hourOf(Number(hour), half),
        minute: Number(minute),
        second: Number(second),
      },
      { overflow: "reject" },
    );
    return local.toZonedDateTime(timeZone).toInstant().toString();
  } catch {
    return value;
  }
};
