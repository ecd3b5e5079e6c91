/*
 * The parts of the contract that pages need besides types. No schemas here: a page that imports one loads
 * Zod.
 */

/** The length of a text in code points, which is what people count. */
export const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
};

/** Characters that end a line, control a terminal or turn the direction of later text. */
export const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
/** The same, without line ends. */
const CONTROL_IN_LINES = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/u;
const LINE_END = /\r\n|[\n\v\f\r\x85\p{Zl}\p{Zp}]/gu;

/** Characters that are visible alone: no space, no mark on another letter, nothing that fonts leave out. */
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u;

/** Returns whether a text is visible. */
export const isVisible = (text: string): boolean => VISIBLE.test(text);

/** Returns whether a text is one line that does not affect its surroundings. */
export const isLine = (text: string): boolean => !CONTROL.test(text);

/** Returns whether a text is lines that do not affect their surroundings. */
export const isLines = (text: string): boolean => !CONTROL_IN_LINES.test(text);

/** A text as one line that does not affect its surroundings. */
export const toLine = (text: string): string =>
  text.replace(LINE_END, " ").replaceAll("\t", " ").replace(new RegExp(CONTROL, "gu"), "");

/** The same as lines. */
export const toLines = (text: string): string =>
  text.replace(LINE_END, "\n").replace(new RegExp(CONTROL_IN_LINES, "gu"), "");

/** Typed or pasted text as one line: a name. */
export const asLine = (text: string): string => toLine(text).trim();

/** Typed or pasted text as lines: a message. */
export const asLines = (text: string): string => toLines(text).trim();

/** Letters read from the right, and characters that turn the direction of others. */
const TURNING =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]|\p{Bidi_Control}/u;

/**
 * Somebody else's text within Parley's, where no element can be: in a label, a title, a letter.
 * Isolated (Unicode, UAX 9), it turns nothing around it. Other text needs no isolation. Marks of direction stay: they
 * have no effect outside, and without them the day of an Arabic date would be on its other side.
 */
export const isolated = (text: string): string =>
  TURNING.test(text)
    ? `\u2068${text.replace(/(?![\u061c\u200e\u200f])\p{Bidi_Control}/gu, "")}\u2069`
    : text;

/** The length of a password that a person chooses (NIST SP 800-63B, 3.1.1). */
export const passwordLength = { min: 15, max: 256 } as const;

/** The most people in a meeting without a media engine: each browser sends to all others. */
export const DIRECT_SEATS = 6;

/** The roles inside a meeting. */
export const peerTypes = ["moderator", "participant", "viewer"] as const;
export type PeerType = (typeof peerTypes)[number];

/** The quality of a connection. */
export const qualities = ["good", "fair", "poor"] as const;
export type Quality = (typeof qualities)[number];

/** The longest name that a person may enter. */
export const PEER_NAME = 80;
/** The longest chat message. */
export const CHAT_TEXT = 2000;

/** The largest body of a request, in bytes. */
export const BODY_BYTES = 1024 * 1024;

/** The page sizes of the user lists. */
export const pageSizes = [10, 25, 50, 100] as const;
/** The largest of them. */
export const LARGEST_PAGE = pageSizes[3];

/** The most lines of an import on a page. */
export const IMPORT_PAGE = 1000;

/** The most lines of an import as one change. */
export const ALL_LINES = 200;

/** The most webhooks of an organization. */
export const WEBHOOKS = 20;

/** The most providers of an organization by which people sign in. */
export const PROVIDERS = 10;
/** The most passkeys of an account. */
export const PASSKEYS = 20;
/** Why somebody did not get in by a provider: the word in the address of the page that says so. */
export const signInRefusals = [
  "ended",
  "provider_failed",
  "provider_refused",
  "provider_unreachable",
  "email_missing",
  "email_unverified",
  "domain_not_trusted",
  "no_account",
  "linked_otherwise",
  "user_limit",
  "account_suspended",
  "account_revoked",
  "busy",
] as const;
export type SignInRefusal = (typeof signInRefusals)[number];
/** The most domains for which one of them speaks. */
export const DOMAINS = 50;

/** The color schemes of pages. */
export const colorSchemes = ["auto", "light", "dark"] as const;
export type ColorScheme = (typeof colorSchemes)[number];

/** The subjects of emails. */
export const letterKinds = [
  "welcome",
  "password-reset",
  "password-link",
  "new-sign-in",
  "sign-in-changed",
  "webhook-off",
  "invitation",
  "meeting-invitation",
  "meeting-change",
  "meeting-cancellation",
  "meeting-reminder",
] as const;
export type LetterKind = (typeof letterKinds)[number];

/** How a date of a room can repeat. */
export const repetitions = ["day", "weekday", "week", "twoWeeks", "month"] as const;
export type Repeating = (typeof repetitions)[number];

/** Returns whether a date repeats on chosen days of the week. */
export const isByWeekday = (every: Repeating): boolean => every === "week" || every === "twoWeeks";

/** The days of a week, the first one first. */
export const weekdays = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;
export type Weekday = (typeof weekdays)[number];

/** The most bytes of an organization's logo. */
export const LOGO_BYTES = 64 * 1024;
/** The most pixels on a side of an organization's logo. */
export const LOGO_SIDE = 4096;
