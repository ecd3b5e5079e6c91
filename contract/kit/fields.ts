import { z } from "zod";
import { isLine, isLines, isVisible, lengthOf } from "./plain.ts";
import { type CarriedReason, says } from "./reasons.ts";

/*
 * The kinds of fields, each with its reasons for refusal (reasons.ts). The messages of these
 * schemas carry reasons: the service makes the texts.
 */

/** Returns whether a value counts as missing in a required field. */
export const isBlank = (value: string): boolean => value.trim() === "";

/** Returns whether every database can store and return the text unchanged: no U+0000, no lone surrogate. */
export const isStorable = (value: string): boolean => value.isWellFormed() && !value.includes("\0");

interface TextRules {
  /** The reason for a value that is not text; replaces the one with the length. */
  readonly otherwise?: CarriedReason;
  /** The reason for a missing, null or blank field; without it, blank is accepted. */
  readonly required?: CarriedReason;
  /** True to refuse "" although the field is optional. */
  readonly filled?: boolean;
  /** True to accept blank although the field is required. */
  readonly blank?: boolean;
  /** For text that others see: one line or several. Otherwise any text is accepted. */
  readonly shown?: "line" | "lines";
  /** True to ignore surrounding spaces and line ends, as around pasted text. */
  readonly pasted?: boolean;
}

/** The problem with a text that others see. A stored one may stay (server/lib/shown-texts.ts). */
export const shownFaults = {
  invisible: "not_visible",
  line: "not_one_line",
  lines: "not_plain_lines",
} as const;

/** The text without its surroundings; a blank text stays. */
const trimmed = (value: string): string => value.trim() || value;

/** Text of at most `max` characters, kept exactly as it is sent. */
export const textField = (
  max: number,
  { otherwise, required, filled, blank, shown, pasted }: TextRules = {},
) => {
  const least = (required !== undefined && !blank) || filled ? 1 : 0;
  const length = { min: least, max };
  const text = z.string({
    error: ({ input }) =>
      required !== undefined && (input === undefined || input === null)
        ? required
        : input === undefined
          ? says("required")
          : (otherwise ?? says("not_text", length)),
  });
  return (pasted ? text.overwrite(trimmed) : text)
    .superRefine((value, context) => {
      if (least === 1 && isBlank(value)) context.addIssue(required ?? says("blank", length));
      else if (!isStorable(value)) {
        context.addIssue(says("not_storable"));
      } else if (shown !== undefined && !(shown === "line" ? isLine : isLines)(value)) {
        context.addIssue(says(shownFaults[shown]));
      } else if (shown !== undefined && !isBlank(value) && !isVisible(value)) {
        context.addIssue(says(shownFaults.invisible));
      } else if (value.length > max && lengthOf(value) > max) {
        context.addIssue(says("too_long", length));
      }
    })
    .meta({ maxLength: max, ...(least === 1 ? { minLength: least } : {}) });
};

/** True or false, as JSON has them. */
export const flag = () => z.boolean({ error: says("not_true_or_false") });

/** True or false, also as the texts "true" and "false", which answers use. */
export const flagOrText = () =>
  z
    .union([z.boolean(), z.enum(["true", "false"])], { error: says("not_true_or_false") })
    .transform((value) => value === true || value === "true");

/** True or false in a query string. */
export const queryFlag = () =>
  z
    .enum(["true", "false"], { error: says("not_true_or_false") })
    .transform((value) => value === "true");

/** A whole number. @param nullable whether null is accepted too, as the text says */
export const whole = (min: number, max: number, { nullable = false } = {}) => {
  const range = { min, max, ...(nullable && { nullable }) };
  const error = says("not_whole_number", range);
  return z
    .number({ error })
    .int({ error })
    .min(min, { error: says("too_small", range) })
    .max(max, { error: says("too_large", range) });
};

/** One of the words; case counts. */
export const choice = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: says("not_one_of", { accepted: words }) });

/**
 * The same moment without a leap second, which ends a month in UTC (RFC 3339, 5.7): it becomes the
 * first second of the next month. Any other 60th second stays.
 */
const withoutLeapSecond = (value: string): string => {
  const [, minute, rest] = /^(.+T\d\d:\d\d):60((?:\.\d+)?(?:Z|[+-]\d\d:\d\d))$/.exec(value) ?? [];
  const before = Date.parse(`${minute}:59${rest}`);
  if (Number.isNaN(before)) return value;
  const next = new Date(before + 1000).toISOString();
  return next.slice(8, 19) === "01T00:00:00" ? next : value;
};

/** A date and time with its offset: ISO 8601 as profiled by RFC 3339. */
export const dateTime = () => {
  const error = says("not_date_time");
  return z
    .string({ error })
    .overwrite(withoutLeapSecond)
    .check(z.iso.datetime({ offset: true, error }));
};

/** A moment in an answer: ISO 8601, UTC. */
export const instant = () => z.string().meta({ format: "date-time" });
/** A day in an answer. */
export const date = () => z.string().meta({ format: "date" });
/** An absolute address in an answer. */
export const webLink = () => z.string().meta({ format: "uri" });
/** An address in an answer that counts from the service's own, such as a path. */
export const pathLink = () => z.string().meta({ format: "uri-reference" });

