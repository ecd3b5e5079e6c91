import { isByWeekday, type Weekday, weekdays } from "../../contract/kit/plain.ts";
import { daysOf, MOST_DATES } from "../../contract/schedule/days.ts";
import { MOST_INVITED, type Schedule } from "../../contract/schedule/schedule.ts";
import { fromLocal, showList, shownZone, showSentences, toLocal } from "../kit/show.ts";
import { t } from "../texts/index.ts";

const texts = t.schedule;

type Repetition = NonNullable<Schedule["repetition"]>;
export type Invited = Schedule["people"][number];

/** A schedule as the form holds it. */
export interface ScheduleValues {
  readonly name: string;
  readonly roomAgenda: string;
  /** A date and time as clocks in the time zone show it. */
  readonly startsAt: string;
  readonly timeZone: string;
  readonly minutes: number;
  readonly repetition: Repetition["every"] | "never";
  readonly days: readonly Weekday[];
  readonly ends: "until" | "count";
  readonly until: string;
  readonly count: number | string;
  readonly userIds: readonly Invited[];
  readonly emails: readonly string[];
}

const HOUR_MS = 3_600_000;

/** A day some days later, as date fields have it. */
const later = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00Z`) + days * 24 * HOUR_MS).toISOString().slice(0, 10);

/** The day of the week of a date and time. */
export const weekdayOfLocal = (local: string): Weekday => {
  const day = new Date(`${local.slice(0, 10)}T00:00Z`).getUTCDay();
  return weekdays[(day + 6) % 7] ?? "monday";
};

/** A lesson of an hour that begins with the next whole hour, or at the room's date. */
export const newSchedule = (at: string | null = null): ScheduleValues => {
  const timeZone = shownZone();
  const next = new Date(Math.ceil((Date.now() + 1) / HOUR_MS) * HOUR_MS).toISOString();
  const startsAt = toLocal(at ?? next, timeZone);
  return {
    name: "",
    roomAgenda: "",
    startsAt,
    timeZone,
    minutes: 60,
    ...({ repetition: "never", days: [], ends: "until", count: 10 } as const),
    until: later(startsAt.slice(0, 10), 84),
    userIds: [],
    emails: [],
  };
};

/** The values of the form for a room's schedule. */
export const valuesOfSchedule = (schedule: Schedule): ScheduleValues => {
  const { startsAt, timeZone, minutes, repetition, people, emails } = schedule;
  const fresh = newSchedule(startsAt);
  return {
    ...fresh,
    timeZone,
    minutes,
    userIds: people,
    emails,
    startsAt: toLocal(startsAt, timeZone),
    ...(repetition !== null && {
      repetition: repetition.every,
      days: repetition.days,
      ends: repetition.until === null ? "count" : "until",
      until: repetition.until ?? fresh.until,
      count: repetition.count ?? fresh.count,
    }),
  };
};

/** The moment at which the first date begins. */
export const firstMomentOf = ({
  startsAt,
  timeZone,
}: Pick<ScheduleValues, "startsAt" | "timeZone">) => fromLocal(startsAt, timeZone) ?? undefined;

/** The moment at which the last date begins. */
const lastMomentOf = (values: ScheduleValues): string | undefined => {
  const { startsAt, timeZone, repetition, days, ends, until, count } = values;
  if (repetition === "never") return firstMomentOf(values);
  const [day = "", time] = startsAt.split("T");
  const first = weekdayOfLocal(startsAt);
  const last = daysOf(day, {
    every: repetition,
    days: isByWeekday(repetition) ? [...days, first] : [],
    until: ends === "until" ? until : null,
    count: ends === "count" ? Math.min(Number(count), MOST_DATES) : null,
  }).at(-1);
  return firstMomentOf({ startsAt: `${last}T${time}`, timeZone });
};

/** Returns whether the dates are over. A series is not over as long as one of its dates comes. */
const isOver = (values: ScheduleValues, saved: string | undefined): boolean => {
  const moment = firstMomentOf(values);
  if (moment === undefined || moment === saved) return false;
  const decisive = saved === undefined ? moment : (lastMomentOf(values) ?? moment);
  return Date.parse(decisive) <= Date.now();
};

/** The errors before anything is sent, by field. @param saved the start of the dates that are changed */
export const faultsOf = (
  values: ScheduleValues,
  isNew: boolean,
  saved?: string,
): Readonly<Record<string, string>> => {
  const { repetition, startsAt, ends, until, count } = values;
  const moment = firstMomentOf(values);
  const repeats = repetition !== "never";
  const day = startsAt.slice(0, 10);
  const number = Number(count);
  const isCount = Number.isInteger(number) && number >= 2 && number <= MOST_DATES;
  const isWeekend = ["saturday", "sunday"].includes(weekdayOfLocal(startsAt));
  const faults = [
    ["name", isNew && values.name.trim() === "", texts.errors.name],
    ["startsAt", moment === undefined, texts.errors.startsAt],
    ["startsAt", isOver(values, saved), texts.errors.past],
    ["repetition", repetition === "weekday" && isWeekend, texts.errors.weekend],
    ["until", repeats && ends === "until" && (until === "" || until < day), texts.errors.until],
    ["count", repeats && ends === "count" && !isCount, texts.errors.count],
    [
      "emails",
      Math.max(values.emails.length, values.userIds.length) > MOST_INVITED,
      texts.errors.tooMany(MOST_INVITED),
    ],
  ] as const;
  return Object.fromEntries(
    faults.flatMap(([field, isWrong, text]) => (isWrong ? [[field, text]] : [])),
  );
};

/** How a schedule repeats, in words. */
export const sayRepetition = (
  repetition: Schedule["repetition"],
  showDay: (day: string) => string,
) => {
  if (repetition === null) return texts.once;
  const { every, days, until, count } = repetition;
  const last = until === null ? "" : showDay(`${until}T12:00:00Z`);
  const ends = [until === null ? "count" : "until", last, count ?? 0] as const;
  return every === "week" || every === "twoWeeks"
    ? texts.repeats[every](showList(days.map((day) => texts.onDays[day])), ...ends)
    : texts.repeats[every](...ends);
};

const idsOf = ({
  userIds,
  emails,
}: Pick<ScheduleValues, "userIds" | "emails">): readonly string[] => [
  ...userIds.map(({ userId }) => userId),
  ...emails.map((email) => email.toLowerCase()),
];

/** The emails that a change of a schedule sends, in sentences. */
export const saySent = (saved: ScheduleValues, values: ScheduleValues): string => {
  const [before, after] = [idsOf(saved), idsOf(values)];
  const dates = ({
    name: _,
    roomAgenda: __,
    userIds: ___,
    emails: ____,
    ...rest
  }: ScheduleValues) => JSON.stringify(rest);
  const kept = after.filter((id) => before.includes(id)).length;
  const counts = [
    [after.length - kept, texts.sends.invitations],
    [dates(saved) === dates(values) ? 0 : kept, texts.sends.updates],
    [before.length - kept, texts.sends.cancellations],
  ] as const;
  const said = counts.flatMap(([count, say]) => (count > 0 ? [say(count)] : []));
  return said.length === 0 ? texts.sends.nothing : showSentences(said);
};
