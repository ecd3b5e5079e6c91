import { operations } from "../../contract/index.ts";
import { paginate } from "../../contract/kit/pages.ts";
import * as bin from "../bin/bin.ts";
import { listBin } from "../bin/list.ts";
import { changing, type Route, scoped } from "./route.ts";

const ok = { success: true } as const;
const o = operations;

export const binRoutes = (): readonly Route[] => [
  changing(o.binRooms, ({ input }) => ({
    rule: (change) => bin.binRooms(change, input.rooms, (index) => `rooms[${index}]`),
    answer: (rested) => ({ ...ok, ...rested }),
  })),
  changing(o.binUsers, ({ input }) => ({
    rule: (change) => bin.binUsers(change, input.userIds, (index) => `userIds[${index}]`),
    answer: (ids) => ({ ...ok, ids }),
  })),
  scoped(o.listBin, async ({ input, organization }) => {
    const { entries, total } = await listBin(organization, input);
    return { ...ok, entries, pagination: paginate(input, total) };
  }),
  changing(o.restoreFromBin, ({ input }) => ({
    rule: (change) => bin.restoreFromBin(change, input.ids, (index) => `ids[${index}]`),
    answer: () => ok,
  })),
  changing(o.deleteFromBin, ({ input }) => ({
    rule: (change) => bin.deleteFromBin(change, [input.id]),
    answer: () => ok,
  })),
];
