import { strToU8, zipSync } from "fflate";
import type { FileContent, SheetFile } from "../../server/imports/sheets/read.ts";
import { readSheet } from "../../server/imports/sheets/read.ts";

/* Files as programs write them. */

/** Reads a file as the console sends it: as bytes. */
export const readFile = (
  content: string | Uint8Array,
  more: Partial<SheetFile> = {},
): Promise<FileContent> =>
  readSheet({
    kind: "users",
    form: "parley",
    format: "auto",
    content: typeof content === "string" ? Buffer.from(content) : content,
    ...more,
  });

/** The results of the lines of a file. */
export const givenBy = async (content: string | Uint8Array, more: Partial<SheetFile> = {}) =>
  (await readFile(content, more)).lines.map(({ given, fault }) => fault ?? given);

/** Text in UTF-16. */
export const utf16 = (text: string, isBig = false): Buffer => {
  const bytes = Buffer.from(text, "utf16le");
  return isBig ? bytes.swap16() : bytes;
};

/** Text in Windows-1252, as far as it is Latin-1. */
export const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

/** A cell of a workbook: a text, a number, a truth value, or a day as the number that Excel counts. */
export type Cell =
  | string
  | number
  | boolean
  | { readonly day: number }
  | { readonly rich: string[] };

interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly Cell[])[];
  readonly hidden?: boolean;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** An .xlsx file with shared strings, rich texts and dates, as Excel writes it. */
export const workbook = (sheets: readonly Sheet[]): Uint8Array => {
  const strings: string[] = [];
  const shared = (inner: string): number => strings.push(`<si>${inner}</si>`) - 1;
  const cellOf = (cell: Cell, at: string): string => {
    if (typeof cell === "number") return `<c r="${at}"><v>${cell}</v></c>`;
    if (typeof cell === "boolean") return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`;
    if (typeof cell === "string") {
      if (cell === "") return "";
      const index = shared(`<t xml:space="preserve">${escaped(cell)}</t>`);
      return `<c r="${at}" t="s"><v>${index}</v></c>`;
    }
    if ("day" in cell) return `<c r="${at}" s="1"><v>${cell.day}</v></c>`;
    const runs = cell.rich.map((run) => `<r><rPr><b/></rPr><t xml:space="preserve">${run}</t></r>`);
    return `<c r="${at}" t="s"><v>${shared(runs.join(""))}</v></c>`;
  };
  const sheetOf = ({ rows }: Sheet): string => {
    const data = rows.map((cells, row) => {
      const all = cells.map((cell, column) =>
        cellOf(cell, `${String.fromCharCode(65 + column)}${row + 1}`),
      );
      return `<row r="${row + 1}">${all.join("")}</row>`;
    });
    return `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${data.join("")}</sheetData></worksheet>`;
  };
  const bodies = sheets.map(sheetOf);
  const names = sheets.map(
    ({ name, hidden }, at) =>
      `<sheet name="${escaped(name)}" sheetId="${at + 1}"${hidden ? ' state="hidden"' : ""} r:id="rId${at + 1}"/>`,
  );
  const links = sheets.map(
    (_, at) =>
      `<Relationship Id="rId${at + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const types = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`;
  const parts: Record<string, string> = {
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    "_rels/.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${types}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${types}"><sheets>${names.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links.join("")}<Relationship Id="rId98" Type="${types}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId99" Type="${types}/styles" Target="styles.xml"/></Relationships>`,
    "xl/sharedStrings.xml": `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${strings.join("")}</sst>`,
    "xl/styles.xml": `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  };
  bodies.forEach((body, at) => {
    parts[`xl/worksheets/sheet${at + 1}.xml`] = body;
  });
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])),
  );
};
