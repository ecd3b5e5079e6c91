import { parley } from "./client.ts";

/** The progress of undoing a change with very many entries. */
export type UndoProgress = Awaited<ReturnType<typeof parley.continueUndo>>["undo"];

/**
 * Undoes a change; one with very many entries in pieces, because the service continues only on
 * request.
 *
 * @param onMoved receives the progress after each piece
 * @returns how many entries stay as they are, because they changed meanwhile
 */
export const takeBack = async (
  number: number,
  signal: AbortSignal,
  onMoved: (undoing: UndoProgress) => void,
): Promise<number> => {
  const { left } = await parley.undoChange({ number });
  if (left === 0) return 0;
  for (;;) {
    const { undo } = await parley.continueUndo({ number }, { signal });
    onMoved(undo);
    if (undo.state === "done") return undo.stayed;
  }
};

/** The address of a room's history, including that of its recordings. */
export const historyOfRoom = (id: string): string => `/history?roomId=${encodeURIComponent(id)}`;

/** The address of a person's history: what they did, and what was done to their account. */
export const historyOfPerson = (id: string): string =>
  `/history?personId=${encodeURIComponent(id)}`;
