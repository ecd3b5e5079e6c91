import { operations as o } from "../../contract/index.ts";
import { paginate } from "../../contract/kit/pages.ts";
import { editSchedule } from "../schedule/edit.ts";
import { calendarFile, fetchSchedule, listComing, presentSchedule } from "../schedule/read.ts";
import { fileAnswer } from "./answer.ts";
import { changing, type Route, type Service, scoped } from "./route.ts";

const ok = { success: true } as const;

/** When rooms are used, who is invited, and what is next. */
export const scheduleRoutes = ({ config }: Pick<Service, "config">): readonly Route[] => [
  scoped(o.fetchSchedule, async ({ input, organization }) => ({
    ...ok,
    schedule: await fetchSchedule(organization, config, input.id),
  })),
  changing(o.editSchedule, ({ input, note }) => ({
    rule: async (change) =>
      presentSchedule(change.tx, config, await editSchedule(change, input, note)),
    answer: (schedule) => ({ ...ok, schedule }),
  })),
  scoped(o.listComing, async ({ input, organization }) => {
    const { dates, total } = await listComing(organization, input);
    return { ...ok, dates, pagination: paginate(input, total) };
  }),
  scoped(o.downloadSchedule, async ({ input, organization }) => {
    const text = await calendarFile(organization, config, input.id);
    const pieces = async function* () {
      yield text;
    };
    return fileAnswer(pieces(), "text/calendar; charset=utf-8", "meeting.ics");
  }),
];
