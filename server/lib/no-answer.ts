/*
 * Describes a server that gives no proper answer. Library messages say less or something false: a
 * wrong certificate is not a missing answer. Their codes stay in parentheses.
 */

/** Whether a code of Node means that the peer's certificate is not accepted. */
export const isCertificate = (code: string): boolean =>
  // A server that requires a client certificate says ERR_SSL_..._CERTIFICATE_...
  !code.startsWith("ERR_SSL") && /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|SIGNATURE/.test(code);

const kinds: readonly (readonly [is: (code: string) => boolean, words: string])[] = [
  [isCertificate, "The certificate of the other side is not accepted"],
  [(code) => /^ERR_SSL|^ERR_TLS|^EPROTO$/.test(code), "No encrypted connection came about"],
  [(code) => /^ENOTFOUND$|^EAI_/.test(code), "The name cannot be resolved"],
  [(code) => /^ECONNREFUSED$/.test(code), "Nothing answers at this address"],
  [(code) => /^ECONNRESET$|^EPIPE$|^UND_ERR_SOCKET$/.test(code), "The connection was closed"],
  [(code) => /^HPE_|^HTTPParserError$/.test(code), "What answers does not speak HTTP"],
];

/** The code of an error or of its cause, where `fetch` has it. */
const codeOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  // Some versions of Node leave its code out.
  if (error.name === "HTTPParserError") return error.name;
  return codeOf(error.cause);
};

/** A sentence for operators: why there is no answer. */
export const noAnswer = (error: unknown): string => noAnswerOf(codeOf(error));

/** The same for a code. */
export const noAnswerOf = (code: string | undefined): string => {
  if (code === undefined) return "There was no answer.";
  const [, words = "There was no answer"] = kinds.find(([is]) => is(code)) ?? [];
  return `${words} (${code}).`;
};
