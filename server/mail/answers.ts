import type { MailCause } from "../../contract/kit/mail-causes.ts";
import { DAY_MS, HOUR_MS } from "../lib/durations.ts";

/*
 * The meanings of mail servers' answers. The enhanced status codes are those of RFC 3463 and RFC 5248;
 * the texts those of Exchange, Gmail, Postfix, Exim, Sendmail, qmail, Amazon SES, SendGrid and
 * Mailgun, which use the same few codes for very different faults.
 */

/**
 * Whose fault a refusal is: the recipient's, the server's or sender's (with the cause), or
 * either's.
 */
export type Fault = "recipient" | "unclear" | MailCause;

/** Texts about the sender or the server. The first match counts. */
const signs: readonly (readonly [MailCause, RegExp])[] = [
  ["encryption", /must issue a starttls|starttls (?:is )?required|encryption required/],
  [
    "limit",
    /quota|(?:limit|credits|threshold)\b.{0,40}\b(?:exceeded|reached)|exceeded\b.{0,60}\b(?:limit|threshold|rate)|(?:rate|hourly|daily|sending|message) limit|limit is reached|too (?:many|much) (?:e?mails?|messages|connections|requests|login)|throttl|sending paused|(?:unusual|high) rate|too (?:fast|quickly|frequent)/,
  ],
  [
    "login",
    /authenticat\w* (?:is )?required|requires? authentication|proper authentication|not (?:authenticated|logged in)|(?:must|please|need to) (?:authenticate|log ?in|sign ?in)|credentials|authentication (?:failed|unsuccessful)|smtpclientauthentication/,
  ],
  [
    "sender",
    /send ?-?as|send on behalf|(?:allowed|authorized|permitted) to (?:send|perform .?ses)|sender (?:address |domain )?(?:is )?(?:rejected|denied|refused|verify|not|unauthorized|invalid|unknown)|verified sender|sender identity|not verified|identities failed|unauthenticated (?:sender|email)|outbound sender|from address|domain of sender|not owned by user|sandbox|authorized recipients|your account|account .{0,30}suspended/,
  ],
  ["relay", /relay|rcpthosts|gateway .{0,20}not permitted/],
  [
    "blocked",
    /block(?:ed|ing)? ?(?:list|using|by|for)|(?:black|deny) ?list|spamhaus|spamcop|barracuda|sorbs|dnsbl|\brbl\b|reputation|banned|(?:client|sending) (?:host|ip)|helo|ehlo|reverse (?:dns|host|lookup)|\br?dns\b|\bptr\b|\bspf\b|\bdkim\b|\bdmarc\b|from this ip|your (?:ip|host|server|network|domain)|ip address/,
  ],
];

/** Texts about the recipient alone. */
const ofRecipient =
  /(?:user|mailbox|recipient|address|account|alias|domain)\b.{0,60}\b(?:unknown|not (?:be )?found|does(?:n't| not) exist|not exist|disabled|inactive|full|unavailable|invalid|over ?quota|expired|no longer)|(?:unknown|invalid|bad|no such|nonexistent) (?:local |destination )?(?:user|person|mailbox|recipient|address|account|domain|part)|unrouteable|(?:mailbox|storage)\b.{0,40}\b(?:full|exceeded|quota|limit)|exceeded storage|no mailbox|tried to reach/;

/** A mailbox's own answer about what its owner sends. */
const ofSubmission = /submission|send ?-?as|sending|outbound|relay limit/;

/** The enhanced status code of an answer, without its class: [subject, detail]. */
const detailsOf = (answer: string): readonly [number, number] | undefined => {
  const found = /(?<![\d.])[45]\.(\d{1,3})\.(\d{1,3})(?![\d.]*\d)/.exec(answer);
  return found === null ? undefined : [Number(found[1]), Number(found[2])];
};

const isAmong = (detail: number, ...ranges: readonly (readonly [number, number])[]): boolean =>
  ranges.some(([from, to]) => detail >= from && detail <= to);

/** The verdict of the code alone. */
const byCode = (answer: string): Fault => {
  const [subject, detail] = detailsOf(answer) ?? [0, 0];
  switch (subject) {
    case 1:
      if (isAmong(detail, [1, 4], [6, 6], [10, 10])) return "recipient";
      return isAmong(detail, [7, 8]) ? "sender" : "unclear";
    case 2:
      return isAmong(detail, [1, 4]) ? "recipient" : "unclear";
    case 3:
      // 5.3.4 is about the size of this email.
      return detail === 4 ? "unclear" : "refused";
    case 4:
      // Gmail's code for quotas; 5.4.4: the recipient's domain has no mail server.
      if (detail === 5) return "limit";
      return detail === 4 ? "recipient" : "unclear";
    case 7:
      // Mailing lists, Exchange's restrictions of a group or mailbox, changed owners.
      if (isAmong(detail, [2, 2], [12, 12], [17, 18], [100, 199])) return "recipient";
      if (isAmong(detail, [3, 3], [8, 9], [11, 11], [13, 14], [57, 57])) return "login";
      if (detail === 60) return "sender";
      if (isAmong(detail, [54, 54], [64, 64])) return "relay";
      // Missing or wrong SPF, DKIM, DMARC and host names; Exchange's block lists.
      return isAmong(detail, [20, 29], [500, 799]) ? "blocked" : "unclear";
    default:
      return "unclear";
  }
};

/** The verdict of a lower-case text. */
const byText = (text: string): MailCause | undefined =>
  signs.find(([, sign]) => sign.test(text))?.[0];

/** The party at fault for a refusal of one email, permanent or temporary. */
export const faultOf = (answer: string): Fault => {
  const text = answer.toLowerCase();
  const sign = byText(text);
  // The mailbox that submits the email, not the recipient's.
  if (detailsOf(answer)?.[0] === 2 && ofSubmission.test(text)) return sign ?? "sender";
  const code = byCode(answer);
  if (code === "recipient") return code;
  if (code !== "unclear") return code === "refused" ? (sign ?? code) : code;
  // "The mailbox is over quota" looks like a limit, but is the recipient's.
  const isOfRecipient = ofRecipient.test(text) && (sign ?? "limit") === "limit";
  return isOfRecipient ? "recipient" : (sign ?? "unclear");
};

/** The cause of an answer before any recipient is named. */
export const causeOf = (answer: string, otherwise: MailCause): MailCause => {
  const code = byCode(answer);
  const isPlain = code !== "unclear" && code !== "recipient" && code !== "refused";
  return isPlain ? code : (byText(answer.toLowerCase()) ?? otherwise);
};

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: HOUR_MS, d: DAY_MS };

/** When the server wants another try, as greylisting says; undefined if it does not. */
export const againOf = (answer: string): number | undefined => {
  const clock = /\b(?:in|after|for) (\d{1,2}):(\d{2}):(\d{2})\b/i.exec(answer);
  if (clock !== null) {
    const [hours = 0, minutes = 0, seconds = 0] = clock.slice(1).map(Number);
    return ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  }
  const words =
    /\b(?:in|after|for|wait)(?: at least| about)? (\d{1,6}) ?(s|m|h|d)(?:ec|econd|in|inute|our|r|ay)?s?\b/i.exec(
      answer,
    );
  return words === null
    ? undefined
    : Number(words[1]) * (UNITS[words[2]?.toLowerCase() ?? ""] ?? 0);
};
