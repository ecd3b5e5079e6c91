import type { Twin } from "./twin.ts";

/** Takes a change back without checking what it touched: even a second time, and over others' changes. */
export const looksAway: Twin = {
  name: "does not look whether something changed since",
  replaced: [{ file: "undo/undo.ts", lines: "if (changed.length > 0) {", by: "if (false) {" }],
};

/** Records progress after a piece of a whole was taken back, in a separate change. */
export const movesOnLater: Twin = {
  name: "moves on after a piece in a change of its own",
  replaced: [
    { file: "undo/pieces.ts", lines: "await moveOn(change, row, rows, kept);", by: "" },
    {
      file: "undo/pieces.ts",
      lines: "else errors.push(...(await takePieceBack(organization, number)));",
      by: `else {
        errors.push(...(await takePieceBack(organization, number)));
        await new Promise((resolve) => setTimeout(resolve, 10_000));
        await organization.change(async (change) => {
          const row = await undoingOf(change.tx, organization.id, number);
          await moveOn(change, row, await nextParts(change, row, UNDO_PIECE), 0);
        });
      }`,
    },
  ],
};
