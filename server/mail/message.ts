import { domainToASCII } from "node:url";
import type { Sender } from "../config/config.ts";
import type { OfMeeting } from "./letter-html.ts";
import type { LetterText } from "./letters.ts";

/** A letter ready for a mail server. */
export interface EmailMessage {
  readonly id: string;
  readonly createdAt: string;
  readonly from: string;
  readonly to: string;
  /** The whole message (RFC 5322). */
  readonly raw: Buffer;
}

/**
 * Makes the message of a letter: fixed headers, one recipient, text and HTML. The recipient's name
 * is omitted, because a bare mailbox cannot be misread. Everything follows from the letter, even
 * the MIME boundary: sent twice, the message is the same byte for byte, and its Message-ID lets
 * mail programs show it once.
 */
export const composeMessage = async (
  letter: { readonly id: string; readonly createdAt: string; readonly recipient: string },
  from: Sender,
  text: LetterText,
  calendar?: OfMeeting["calendar"],
): Promise<EmailMessage> => {
  const to = asciiMailbox(letter.recipient);
  // Loaded only when there is something to send.
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const composer = new MailComposer({
    from,
    to: { name: "", address: to },
    subject: text.subject,
    messageId: `<${letter.id}@${messageHost(from)}>`,
    date: new Date(letter.createdAt),
    headers: { "Auto-Submitted": "auto-generated" },
    // Quoted-printable keeps long lines whole; the default for ASCII would fold them (RFC 3676).
    text: { content: text.text, contentTransferEncoding: "quoted-printable" },
    html: { content: text.html, contentTransferEncoding: "quoted-printable" },
    ...(calendar && {
      icalEvent: { method: calendar.method, content: calendar.text, filename: "meeting.ics" },
    }),
    baseBoundary: letter.id,
    boundaryPrefix: "--parley",
    newline: "win",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    id: letter.id,
    createdAt: letter.createdAt,
    from: from.address,
    to,
    raw: await composer.compile().build(),
  };
};

/** The host of the sender's address; an address literal is valid in a Message-ID too (RFC 5322, 3.6.4). */
const messageHost = (from: Sender): string => from.address.slice(from.address.lastIndexOf("@") + 1);

/** Without SMTPUTF8: a domain beyond ASCII is sent in its ASCII form (RFC 5891). */
const asciiMailbox = (address: string): string => {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`;
};
