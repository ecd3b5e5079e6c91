// The thread of xlsx.ts: reads one workbook, and ends.
import { parentPort, workerData } from "node:worker_threads";
import { unzipSync, zipSync } from "fflate";
import readWorkbook from "read-excel-file/universal";
import { reason } from "../../../contract/kit/reasons.ts";
import { lowerPriority } from "../../lib/processes.ts";
import { COLUMNS, ROWS, type SheetRow } from "./table.ts";
import type { WorkbookAnswer, WorkbookSheet } from "./xlsx.ts";

if (process.platform === "linux") lowerPriority(0, 10);

/** The limits of an unpacked workbook. */
const MEBIBYTES = 64;
const BYTES = MEBIBYTES * 1024 ** 2;
const ENTRIES = 500;
const SHEETS = 50;

const TOO_LARGE = reason("file_unpacks_too_large", { max: MEBIBYTES });

/**
 * A package's text parts. An entry is never longer than it declares, so the sum of the declared
 * sizes is the limit.
 */
const partsOf = (bytes: Uint8Array): Record<string, Uint8Array> | undefined => {
  let [entries, sum] = [0, 0];
  let isTooLarge = false;
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      const isText = /\.(?:xml|rels)$/i.test(name) && !/\/(?:media|drawings|charts)\//.test(name);
      entries += 1;
      sum += isText ? originalSize : 0;
      isTooLarge ||= entries > ENTRIES || sum > BYTES;
      return isText && !isTooLarge;
    },
  });
  return isTooLarge ? undefined : parts;
};

/** The hidden sheets. */
const hiddenIn = (workbook: Uint8Array | undefined): ReadonlySet<number> => {
  const tags = [...new TextDecoder().decode(workbook).matchAll(/<(?:\w+:)?sheet\s[^>]*>/g)];
  return new Set(tags.flatMap(([tag], at) => (/\sstate="(?:veryH|h)idden"/.test(tag) ? [at] : [])));
};

/** A date as the cell shows it: local time, without a time zone. */
const dateOf = (date: Date): string => {
  // A workbook counts days, so seconds are rounded.
  const whole = new Date(Math.round(date.getTime() / 1000) * 1000);
  const [day = "", time = ""] = whole.toISOString().split(/[TZ.]/);
  return time === "00:00:00" ? day : `${day}T${time}`;
};

const textOf = (cell: unknown): string => {
  if (cell === null || cell === undefined) return "";
  return cell instanceof Date ? dateOf(cell) : String(cell);
};

const read = async (bytes: Uint8Array): Promise<WorkbookAnswer> => {
  const parts = partsOf(bytes);
  if (parts === undefined) return { fault: TOO_LARGE };
  const hidden = hiddenIn(parts["xl/workbook.xml"]);
  // Stored without compression, so that nothing is unpacked twice.
  const stored = zipSync(parts, { level: 0 });
  const sheets = await readWorkbook(stored.buffer as ArrayBuffer, { trim: false });
  return sheets
    .filter((_, at) => !hidden.has(at))
    .slice(0, SHEETS)
    .map(
      ({ sheet, data }): WorkbookSheet => ({
        name: sheet,
        rows: data
          .map(
            (cells, at): SheetRow => ({ line: at + 1, cells: cells.slice(0, COLUMNS).map(textOf) }),
          )
          .filter(({ cells }) => cells.some((cell) => cell !== ""))
          .slice(0, ROWS),
      }),
    );
};

read(workerData as Uint8Array).then(
  (answer) => parentPort?.postMessage(answer),
  () =>
    parentPort?.postMessage({
      fault: reason("file_not_xlsx"),
    } satisfies WorkbookAnswer),
);
