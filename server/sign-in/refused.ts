import { AuthorizationResponseError, ClientError, ResponseBodyError } from "openid-client";
import type { SignInRefusal } from "../../contract/kit/plain.ts";
import { type Reason, reason, textOf } from "../../contract/kit/reasons.ts";
import { SealError } from "../db/seal.ts";
import { ForbiddenAddress } from "../lib/dialing.ts";
import { noAnswerReason } from "../lib/no-answer.ts";
import { ProviderProblem } from "./as-client.ts";

/** The most characters of a reason in the log: a provider may say half a megabyte, and anybody some kilobytes. */
const LONGEST = 1_000;

/** Somebody does not get in by a provider; the page says why by the word. */
export class SignInRefused extends Error {
  override readonly name = "SignInRefused";
  readonly word: SignInRefusal;
  /** The reason in the log, for the operator; undefined where nothing is wrong. */
  readonly detail: string | undefined;

  constructor(word: SignInRefusal, detail?: string) {
    super(word);
    this.word = word;
    this.detail = detail?.slice(0, LONGEST);
  }
}

/** The errors behind an error, the first one first. */
const causes = (error: unknown): unknown[] =>
  error instanceof Error && error.cause !== undefined ? [error, ...causes(error.cause)] : [error];

/** Returns whether there was no answer at all. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof ClientError
    ? error.code === "OAUTH_TIMEOUT" || error.code === "OAUTH_ABORT" || error.code === undefined
    : error instanceof TypeError;

/** The fault of a provider. */
export const providerFault = (error: unknown): Reason => {
  const all = causes(error);
  for (const one of all) {
    if (one instanceof ForbiddenAddress || one instanceof ProviderProblem) return one.reason;
    if (one instanceof SealError) return reason("provider_secret_unreadable");
  }
  if (error instanceof ResponseBodyError) {
    const { status, error: said, error_description: more } = error;
    return reason("provider_answered_error", { status, said: more ? `${said} (${more})` : said });
  }
  if (error instanceof ClientError && error.code === "OAUTH_RESPONSE_IS_NOT_JSON") {
    return reason("provider_not_json");
  }
  const response = all.find((one) => one instanceof Response);
  if (response instanceof Response) return reason("provider_answered", { status: response.status });
  if (error instanceof ClientError && !isUnreachable(error)) {
    return reason("provider_unusable", { said: `${error.message} (${error.code})` });
  }
  return noAnswerReason(all.at(-1));
};

/** The same in words for the provider's administrator. */
export const problemWith = (error: unknown): string =>
  textOf(providerFault(error)).slice(0, LONGEST);

/** Throws why a sign-in ends where the provider, or the way to it, is not as it should be. */
export const failed = (error: unknown): never => {
  if (error instanceof SignInRefused) throw error;
  if (error instanceof AuthorizationResponseError) {
    throw new SignInRefused("provider_refused", `${error.error}: ${error.error_description ?? ""}`);
  }
  throw new SignInRefused(
    isUnreachable(error) ? "provider_unreachable" : "provider_failed",
    problemWith(error),
  );
};
