import type { FileEncoding } from "../../../contract/imports/sheets.ts";
import type { OtherFile } from "../../../contract/kit/file-phrases.ts";
import { refuseFile } from "./fault.ts";

/*
 * Recognizes a file's type and the encoding of its text. It does not guess: a file of unknown
 * letters is refused, so no replacement character is ever stored.
 */

/** How other files begin. */
const others: readonly (readonly [RegExp, OtherFile])[] = [
  [/^\xd0\xcf\p{Cc}\xe0/u, "xls"],
  [/^%PDF/, "pdf"],
  [/^\p{Cc}\x8b|^Rar!|^7z\xbc\xaf|^BZh/u, "compressed"],
  [/^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF)/, "picture"],
  [/^\{\\rtf/, "rtf"],
  [/^\s*(?:<!doctype|<html|<table|<\?xml)/i, "html"],
];

/** The type of a package (a ZIP file), by its content. */
const packages: readonly (readonly [RegExp, OtherFile])[] = [
  [/application\/vnd\.oasis\.opendocument/, "ods"],
  [/Index\/(?:Document|Tables|CalculationEngine)/, "numbers"],
  [/xl\/workbook\.bin/, "xlsb"],
];

const refuseKind = (kind: OtherFile): never => refuseFile("file_of_other_kind", { kind });

const latin1 = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.subarray(from, to)).toString("latin1");

/** Returns whether the bytes are an .xlsx file. @throws FileFault for other files that are not text */
export const isWorkbook = (bytes: Uint8Array): boolean => {
  const start = latin1(bytes, 0, 512);
  for (const [pattern, kind] of others) if (pattern.test(start)) refuseKind(kind);
  if (!start.startsWith("PK\x03\x04")) return false;
  const whole = latin1(bytes, 0, bytes.length);
  for (const [pattern, kind] of packages) if (pattern.test(whole)) refuseKind(kind);
  if (whole.includes("xl/workbook.xml")) return true;
  return refuseKind("zip");
};

interface Decoded {
  readonly text: string;
  readonly encoding: FileEncoding;
}

const decode = (bytes: Uint8Array, encoding: string): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** The share of zero bytes at even and at odd places: UTF-16 has them on one side. */
const zeroSides = (bytes: Uint8Array): readonly [number, number] => {
  const pairs = Math.min(bytes.length >> 1, 2048);
  let even = 0;
  let odd = 0;
  for (let at = 0; at < pairs * 2; at += 2) {
    if (bytes[at] === 0) even += 1;
    if (bytes[at + 1] === 0) odd += 1;
  }
  return pairs === 0 ? [0, 0] : [even / pairs, odd / pairs];
};

/** The encoding by its byte order mark, or by the zeros of UTF-16 without one. */
const wideOf = (bytes: Uint8Array): FileEncoding | undefined => {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe && !(third === 0 && fourth === 0)) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const [even, odd] = zeroSides(bytes);
  if (odd > 0.3 && even < 0.05) return "utf-16le";
  if (even > 0.3 && odd < 0.05) return "utf-16be";
  return undefined;
};

/** Characters that no text has: control characters other than tabs and ends of lines and pages. */
const NO_TEXT = /(?![\t\n\v\f\r])\p{Cc}/u;

/** Old Macs end lines with CR alone, and have their own alphabet. */
const isMacintosh = (bytes: Uint8Array): boolean => bytes.includes(0x0d) && !bytes.includes(0x0a);

/** A text without what some programs append: Ctrl-Z, or zeros. */
const withoutEnd = (bytes: Uint8Array): Uint8Array =>
  bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0 && byte !== 0x1a) + 1);

/**
 * A file's text.
 *
 * @param wanted the encoding, if one was chosen
 * @throws FileFault if the text has unknown letters
 */
export const fileText = (whole: Uint8Array, wanted?: FileEncoding): Decoded => {
  if (wanted !== undefined) {
    const text = decode(whole, wanted);
    return text === undefined
      ? refuseFile("file_not_in_encoding", { encoding: wanted })
      : { text, encoding: wanted };
  }
  const wide = wideOf(whole);
  if (wide !== undefined) {
    const text = decode(whole.length % 2 === 0 ? whole : whole.subarray(0, -1), wide);
    if (text !== undefined) return { text, encoding: wide };
  }
  const bytes = withoutEnd(whole);
  if (bytes.includes(0)) refuseKind("binary");
  const utf8 = decode(bytes, "utf-8");
  if (utf8 !== undefined) return { text: utf8, encoding: "utf-8" };
  const encoding = isMacintosh(bytes) ? "macintosh" : "windows-1252";
  const text = decode(bytes, encoding);
  if (text === undefined || NO_TEXT.test(text)) {
    return refuseFile("file_encoding_uncertain");
  }
  return { text, encoding };
};
