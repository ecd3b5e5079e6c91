const lengthOf = (text: string) => [...text].length;

/** Characters that no name has: line breaks, controls of a terminal, and those that turn the direction of text. */
export const turning = [
  ..."\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069".split(""),
  ..."\u2028\u2029\t\n\v\f\r\x01\x08\x1b\x7f\x80\x85\x9b\x9d".split(""),
];
/** Invisible texts. */
export const invisible = [
  ...["\u200b", "\u200d\u200c", "\u2060", "\u00ad", "\u3164", "\uffa0", "\u115f\u1160", "\u2800"],
  ...[
    "\u180e",
    "\u034f",
    "\ufe0f",
    "\u0301",
    "\u{e0041}\u{e007f}",
    "\u200b \u2800",
    "\u200b\ufeff\u200b",
  ],
];
const hasTurning = (text: string) => turning.some((one) => text.includes(one));
const isSeen = (text: string) =>
  /[\p{L}\p{N}\p{P}\p{S}\p{Co}\p{Cn}]/u.test(
    text.replace(/\p{Default_Ignorable_Code_Point}|\u2800/gu, ""),
  );
/** Returns whether a text can be the name of anything. */
export const isName = (text: string) => lengthOf(text) <= 200 && !hasTurning(text) && isSeen(text);
