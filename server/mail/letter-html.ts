import { directionOf, type Language } from "../../contract/kit/languages.ts";
import type { Reason } from "../../contract/kit/reasons.ts";
import type { TextsOf } from "../lib/texts.ts";

/** The content of a letter; sealed in the outbox until it is delivered: it holds a password. */
export type LetterContent = Addressed &
  (Credentials | Invited | SignedIn | Changed | WebhookOff | OfMeeting);

interface Addressed {
  /** The recipient's language; letters of earlier versions have none. */
  readonly language?: Language;
  readonly name: string;
  /** Where the button leads. */
  readonly loginUrl: string;
}
/** For a person who chooses a password by the link. */
interface Invited {
  readonly username: string;
}
interface Credentials extends Invited {
  readonly password: string;
}
/** About a sign-in from somewhere new. */
interface SignedIn {
  readonly signedInAt: string;
  /** The time zone of the account; null for UTC. */
  readonly timeZone?: string | null;
  readonly from: string;
  /** The browser's name for itself; may be empty. */
  readonly browser: string;
}
/** The changes of how a person signs in. */
export type WayChange = keyof TextsOf<"emails">["texts"]["changes"];

/** About a change of how the person signs in. */
interface Changed {
  /** When written, the words of it. */
  readonly changed: string;
  readonly changedAt: string;
  readonly timeZone?: string | null;
  /** Where the person changed it; empty: not known, or by an administrator. */
  readonly from: string;
  readonly browser: string;
}
/** The content of such a letter. */
export type SignInChanged = Addressed & Changed & { readonly changed: WayChange };

/** About a webhook that was switched off. */
interface WebhookOff {
  readonly webhook: string;
  readonly lastError: string;
  /** The reason of lastError; absent in letters of earlier versions. */
  readonly lastReason?: Reason;
}

/** About the dates of a room. */
export interface OfMeeting {
  readonly meeting: string;
  readonly when: string;
  readonly repeats: string;
  /** The name of the organization. */
  readonly organization: string;
  /** The calendar part. */
  readonly calendar?: { readonly method: "REQUEST" | "CANCEL" | "PUBLISH"; readonly text: string };
}

/** A letter's labels and values, beside its sentences. */
export const letterFacts = (
  labels: TextsOf<"emails">["texts"]["labels"],
  content: LetterContent,
): readonly (readonly [string, string])[] => {
  if ("webhook" in content) {
    return [
      [labels.webhook, content.webhook],
      [labels.lastError, content.lastError],
    ];
  }
  if ("meeting" in content) {
    return [
      [labels.meeting, content.meeting],
      [labels.when, content.when],
      [labels.repeats, content.repeats],
      [labels.from, content.organization],
    ];
  }
  if ("changed" in content) {
    const { changed, changedAt, from, browser } = content;
    const facts = [
      [labels.what, changed],
      [labels.when, changedAt],
      [labels.address, from],
      [labels.browser, browser],
    ] as const;
    return facts.filter(([, value]) => value !== "");
  }
  if ("signedInAt" in content) {
    return [
      [labels.when, content.signedInAt],
      [labels.address, content.from],
      [labels.browser, content.browser],
    ];
  }
  const username = [labels.username, content.username] as const;
  return "password" in content ? [username, [labels.password, content.password]] : [username];
};

/** Texts that must not appear in any log, because they open the account. */
export const letterSecrets = (content: LetterContent): readonly string[] => {
  if ("webhook" in content || "meeting" in content) return [];
  if ("signedInAt" in content || "changed" in content) return [];
  return ["password" in content ? content.password : content.loginUrl];
};

/** The sentences of one kind of letter. None contains text that a person typed. */
export interface Wording {
  readonly title: string;
  readonly opening: string;
  readonly button: string;
  readonly closing: string;
}

/** The greeting; the name, which may be in any script, is isolated. */
const greeting = (texts: TextsOf<"emails">["texts"], name: string): string =>
  name === ""
    ? escapeHtml(texts.greeting)
    : escapeHtml(texts.greetingTo(`\u2068${name}\u2069`))
        .replace("\u2068", "<bdi>")
        .replace("\u2069", "</bdi>");

/**
 * A letter as HTML: one column that fits a phone, inline styles (mail programs drop style sheets),
 * nothing loaded.
 */
export const renderHtml = (
  { language, texts }: TextsOf<"emails">,
  wording: Wording,
  content: LetterContent,
): string => {
  const link = escapeHtml(content.loginUrl);
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(wording.title)}</title>
</head>
<body style="margin:0;padding:24px 12px;background:#f1f3f5;color:#212529;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div style="max-width:480px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px;border:1px solid #dee2e6">
<p style="margin:0 0 16px;font-size:14px;font-weight:600;color:#1864ab">Parley</p>
<p style="margin:0 0 16px">${greeting(texts, content.name)}</p>
<p style="margin:0 0 24px">${escapeHtml(wording.opening)}</p>
<table role="presentation" style="width:100%;border-collapse:collapse;background:#f8f9fa;border-radius:6px">
${letterFacts(texts.labels, content)
  .map(([label, value]) => row(label, value))
  .join("\n")}
</table>
<p style="margin:24px 0"><a href="${link}" style="display:inline-block;padding:12px 24px;background:#1864ab;color:#ffffff;text-decoration:none;border-radius:6px;font-weight:600">${escapeHtml(wording.button)}</a></p>
<p style="margin:0 0 16px;font-size:14px;color:#495057">${escapeHtml(texts.openAddress)}<br><a href="${link}" style="color:#1864ab;word-break:break-all" dir="ltr">${link}</a></p>
<p style="margin:0;font-size:14px;color:#495057">${escapeHtml(wording.closing)}</p>
</div>
</body>
</html>
`;
};

const row = (label: string, value: string): string =>
  `<tr><td style="padding:8px 12px;font-size:14px;color:#495057;width:1%">${escapeHtml(label)}</td><td style="padding:8px 12px;font-family:ui-monospace,Menlo,Consolas,monospace;word-break:break-all"><bdi>${escapeHtml(value)}</bdi></td></tr>`;

/** Text for an element's content or a quoted attribute. */
const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
