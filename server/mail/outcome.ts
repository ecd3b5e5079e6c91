/** The outcome of one try to deliver a letter. */
export type Outcome =
  | { readonly kind: "sent" }
  /** Nothing was sent: the letter must no longer leave, or the postman is stopping. */
  | { readonly kind: "held" }
  /** The server refuses this letter for good. */
  | { readonly kind: "refused"; readonly error: string }
  /** Retry this letter later. */
  | { readonly kind: "failed"; readonly error: string }
  /** The server accepts no letters now, whichever letter it is. */
  | { readonly kind: "unreachable"; readonly error: string };

/** Thrown inside a delivery when its letter must not leave. */
export class Held extends Error {
  override name = "Held";
}

/** The properties that nodemailer's errors have besides a message. */
interface SmtpError extends Error {
  readonly code?: string;
  /** The system's own code, such as ECONNREFUSED. */
  readonly originalCode?: string;
  readonly response?: string;
  readonly responseCode?: number;
  readonly command?: string;
}

/**
 * The outcome of an error. Until the server is ready for a letter, every error is about the server
 * (its greeting, TLS, authentication); after that 5yz is final and 4yz, silence and a broken
 * connection are not (RFC 5321, 4.2.1).
 *
 * @param ready whether the connection was ready for a letter.
 * @param secrets texts that a server's answer may repeat, and that are redacted.
 */
export const judge = (problem: unknown, ready: boolean, secrets: readonly string[]): Outcome => {
  const error: SmtpError = problem instanceof Error ? problem : new Error(String(problem));
  if (error instanceof Held) return { kind: "held" };
  const text = errorText(error, secrets);
  const status = error.responseCode ?? 0;
  // 530 and 538 (RFC 4954): the server wants credentials, for any recipient.
  if (!ready || status === 530 || status === 538) return { kind: "unreachable", error: text };
  const unsendable = error.code === "EENVELOPE" && error.command === "API";
  return status >= 500 || unsendable
    ? { kind: "refused", error: text }
    : { kind: "failed", error: text };
};

/** The problem without the mail server's address, which not everybody who reads it may know. */
export const errorText = (error: SmtpError, secrets: readonly string[]): string =>
  oneLine(describe(error), secrets);

const describe = (error: SmtpError): string => {
  if (error.command === "STARTTLS" && error.response !== undefined) {
    return `The mail server does not offer encryption (STARTTLS), which SMTP_URL requires: ${error.response}`;
  }
  if (error.response !== undefined) return error.response;
  const detail = error.originalCode ?? error.code ?? "";
  if (/CERT|UNABLE_TO|ALTNAME/.test(detail)) {
    return `The mail server's certificate is not accepted (${detail}); tls in SMTP_URL says whether it must be.`;
  }
  switch (error.code) {
    case "EDNS":
      return `The mail server's name cannot be resolved (${detail}).`;
    case "ETIMEDOUT":
      return "The mail server did not answer in time.";
    case "ETLS":
      return `The connection to the mail server cannot be encrypted: ${error.message}`;
    case "ESOCKET":
    case "ECONNECTION":
      return `The mail server cannot be reached, or closed the connection (${detail}).`;
    default:
      return error.message;
  }
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
