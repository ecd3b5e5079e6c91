import { z } from "zod";
import { choice, flag, textField } from "../kit/fields.ts";
import { says } from "../kit/reasons.ts";

/*
 * How files of people and rooms are read: what is recognized, and a request's options. Parley's
 * own; the reader is server/imports/sheets.
 */

/** The most bytes of a file. */
export const FILE_BYTES = 1_000_000;
/** The largest body with a file: its bytes as base64, and the JSON around them. */
export const FILE_BODY_BYTES = 1.5 * 1024 ** 2;
/** The most columns that can be assigned; further ones are skipped. */
export const SHEET_COLUMNS = 500;

export const fileFormats = ["csv", "json", "xlsx"] as const;
export type FileFormat = (typeof fileFormats)[number];

/** The selectable encodings; the first five are recognized. */
export const fileEncodings = [
  ...(["utf-8", "utf-16le", "utf-16be", "windows-1252", "macintosh", "windows-1250"] as const),
  ...(["windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1256"] as const),
  ...(["windows-1257", "windows-1258", "iso-8859-2", "iso-8859-15", "koi8-r"] as const),
  ...(["shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"] as const),
] as const;
export type FileEncoding = (typeof fileEncodings)[number];

/** Why a line is skipped. */
export const skipReasons = [
  ...(["title", "comment", "heading", "example", "total", "note", "bot"] as const),
] as const;
export type SkipReason = (typeof skipReasons)[number];

/** The products whose files are recognized. */
export const products = [
  ...(["entra", "google", "slack", "zoom", "moodle", "keycloak", "pilos"] as const),
  ...(["greenlight", "bigbluebutton", "jitsi", "nextcloud"] as const),
] as const;
export type Product = (typeof products)[number];

/** How a file was read. */
export const readFacts = z
  .strictObject({
    format: z.enum(fileFormats),
    /** null for .xlsx, and for a file sent as text. */
    encoding: z.enum(fileEncodings).nullable(),
    /** null if it is not CSV. */
    delimiter: z.string().nullable(),
    sheet: z.string().nullable(),
    product: z.enum(products).nullable(),
    /** The skipped lines, at most 100. */
    skipped: z.array(z.strictObject({ line: z.int(), why: z.enum(skipReasons) })),
  })
  .meta({ title: "ReadFacts" });
export type ReadFacts = z.output<typeof readFacts>;

/** A column of a file. */
export const sheetColumn = z
  .strictObject({
    heading: z.string(),
    /** The field that it fills; null if it is skipped. */
    field: z.string().nullable(),
    /** True if the heading is known; a known column may be skipped on purpose. */
    known: z.boolean(),
    examples: z.array(z.string()),
  })
  .meta({ title: "SheetColumn" });
export type SheetColumn = z.output<typeof sheetColumn>;

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/** A request's options for a file. */
export const readingInput = {
  file: z
    .base64({ error: says("not_base64") })
    .max(Math.ceil(FILE_BYTES / 3) * 4, { error: says("file_too_large", { max: FILE_BYTES }) })
    .optional()
    .describe("The bytes of the file as base64, instead of text: CSV, JSON or .xlsx."),
  encoding: choice(fileEncodings)
    .optional()
    .describe("The encoding of the file; recognized if it is not given."),
  sheet: textField(200)
    .optional()
    .describe(
      "The name of the sheet of an .xlsx file; otherwise the first one with known headings.",
    ),
};

/** The time zone of the file's times. */
export const timeZoneInput = textField(64)
  .refine(isTimeZone, {
    error: says("not_time_zone"),
    when: ({ issues }) => issues.length === 0,
  })
  .optional()
  .describe(
    "The time zone of dates that have none, such as Europe/Oslo; otherwise they are refused.",
  );

/** The assigned columns. */
export const columnsInput = z
  .array(textField(64).nullable(), { error: says("not_list", { of: "text" }) })
  .max(SHEET_COLUMNS, { error: says("too_many", { max: SHEET_COLUMNS, of: "entries" }) })
  .optional()
  .describe(
    "For each column of the file in order the field that it fills, null to skip it; recognized by the headings if it is not given.",
  );

export const headlessInput = flag()
  .default(false)
  .describe("Whether the file has no headings: its first line is a person or a room.");
