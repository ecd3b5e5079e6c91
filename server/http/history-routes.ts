import { operations } from "../../contract/index.ts";
import { paginate } from "../../contract/kit/pages.ts";
import { historyFile } from "../history/export.ts";
import { listHistory } from "../history/list.ts";
import { continueUndo } from "../undo/pieces.ts";
import { undoChange } from "../undo/undo.ts";
import { fileAnswer } from "./answer.ts";
import { changing, type Route, scoped } from "./route.ts";

const ok = { success: true } as const;
const o = operations;

export const historyRoutes = (): readonly Route[] => [
  scoped(o.listHistory, async ({ input, organization }) => {
    const { entries, total } = await listHistory(organization, input);
    return { ...ok, entries, pagination: paginate(input, total) };
  }),
  scoped(o.exportHistory, ({ input, organization }) => {
    const type = input.format === "csv" ? "text/csv; charset=utf-8" : "application/jsonl";
    return fileAnswer(historyFile(organization, input), type, `history.${input.format}`);
  }),
  changing(o.undoChange, ({ input }) => ({
    rule: (change) => undoChange(change, input),
    answer: ({ undone, left }) => ({ ...ok, undone: [...undone], left }),
  })),
  scoped(o.continueUndo, async ({ input, organization }) => ({
    ...ok,
    undo: await continueUndo(organization, input),
  })),
];
