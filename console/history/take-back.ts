import { parley } from "../data/client.ts";

/** How far something of very many entries is taken back. */
export type Undoing = Awaited<ReturnType<typeof parley.continueUndo>>["undo"];

/**
 * Takes a change back; one of very many entries in pieces, which nobody goes on with but who asks.
 *
 * @param onMoved gets how far it is after each piece
 * @returns how many entries stay, because they changed meanwhile
 */
export const takeBack = async (
  number: number,
  signal: AbortSignal,
  onMoved: (undoing: Undoing) => void,
): Promise<number> => {
  const { left } = await parley.undoChange({ number });
  if (left === 0) return 0;
  for (;;) {
    const { undo } = await parley.continueUndo({ number }, { signal });
    onMoved(undo);
    if (undo.state === "done") return undo.stayed;
  }
};
