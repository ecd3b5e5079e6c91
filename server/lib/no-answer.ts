import { type Reason, reason, textOf } from "../../contract/kit/reasons.ts";

/*
 * Describes a server that gives no proper answer. Library messages say less or something false: a
 * wrong certificate is not a missing answer. Their codes stay in parentheses.
 */

/** Returns whether a code of Node means that the peer's certificate is not accepted. */
export const isCertificate = (code: string): boolean =>
  // A server that requires a client certificate says ERR_SSL_..._CERTIFICATE_...
  !code.startsWith("ERR_SSL") && /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|SIGNATURE/.test(code);

type Kind =
  | "certificate_not_accepted"
  | "no_encryption"
  | "name_not_resolved"
  | "nothing_at_address"
  | "connection_closed"
  | "not_http";

const kinds: readonly (readonly [is: (code: string) => boolean, kind: Kind])[] = [
  [isCertificate, "certificate_not_accepted"],
  [(code) => /^ERR_SSL|^ERR_TLS|^EPROTO$/.test(code), "no_encryption"],
  [(code) => /^ENOTFOUND$|^EAI_/.test(code), "name_not_resolved"],
  [(code) => /^ECONNREFUSED$/.test(code), "nothing_at_address"],
  [(code) => /^ECONNRESET$|^EPIPE$|^UND_ERR_SOCKET$/.test(code), "connection_closed"],
  [(code) => /^HPE_|^HTTPParserError$/.test(code), "not_http"],
];

/** The code of an error or of its cause, where `fetch` has it. */
const codeOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  // Some versions of Node leave its code out.
  if (error.name === "HTTPParserError") return error.name;
  return codeOf(error.cause);
};

const reasonOfCode = (code: string | undefined): Reason => {
  if (code === undefined) return reason("no_answer");
  const [, kind = "no_answer_as"] = kinds.find(([is]) => is(code)) ?? [];
  return reason(kind, { detail: code });
};

/** Why there is no answer. */
export const noAnswerReason = (error: unknown): Reason => reasonOfCode(codeOf(error));

/** The same as a sentence for operators. */
export const noAnswer = (error: unknown): string => textOf(noAnswerReason(error));

/** The sentence for a code. */
export const noAnswerOf = (code: string | undefined): string => textOf(reasonOfCode(code));
