import type { UsageStep } from "../../contract/organization/usage.ts";

/** A part of the requested time; it ends where the next one begins. */
export interface Period {
  /** Its first day, in the time zone. */
  readonly day: string;
  readonly from: string;
  readonly to: string;
}

/** The requested days in the time zone, both ends included. */
export interface Days {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
}

/** The days of a request. */
export interface AskedDays {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly timeZone: string;
}

/** The default number of days. */
const USUAL_DAYS = 30;

/** The requested days, by default the last 30. */
export const askedDaysOf = (
  { from, to, timeZone }: AskedDays,
  today = Temporal.Now.plainDateISO(timeZone),
): Days => {
  const last = to ?? (from !== undefined && from > today.toString() ? from : today.toString());
  const first = Temporal.PlainDate.from(last).subtract({ days: USUAL_DAYS - 1 });
  return { from: from ?? first.toString(), to: last, timeZone };
};

/** The number of days. */
export const dayCountOf = ({ from, to }: Days): number =>
  Temporal.PlainDate.from(from).until(to, { largestUnit: "days" }).days + 1;

/** When a day begins in a time zone: not at midnight if the clocks change then. */
const startOf = (day: Temporal.PlainDate, timeZone: string): string =>
  new Date(day.toZonedDateTime(timeZone).epochMilliseconds).toISOString();

/** The first day of the period after a day's; weeks begin on Monday. */
const nextOf = (day: Temporal.PlainDate, by: UsageStep): Temporal.PlainDate => {
  if (by === "day") return day.add({ days: 1 });
  if (by === "week") return day.add({ days: 8 - day.dayOfWeek });
  return day.with({ day: 1 }).add({ months: 1 });
};

/** The requested days in periods; the first and the last may be shorter. */
export const periodsOf = ({ from, to, timeZone }: Days, by: UsageStep): readonly Period[] => {
  const end = Temporal.PlainDate.from(to).add({ days: 1 });
  const periods: Period[] = [];
  let day = Temporal.PlainDate.from(from);
  while (Temporal.PlainDate.compare(day, end) < 0) {
    const following = nextOf(day, by);
    const next = Temporal.PlainDate.compare(following, end) < 0 ? following : end;
    periods.push({
      day: day.toString(),
      from: startOf(day, timeZone),
      to: startOf(next, timeZone),
    });
    day = next;
  }
  return periods;
};
