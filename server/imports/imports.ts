import { ALL_LINES, type readImport as contract } from "../../contract/imports/imports.ts";
import { emailKey } from "../../contract/kit/fields.ts";
import type { Reply } from "../../contract/kit/operation.ts";
import { type Reason, reason } from "../../contract/kit/reasons.ts";
import { firstNumber } from "../change/history.ts";
import { type Change, type Organization, timeAfter } from "../change/organization.ts";
import { demandProof } from "../change/proof.ts";
import type { ImportRow, LineRow } from "../db/import-tables.ts";
import { uuid7 } from "../lib/id.ts";
import { Refusal, refuse, refuseField } from "../lib/refusal.ts";
import { storedReasons } from "../records/import-reasons.ts";
import { erasedUntil } from "../users/forget-imports.ts";
import { type Assigned, rememberColumns, rememberedColumns } from "./columns.ts";
import { refuseWithoutNames } from "./needed.ts";
import { FileFault } from "./sheets/fault.ts";
import type { Given } from "./sheets/given.ts";
import { type FileContent, type FileLine, readSheet, type SheetFile } from "./sheets/read.ts";
import { addLines, importOf, setImport, settleWithoutChange } from "./stored.ts";

/*
 * An import is a file that is kept with its lines (0037). Nothing runs in the background: each
 * request of the client checks or carries out lines for a moment. Every line is a change of its
 * own, by the rules that create and edit, and is marked in it, so it is carried out exactly once. A
 * check is the same change, rolled back.
 */

/** The longest name of a line. */
const NAME = 254;

const nameOf = (kind: ImportRow["kind"], { email, name, room }: Given): string =>
  String((kind === "users" ? email : (name ?? room)) ?? "").slice(0, NAME);

/** The values that must be unique among the lines of a file. */
const keysOf = (kind: ImportRow["kind"], { id, email, room }: Given): readonly string[] =>
  kind === "users"
    ? [
        ...(typeof id === "string" ? [`id ${id}`] : []),
        ...(typeof email === "string" ? [`email ${emailKey(email) ?? email}`] : []),
      ]
    : room === undefined
      ? []
      : [`room ${String(room).trim()}`];

/** Finds the fault of a line that is about the same person or room as an earlier one. */
const repeated = (kind: ImportRow["kind"]): ((line: FileLine) => Reason | undefined) => {
  const seen = new Map<string, number>();
  return ({ given, line }) => {
    const keys = keysOf(kind, given);
    const first = keys.find((key) => seen.has(key));
    for (const key of keys) if (!seen.has(key)) seen.set(key, line);
    if (first === undefined) return undefined;
    return reason("same_as_line", {
      line: seen.get(first) ?? 0,
      key: first.split(" ", 1)[0] ?? "",
    });
  };
};

/** A file as it was uploaded: text, or bytes in base64. */
export interface UploadedFile extends Omit<SheetFile, "content" | "whose"> {
  readonly text?: string | undefined;
  readonly file?: string | undefined;
}

/** @throws Refusal on `text` or `file`, or on `form` */
const readUploaded = async (
  { id: whose }: Pick<Organization, "id">,
  { text, file, ...rest }: UploadedFile,
): Promise<FileContent> => {
  const { form, kind } = rest;
  if (kind === "users" && (form === "bigbluebutton" || form === "jitsi")) {
    refuseField("form", "form_without_people", { form });
  }
  const content = file === undefined ? (text ?? "") : Buffer.from(file, "base64");
  try {
    return await readSheet({ ...rest, content, whose });
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const field = file === undefined ? "text" : "file";
    throw new Refusal("invalid_input", [{ field, reason: error.reason }]);
  }
};

/** How a file is read. */
type FileLook = Omit<Reply<typeof contract>, "success">;

/**
 * Reads a file without storing it, with remembered columns.
 *
 * @throws Refusal on `text` or `file`
 */
