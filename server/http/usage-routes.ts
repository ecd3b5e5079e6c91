import { operations as o } from "../../contract/index.ts";
import { paginate } from "../../contract/kit/pages.ts";
import { peopleUsage, roomUsage } from "../usage/lists.ts";
import { usageOf, usageTable } from "../usage/usage.ts";
import { fileAnswer } from "./answer.ts";
import { type Route, scoped } from "./route.ts";

const ok = { success: true } as const;

/** How much the organization is used. */
export const usageRoutes = (): readonly Route[] => [
  scoped(o.getUsage, async ({ input, organization }) => ({
    ...ok,
    usage: await usageOf(organization, input),
  })),
  scoped(o.downloadUsage, ({ input, organization }) =>
    fileAnswer(usageTable(organization, input), "text/csv; charset=utf-8", "usage.csv"),
  ),
  scoped(o.listRoomUsage, async ({ input, organization }) => {
    const { rows, total } = await roomUsage(organization, input);
    return { ...ok, rooms: [...rows], pagination: paginate(input, total) };
  }),
  scoped(o.listPeopleUsage, async ({ input, organization }) => {
    const { rows, total, unusedFor } = await peopleUsage(organization, input);
    return { ...ok, people: [...rows], unusedFor, pagination: paginate(input, total) };
  }),
];
