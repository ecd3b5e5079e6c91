import { CONTROL } from "../../contract/kit/plain.ts";

const EVERY = new RegExp(CONTROL, "gu");
/**
 * The codes with which `styleText` begins and ends a style; or a control character other than a
 * line end.
 */
const STYLE_OR_CONTROL = new RegExp(`\\x1b\\[\\d{1,2}m|(?!\\n)${CONTROL.source}`, "gu");

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * A text for one line of a terminal: somebody else may have written it. Characters that control the
 * terminal, end the line or turn its direction are shown as codes.
 */
export const printable = (text: string): string => text.replace(EVERY, escaped);

/** A command's whole output: lines that may have styles of their own. */
export const printableLines = (text: string): string =>
  text.replace(STYLE_OR_CONTROL, (found) => (found.length > 1 ? found : escaped(found)));

/** The same as JSON, for a program or a terminal. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    new RegExp(`(?!\\n)${CONTROL.source}`, "gu"),
    escaped,
  );