/** A day of the calendar, without a time zone. */
export const calendarDay = () => {
  const error = says("not_day");
  return z
    .string({ error })
    .check(z.iso.date({ error }))
    .refine((day) => /^(?:19[7-9]|2)/.test(day), {
      error,
      when: ({ issues }) => issues.length === 0,
    });
};

/** Returns whether a name is a time zone of the IANA database; an offset is not. */
const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};

/** The name of a time zone. */
export const timeZone = () =>
  textField(64, { filled: true }).refine(isTimeZone, {
    error: says("not_time_zone"),
    when: ({ issues }) => issues.length === 0,
  });

interface Span {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}
/** Checks `from` and `to`: a span of time must not end before it begins. */
export const spanOfTime = z.refine<Span>(
  ({ from, to }) => from === undefined || to === undefined || Date.parse(from) <= Date.parse(to),
  { path: ["from"], error: says("later_than", { than: "to" }) },
);

/** An absolute web address with a host and without credentials, normalized by the URL parser. */
export const webAddress = (required?: CarriedReason) =>
  textField(2048, required === undefined ? {} : { required })
    .refine(
      (value) => {
        // Checked as sent: the parser silently drops tabs and line ends, which must never get into an email.
        if (!/^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(value) || !URL.canParse(value)) return false;
        const url = new URL(value);
        return url.hostname !== "" && url.username === "" && url.password === "";
      },
      {
        error: says("not_web_address"),
        when: ({ issues }) => issues.length === 0,
      },
    )
    .overwrite((value) => (URL.canParse(value) ? new URL(value).href : value))
    .meta({ format: "uri" });

/** A color in hexadecimal, in lower case. */
export const hexColor = () =>
  textField(7)
    .overwrite((value) => value.toLowerCase())
    .refine((value) => /^#[0-9a-f]{6}$/.test(value), {
      error: says("not_color"),
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ pattern: "^#[0-9A-Fa-f]{6}$" });

/** An absolute URL, or empty. */
export const streamAddress = () =>
  textField(2048).refine(
    (value) =>
      value === "" ||
      (/^[a-z][a-z0-9+.-]*:\/\/[^\s\p{Cc}\p{Cf}\\]+$/iu.test(value) && URL.canParse(value)),
    {
      error: says("not_url"),
      when: ({ issues }) => issues.length === 0,
    },
  );

const RECEIVER = /^rtmps?:\/\/[^/?#]+\/+[^/?#]/i;

/** Returns whether a live stream can be sent to this address: rtmp or rtmps, with a host and a path. */
export const isReceiver = (value: string): boolean =>
  RECEIVER.test(value) && URL.parse(value)?.hostname !== "";

/** The address to which a room's meetings are streamed, or empty. */
export const receiverAddress = () =>
  streamAddress().refine((value) => value === "" || isReceiver(value), {
    error: says("not_receiver"),
    when: ({ issues }) => issues.length === 0,
  });

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

/**
 * The domain of an address in its ASCII form; undefined if mail cannot reach it (RFC 5321, 4.1.2, without
 * address literals; at least two labels).
 */
const asciiDomain = (domain: string): string | undefined => {
  // The URL parser would take these characters for the end of the host, or silently drop them.
  if (/[\s\p{Cc}\p{Cf}/\\?#@:%[\]]/u.test(domain)) return undefined;
  const url = `http://${domain}`;
  if (!URL.canParse(url)) return undefined;
  const ascii = new URL(url).hostname;
  const labels = ascii.split(".");
  const isName =
    ascii.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^[0-9]+$/.test(labels.at(-1) ?? "");
  return isName ? ascii : undefined;
};

/**
 * The key by which email addresses are compared: NFC, lower case, domain in ASCII; undefined if the
 * address is not accepted. Accepted: ASCII dot-atom, one @, a domain name, at most 254 characters
 * and 64 before the @ (RFC 5321, 4.5.3.1).
 */
export const emailKey = (value: string): string | undefined => {
  if (value.length > 254) return undefined;
  const at = value.lastIndexOf("@");
  const local = value.slice(0, Math.max(at, 0));
  if (local.length > 64 || !LOCAL_PART.test(local)) return undefined;
  const domain = asciiDomain(value.slice(at + 1).normalize("NFC"));
  if (domain === undefined || local.length + 1 + domain.length > 254) return undefined;
  return `${local.toLowerCase()}@${domain}`;
};

/** An email address, kept as typed. */
export const email = (required?: CarriedReason) =>
  textField(254, required === undefined ? {} : { required })
    .refine((value) => emailKey(value) !== undefined, {
      error: says("not_email"),
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ format: "email" });

/** An ID in a path. An ID that a database cannot store is answered as not found. */
export const pathId = () =>
  z
    .string({ error: says("not_accepted") })
    .meta({ minLength: 1 })
    .transform((value) => (isStorable(value) ? value : ""));

/** The ID of something that exists. Any form is accepted: an unknown ID is answered as not found. */
export const id = (required: CarriedReason = says("required")) => textField(128, { required });

/** The same, as pasted from an email or a page: a code, a key, its secret. */
export const pastedId = () => textField(128, { required: says("required"), pasted: true });
