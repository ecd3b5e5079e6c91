import assert from "node:assert/strict";
import { type Ask, insist } from "../world/ask.ts";

type Answer = Awaited<ReturnType<Ask>>;

/** Takes a whole with many entries back completely. @returns the last answer, with all errors */
export const undoWhole = async (ask: Ask, number: unknown): Promise<Answer> => {
  const begun = await insist(ask)("undoChange", { number });
  assert.equal(begun.status, 200, begun.text);
  const errors: unknown[] = [];
  for (;;) {
    const answer = await insist(ask)("continueUndo", { number });
    if (answer.status !== 200) return answer;
    const { undo } = answer.body;
    errors.push(...undo.errors);
    if (undo.state === "done") return { ...answer, body: { undo: { ...undo, errors } } };
  }
};
