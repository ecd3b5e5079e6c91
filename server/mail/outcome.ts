import type { MailCause } from "../../contract/kit/mail-causes.ts";
import { reason } from "../../contract/kit/reasons.ts";
import { ownTrouble, type Trouble } from "../lib/last-trouble.ts";
import { isCertificate } from "../lib/no-answer.ts";
import { againOf, causeOf, faultOf } from "./answers.ts";

/** The server accepts no letters now, whichever they are. */
export interface Unreachable extends Trouble {
  readonly kind: "unreachable";
  readonly cause: MailCause;
  /** True if it takes connections and refuses letters, by the sender or later. */
  readonly isRefusal: boolean;
  /** True if it refused a letter that had a recipient already; others may fare better. */
  readonly ofLetter: boolean;
  /** When it wants another try. */
  readonly againMs?: number | undefined;
}

/** The outcome of one try to deliver a letter. */
export type Outcome =
  | { readonly kind: "sent" }
  /** Nothing was sent: the letter must not leave any more, or the postman is stopping. */
  | { readonly kind: "held" }
  /** Refused permanently; if not clear, perhaps every letter is. */
  | (Trouble & { readonly kind: "refused"; readonly isClear: boolean })
  /** Retry this letter later. */
  | (Trouble & { readonly kind: "failed"; readonly againMs?: number | undefined })
  | Unreachable;

/** Thrown inside a delivery if its letter must not leave. */
export class Held extends Error {
  override name = "Held";
}

/** Thrown when a delivery is given up at its deadline. */
export class DeliveryTimeout extends Error {
  override name = "Silence";
}

/** The properties of nodemailer's errors besides the message. */
interface SmtpError extends Error {
  readonly code?: string;
  /** The system's own code, such as ECONNREFUSED. */
  readonly originalCode?: string;
  readonly response?: string;
  readonly responseCode?: number;
  readonly command?: string;
}

/**
 * The outcome of an error. Until the server has a recipient, every error is the server's or the
 * sender's (greeting, TLS, login, MAIL FROM). After that an answer may be about the recipient, as
 * `faultOf` says. Silence and a broken connection are never final.
 *
 * @param ready whether the connection was ready for a letter
 * @param secrets texts that an answer may repeat, to be redacted
 */
export const judge = (problem: unknown, ready: boolean, secrets: readonly string[]): Outcome => {
  const error: SmtpError = problem instanceof Error ? problem : new Error(String(problem));
  if (error instanceof Held) return { kind: "held" };
  const cause = causeOfError(error);
  const answer = oneLine(error.response ?? "", secrets);
  // 530 and 538 (RFC 4954): the server requires credentials, for any recipient.
  const isOfConnection = !ready || error.command === "MAIL FROM" || /^53[08]/.test(answer);
  const againMs = againOf(answer);
  if (isOfConnection) {
    const trouble = troubleOf(error, cause, answer);
    return { kind: "unreachable", ...trouble, cause, isRefusal: ready, ofLetter: false, againMs };
  }
  if (error.code === "EENVELOPE" && error.command === "API") {
    return { kind: "refused", ...ownTrouble(reason("email_address_unwritable")), isClear: true };
  }
  const isFinal = (error.responseCode ?? 0) >= 500;
  const fault = answer === "" ? "unclear" : faultOf(answer);
  const trouble = answer === "" ? troubleOf(error, cause, answer) : { error: answer };
  if (fault === "recipient" || fault === "unclear") {
    return isFinal
      ? { kind: "refused", ...trouble, isClear: fault === "recipient" }
      : { kind: "failed", ...trouble, againMs };
  }
  const isBusy = fault === "refused" && !isFinal;
  return {
    kind: "unreachable",
    ...trouble,
    cause: isBusy ? "busy" : fault,
    isRefusal: true,
    ofLetter: true,
    againMs,
  };
};

/** The party that an error is about, unless it is a letter's. */
const causeOfError = (error: SmtpError): MailCause => {
  const { code, command, response, originalCode } = error;
  const detail = originalCode ?? code ?? "";
  if (isCertificate(detail)) return "certificate";
  if (command === "STARTTLS" || code === "ETLS" || /SSL|TLS|EPROTO$/.test(detail)) {
    return "encryption";
  }
  if (code === "EAUTH") return "login";
  if (response !== undefined) {
    if (!/^[45]\d\d/.test(response)) return "protocol";
    const isFinal = response.startsWith("5");
    return causeOf(response, isFinal ? (command === "MAIL FROM" ? "sender" : "refused") : "busy");
  }
  if (code === "EDNS") return "name";
  if (code === "EPROTOCOL") return "protocol";
  if (code === "ETIMEDOUT" || originalCode === "ETIMEDOUT" || error instanceof DeliveryTimeout)
    return "silent";
  return /^E(?:CONNREFUSED|HOST|NET|ADDR)/.test(detail) ? "unreachable" : "closed";
};

/** The trouble of an error, without the server's address, which not everybody may know. */
const troubleOf = ({ originalCode }: SmtpError, cause: MailCause, answer: string): Trouble => {
  // Answers to login and sender speak for themselves; others only if the cause is known.
  if (answer !== "") {
    return cause === "encryption" || cause === "protocol"
      ? ownTrouble(reason("mail_server", { cause, said: answer }))
      : { error: answer };
  }
  const isPlain = originalCode === undefined || cause === "silent";
  return ownTrouble(reason("mail_server", { cause, ...(!isPlain && { detail: originalCode }) }));
};

/** One line without control characters, at most 500 characters, with secrets redacted. */
const oneLine = (text: string, secrets: readonly string[]): string => {
  let line = text;
  for (const secret of secrets) if (secret !== "") line = line.replaceAll(secret, "***");
  return line
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, 500);
};
