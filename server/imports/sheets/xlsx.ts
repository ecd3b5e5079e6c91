import { Worker } from "node:worker_threads";
import type { ImportKind } from "../../../contract/imports/imports.ts";
import { type Reason, reason } from "../../../contract/kit/reasons.ts";
import { uncounted } from "../../db/deadline.ts";
import { takeTurns } from "../../lib/turns.ts";
import { FileFault, refuseFile } from "./fault.ts";
import { knownHeading } from "./headings.ts";
import type { SheetRow } from "./table.ts";

/*
 * Workbooks are read in a thread, one at a time, in which organizations take turns. Time and memory
 * are limited, because a small file can hold very much.
 */

/** A sheet of a workbook, each cell as a text. */
export interface WorkbookSheet {
  readonly name: string;
  readonly rows: readonly SheetRow[];
}

/** The thread's answer: the visible sheets, or why there are none. */
export type WorkbookAnswer = readonly WorkbookSheet[] | { readonly fault: Reason };

const WHOLE_MS = 20_000;
const MEMORY_MB = 256;
const TOO_MUCH = reason("file_holds_too_much");
const file = new URL("./xlsx-thread.ts", import.meta.url);
const turns = takeTurns(1, 50);

const ask = (bytes: Uint8Array): Promise<WorkbookAnswer> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(file, {
      workerData: bytes,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32 },
    });
    const timer = setTimeout(() => end(() => reject(new FileFault(TOO_MUCH))), WHOLE_MS);
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      settle();
      void thread.terminate();
    };
    thread.once("message", (answer: WorkbookAnswer) => end(() => resolve(answer)));
    thread.once("error", () => end(() => reject(new FileFault(TOO_MUCH))));
    thread.once("exit", () => end(() => reject(new FileFault(TOO_MUCH))));
  });

/** How many headings in the first rows are known. */
const knownIn = (kind: ImportKind, { rows }: WorkbookSheet): number =>
  Math.max(
    0,
    ...rows
      .slice(0, 15)
      .map(
        ({ cells }) =>
          cells.slice(0, 200).filter((cell) => knownHeading(kind, String(cell))).length,
      ),
  );

/**
 * The rows of one sheet: the named one, otherwise the first with the most known headings.
 *
 * @param whose different owners take turns
 * @throws FileFault if it cannot be read
 */
export const readWorkbook = async (
  kind: ImportKind,
  bytes: Uint8Array,
  wanted: string | undefined,
  whose: string,
): Promise<{
  readonly rows: readonly SheetRow[];
  readonly sheet: string;
  readonly sheets: readonly string[];
}> => {
  const answer = await uncounted(() => turns.run(whose, () => ask(bytes)));
  if ("fault" in answer) throw new FileFault(answer.fault);
  const sheets = answer.map(({ name }) => name);
  const fitting = answer
    .map((sheet) => ({ sheet, known: knownIn(kind, sheet) }))
    .toSorted((one, other) => other.known - one.known)[0]?.sheet;
  const chosen = wanted === undefined ? fitting : answer.find(({ name }) => name === wanted);
  if (chosen === undefined) {
    return refuseFile("file_without_sheet", wanted === undefined ? {} : { name: wanted });
  }
  return { rows: chosen.rows, sheet: chosen.name, sheets };
};