export const lookAtFile = async (
  organization: Organization,
  file: UploadedFile,
): Promise<FileLook> => {
  const first = await readUploaded(organization, file);
  const columns = await rememberedColumns(organization, file.kind, first.headings);
  const fits = columns !== undefined && columns.length <= first.headings.length;
  const content = fits ? await readUploaded(organization, { ...file, columns }) : first;
  const { facts, lines, missing, hasHeadings, sheets } = content;
  return {
    read: facts,
    lines: lines.length,
    columns: [...content.columns],
    missing: [...missing],
    hasHeadings,
    sheets: [...sheets],
    remembered: fits,
  };
};

/** The rule that stores an import and returns its row. */
export interface NewImport {
  readonly rule: (change: Change) => Promise<ImportRow>;
}

/** The column that every line needs: a file without it is refused as a whole. */
const MISSING = { users: "email", rooms: "roomName" } as const;

/**
 * Reads a file and prepares the change that stores it with its lines.
 *
 * @throws Refusal on `text` or `file`
 */
export const prepareImport = async (
  organization: Pick<Organization, "id">,
  { name, ...file }: UploadedFile & { readonly name: string },
): Promise<NewImport> => {
  const content = await readUploaded(organization, file);
  const { lines, ignored, facts, missing } = content;
  const field = file.file === undefined ? "text" : "file";
  if (missing.length > 0) refuseField(field, "file_without_column", { column: MISSING[file.kind] });
  const id = uuid7();
  const repeats = repeated(file.kind);
  const rows = lines.map((one): LineRow => {
    const fault = one.fault ?? repeats(one);
    return {
      import_id: id,
      line: one.line,
      name: nameOf(file.kind, one.given),
      given: JSON.stringify(one.given),
      plan: fault === undefined ? null : "refuse",
      outcome: null,
      reason: fault === undefined ? null : storedReasons([{ field: "", reason: fault }]),
      subject_id: null,
      changes: null,
    };
  });
  return {
    rule: async (change) => {
      const { tx, organization } = change;
      await refuseWithoutNames(change, file.kind, content, field);
      const columns: Assigned | undefined = file.columns;
      if (columns !== undefined) {
        await rememberColumns(change, file.kind, content.headings, columns);
      }
      const row: ImportRow = {
        id,
        organization_id: organization.id,
        kind: file.kind,
        form: file.form,
        name,
        state: "checking",
        mode: null,
        emails: false,
        entry: null,
        planned: 0,
        lines: rows.length,
        ignored: JSON.stringify(ignored),
        read: JSON.stringify(facts),
        created_at: timeAfter(change, await erasedUntil(change)),
        ended_at: null,
      };
      await tx.insertInto("imports").values(row).execute();
      await addLines(tx, rows);
      return row;
    },
  };
};

/**
 * Confirms an import: its lines may be carried out.
 *
 * @throws Refusal `import_not_found`, `import_not_ready`, `proof_needed` for people, `import_refuses`, `import_too_long`
 */
export const confirmImport = async (
  change: Change,
  {
    importId,
    mode,
    emails,
  }: { readonly importId: string; readonly mode: "all" | "possible"; readonly emails: boolean },
): Promise<ImportRow> => {
  const { tx, organization } = change;
  const row = await importOf(tx, organization.id, importId);
  if (row.state !== "ready") refuse("import_not_ready");
  // Anybody who opens it carries out its lines: their proof does not count for this decision.
  if (row.kind === "users") demandProof(change);
  if (mode === "all") {
    if (row.lines > ALL_LINES) refuse("import_too_long");
    const refused = await tx
      .selectFrom("import_lines")
      .select("line")
      .where("import_id", "=", importId)
      .where("plan", "=", "refuse")
      .limit(1)
      .executeTakeFirst();
    if (refused) refuse("import_refuses");
  }
  await settleWithoutChange(tx, importId);
  // Stands for the lines, which have changes of their own.
  const entry = firstNumber(change);
  change.happened({
    kind: "imported",
    subject: { kind: "organization", id: organization.id, name: organization.name },
    after: { kind: row.kind, lines: Number(row.lines), mode, emails },
  });
  return setImport(tx, row, { state: "running", mode, emails, entry });
};

/** Forgets an import with its lines. @throws Refusal `import_not_found` */
export const removeImport = async ({ tx, organization }: Change, id: string): Promise<void> => {
  await importOf(tx, organization.id, id);
  await tx.deleteFrom("imports").where("id", "=", id).execute();
};
