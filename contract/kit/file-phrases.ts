/*
 * Why a file of people or rooms cannot be read: by code, the phrase after "The file" or the field's
 * name, made from the code's values.
 */

const SAVE_AS = "open it in the program that wrote it, and save it as .xlsx or as CSV (UTF-8)";

interface Name {
  readonly name: string;
}
interface Line {
  readonly line: number;
}

/** Files that are no lists, each with the advice for it. */
const otherFiles = {
  xls: "is an old Excel file (.xls), or protected by a password: open it in Excel, and save it without a password as .xlsx or as CSV (UTF-8)",
  pdf: "is a PDF, which has no rows: export the list again as .xlsx or CSV",
  compressed: "is compressed: unpack it first",
  picture: "is a picture: a list is .xlsx, CSV or JSON",
  rtf: `is a document: ${SAVE_AS}`,
  html: `is a web page or XML: ${SAVE_AS}`,
  ods: "is an OpenDocument file (.ods): save it as .xlsx or as CSV (UTF-8)",
  numbers: "is a Numbers file: export it as Excel (.xlsx) or CSV",
  xlsb: "is a binary Excel file (.xlsb): save it as .xlsx or as CSV (UTF-8)",
  zip: "is a ZIP file: unpack it first, and choose the list in it",
  binary: "is not a list of text: save it as .xlsx or as CSV (UTF-8)",
} as const;
/** The kind of a file that is no list. */
export type OtherFile = keyof typeof otherFiles;

/** The columns without which no line can be carried out. */
const missing = {
  email: "has no column with email addresses: name one Email",
  roomName: "has no column with the names of rooms: name one Name",
  name: "has no column with the names of people: name one Name, or two First name and Last name",
  roomOwnerId: "has no column with the owners of rooms: name one Owner, with their email addresses",
} as const;

export const filePhrases = {
  file_too_large: ({ max }: { readonly max: number }) =>
    `must be a file of at most ${max / 1_000_000} MB`,
  file_over: ({ max }: { readonly max: number }) =>
    `is larger than ${max / 1_000_000} MB: import it in parts`,
  file_empty: () => "has no lines",
  file_too_many_lines: ({ max }: { readonly max: number }) =>
    `has more than ${max} lines: import it in parts`,
  file_of_other_kind: ({ kind }: { readonly kind: OtherFile }) => otherFiles[kind],
  file_not_in_encoding: ({ encoding }: { readonly encoding: string }) =>
    `is not ${encoding}: choose another encoding`,
  file_encoding_uncertain: () =>
    "has letters whose encoding is not certain: save it as CSV (UTF-8), or choose its encoding",
  file_quotes_in_cell: ({ line }: Line) =>
    `cannot be read as CSV: the quotation marks that begin on line ${line} do not end before a cell ends; write a quotation mark in a cell twice`,
  file_quote_open: ({ line }: Line) =>
    `cannot be read as CSV: the quotation mark with which a cell begins on line ${line} is never closed`,
  file_not_csv: ({ why }: { readonly why: string }) => `cannot be read as CSV: ${why}`,
  file_not_json: () => "cannot be read as JSON",
  file_not_list: () => "must be a JSON array of objects, an object with one, or an object a line",
  file_not_xlsx: () => "cannot be read as .xlsx: open it in a spreadsheet, and save it again",
  file_not_bytes: () => "must be the bytes of an .xlsx file",
  file_holds_too_much: () => "holds too much to be read: copy the list into a workbook of its own",
  file_unpacks_too_large: ({ max }: { readonly max: number }) =>
    `holds more than ${max} MB: copy the list into a workbook of its own`,
  file_without_sheet: ({ name }: { readonly name?: string }) =>
    name === undefined ? "has no sheet that can be seen" : `has no sheet ${JSON.stringify(name)}`,
  file_without_headings: () => "must have a heading with the names of the fields",
  file_column_twice: ({ name }: Name) => `has the column ${JSON.stringify(name)} twice`,
  file_unknown_field: ({ name }: Name) => `has no field ${JSON.stringify(name)} to fill`,
  file_too_many_assigned: (values: { readonly columns: number; readonly assigned: number }) =>
    `has ${values.columns} columns, and ${values.assigned} were assigned`,
  file_without_column: ({ column }: { readonly column: keyof typeof missing }) => missing[column],
  form_without_people: ({ form }: { readonly form: string }) =>
    `${form} has no documented file of people: use parley`,
};
