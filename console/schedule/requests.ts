import type { Input } from "../../contract/kit/operation.ts";
import { isByWeekday } from "../../contract/kit/plain.ts";
import type { editSchedule, Schedule } from "../../contract/schedule/schedule.ts";
import { asTyped } from "../kit/form.ts";
import { firstMomentOf, type ScheduleValues } from "./schedule-values.ts";

const repetitionOf = (values: ScheduleValues) => {
  const { repetition: every, days, ends, until, count } = values;
  if (every === "never") return null;
  return {
    every,
    ...(isByWeekday(every) && { days: [...days] }),
    ...(ends === "until" ? { until } : { count: Number(count) }),
  };
};

/** The body of the request. */
export const scheduling = (roomId: string, values: ScheduleValues): Input<typeof editSchedule> => ({
  roomId,
  startsAt: firstMomentOf(values) ?? null,
  timeZone: values.timeZone,
  minutes: values.minutes,
  repetition: repetitionOf(values),
  userIds: values.userIds.map(({ userId }) => userId),
  emails: asTyped([...values.emails]),
});

/** The body of the request that gives another room the dates of a schedule, to which nobody is invited. */
export const copied = (
  roomId: string,
  { startsAt, timeZone, minutes, repetition }: Schedule,
): Input<typeof editSchedule> => {
  const { until = null, count = null } = repetition ?? {};
  const ends = until ? { until } : { count: count ?? undefined };
  return {
    roomId,
    startsAt,
    timeZone,
    minutes,
    ...(repetition && { repetition: { every: repetition.every, days: repetition.days, ...ends } }),
  };
};
