import type { Twin } from "./twin.ts";

/** Carries out a line without checking whether another request has done so. */
export const importsTwice: Twin = {
  name: "carries lines out that were carried out",
  replaced: [
    {
      file: "imports/work.ts",
      lines: `const waiting = await waitingLine(change.tx, row, line.line);
  if (waiting === undefined) return;`,
      by: "const waiting = line;",
    },
  ],
};

/** Marks a line as carried out in a separate change, after the one that does it. */
export const marksLater: Twin = {
  name: "marks lines after they were carried out",
  replaced: [
    {
      file: "imports/work.ts",
      lines: "await markLine(change.tx, line, { outcome, reason: null, subject_id: id });",
      by: "",
    },
    {
      file: "imports/work.ts",
      lines: "await organization.change((change) => carryOutWaiting(change, row, line, tools));",
      by: `await organization.change((change) => carryOutWaiting(change, row, line, tools));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const done = { outcome: "created", reason: null, subject_id: null };
    await organization.change(({ tx }) => markLine(tx, line, done));`,
    },
  ],
};
