import { isolated } from "../../contract/kit/plain.ts";
import type { LetterRow } from "../db/tables.ts";
import { type LetterContent, letterFacts, renderHtml, type Wording } from "./letter-html.ts";

export type { LetterContent } from "./letter-html.ts";

/** A letter in both forms. */
export interface LetterText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const wordings: Record<LetterRow["kind"], Wording> = {
  welcome: {
    subject: "Your Parley account",
    opening:
      "An account was created for you on Parley, where you meet by video. Sign in with the username and password below.",
    button: "Sign in",
    closing:
      "Keep this email to yourself: anyone with the password can sign in as you. If you did not expect an account, you can ignore it.",
  },
  invitation: {
    subject: "Your Parley account",
    opening:
      "An account was created for you on Parley, where you meet by video. Choose a password first; then sign in with it and with this username, or with your email address.",
    button: "Choose a password",
    closing:
      "Keep this email to yourself: until you have chosen a password, anyone with the link can choose one. The link opens for 30 days. If you did not expect an account, you can ignore it.",
  },
  "password-reset": {
    subject: "Your new Parley password",
    opening:
      "An administrator gave your Parley account a new password. The old one no longer works, and you are signed out everywhere.",
    button: "Sign in",
    closing:
      "Keep this email to yourself: anyone with the password can sign in as you. If you did not expect it, ask your administrator.",
  },
  "password-link": {
    subject: "Choose a new Parley password",
    opening:
      "Somebody, probably you, asked for a new password of your Parley account. Choose it by the link below; then sign in with it and with this username, or with your email address.",
    button: "Choose a new password",
    closing:
      "Keep this email to yourself: anyone with the link can choose a password. The link opens for one hour and once. If you did not ask for it, you can ignore this email: your password stays.",
  },
  "new-sign-in": {
    subject: "New sign-in to your Parley account",
    opening:
      "Somebody signed in to your Parley account from a browser and a network that it did not know.",
    button: "See where you are signed in",
    closing:
      "If it was you, you need to do nothing. If not, end that session and change your password.",
  },
  "meeting-invitation": {
    subject: "Invitation to a meeting",
    opening: "You are invited to meet by video on Parley.",
    button: "Open the meeting",
    closing:
      "The link opens the meeting in your browser. If you did not expect this invitation, you can ignore it.",
  },
  "meeting-change": {
    subject: "A meeting has changed",
    opening: "A meeting to which you are invited has changed. It now is as follows.",
    button: "Open the meeting",
    closing: "The link opens the meeting in your browser.",
  },
  "meeting-cancellation": {
    subject: "A meeting is canceled",
    opening: "A meeting to which you were invited does not take place, or without you.",
    button: "Open Parley",
    closing: "You need to do nothing: calendars remove the meeting.",
  },
  "meeting-reminder": {
    subject: "A meeting begins soon",
    opening: "This meeting begins in a few minutes.",
    button: "Open the meeting",
    closing: "The link opens the meeting in your browser.",
  },
  "webhook-off": {
    subject: "A Parley webhook was switched off",
    opening:
      "Nothing that Parley sent to this webhook was accepted for three days, or its receiver answered that it is gone (410), so it is switched off. Deliveries that still wait are kept; what happens while it is off is not sent.",
    button: "See its deliveries",
    closing:
      "Switch it on again once its receiver works. You get this email because you are an administrator.",
  },
};

/** A letter's values beside its sentences, each on one line. */
const factsShown = (content: LetterContent) => {
  if ("webhook" in content) {
    return { webhook: onOneLine(content.webhook), lastError: onOneLine(content.lastError) };
  }
  if ("meeting" in content) {
    const { meeting, when, repeats, organization } = content;
    return {
      meeting: onOneLine(meeting),
      organization: onOneLine(organization),
      ...{ when, repeats },
    };
  }
  if ("signedInAt" in content) {
    const { signedInAt, from, browser } = content;
    return { signedInAt, from, browser: onOneLine(browser) };
  }
  return {
    username: onOneLine(content.username),
    ...("password" in content && { password: content.password }),
  };
};

/**
 * A letter's text. Values stay text: escaped in HTML, never at the beginning of a line of plain
 * text, read by no template engine.
 *
 * @throws TypeError if the login address is not an http or https URL
 */
export const writeLetter = (kind: LetterRow["kind"], content: LetterContent): LetterText => {
  const wording = wordings[kind];
  const shown = {
    name: onOneLine(content.name),
    loginUrl: loginAddress(content.loginUrl),
    ...factsShown(content),
  };
  const text = [
    shown.name === "" ? "Hello," : `Hello ${isolated(shown.name)},`,
    wording.opening,
    `${wording.button}: ${shown.loginUrl}`,
    letterFacts(shown)
      .map(([label, value]) => `${label}: ${value}`)
      .join("\n"),
    wording.closing,
  ].join("\n\n");
  const subject = "meeting" in shown ? `${wording.subject}: ${shown.meeting}` : wording.subject;
  return { subject, text: `${text}\n`, html: renderHtml(wording, shown) };
};

/** As the URL parser writes it, so that the reader's program sees the same address. */
const loginAddress = (text: string): string => {
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new TypeError("A login address is http or https.");
  return url.href;
};

/** Replaces line breaks, control characters and marks of the writing direction with spaces. */
const onOneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, " ").trim();
