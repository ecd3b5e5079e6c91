import type { exportHistory as contract, HistoryEntry } from "../../contract/history/history.ts";
import { csvLine } from "../../contract/kit/csv.ts";
import type { Checked } from "../../contract/kit/operation.ts";
import type { Organization } from "../change/organization.ts";
import type { HistoryRow } from "../db/history-tables.ts";
import { inPieces } from "../db/pieces.ts";
import { presentEntry, readEntries, type WantedEntries } from "./list.ts";

/** The requested entries, newest first, in pieces. */
export async function* allEntries(
  organization: Organization,
  wanted: WantedEntries,
): AsyncGenerator<readonly HistoryEntry[]> {
  const read = (last: readonly HistoryRow[] | undefined, size: number): Promise<HistoryRow[]> =>
    readEntries(organization, wanted, { before: last?.at(-1)?.number, limit: size });
  for await (const rows of inPieces(Number.POSITIVE_INFINITY, ({ length }) => length, read)) {
    yield rows.map(presentEntry);
  }
}

const columns = [
  "number",
  "at",
  "kind",
  "actorKind",
  "actorId",
  "actorName",
  "address",
  "subjectKind",
  "subjectId",
  "subjectName",
  "roomId",
  "before",
  "after",
  "undoes",
  "changeId",
  "erased",
  "partOf",
] as const;

/** An entry as a table row, with the values before and after as JSON. */
const lineOf = ({ actor, subject, before, after, ...entry }: HistoryEntry): string =>
  csvLine(columns, {
    ...entry,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    address: actor.address,
    subjectKind: subject.kind,
    subjectId: subject.id,
    subjectName: subject.name,
    roomId: subject.roomId,
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
  });

/** The requested entries as the text of a file, in pieces; newest first. */
export async function* historyFile(
  organization: Organization,
  { format, ...wanted }: Checked<typeof contract>,
): AsyncGenerator<string> {
  const [line, end] =
    format === "csv" ? [lineOf, "\r\n"] : [(entry: HistoryEntry) => JSON.stringify(entry), "\n"];
  // With the first entries, so that nothing is sent before the database has answered.
  let head = format === "csv" ? columns.join(",") + end : "";
  for await (const entries of allEntries(organization, wanted)) {
    yield head + entries.map((entry) => line(entry) + end).join("");
    head = "";
  }
  if (head !== "") yield head;
}
