import { AuthorizationResponseError, ClientError, ResponseBodyError } from "openid-client";
import type { SignInRefusal } from "../../contract/kit/plain.ts";
import { SealError } from "../db/seal.ts";
import { ForbiddenAddress } from "../lib/dialing.ts";
import { noAnswer } from "../lib/no-answer.ts";
import { WrongIssuer } from "./as-client.ts";

/** Somebody does not get in by a provider; the page says why by the word. */
export class SignInRefused extends Error {
  override readonly name = "SignInRefused";
  readonly word: SignInRefusal;
  /** The reason in the log, for the operator; undefined where nothing is wrong. */
  readonly detail: string | undefined;

  constructor(word: SignInRefusal, detail?: string) {
    super(word);
    this.word = word;
    this.detail = detail;
  }
}

/** The errors behind an error, the first one first. */
const causes = (error: unknown): unknown[] =>
  error instanceof Error && error.cause !== undefined ? [error, ...causes(error.cause)] : [error];

/** The fault of a provider, in words for its administrator. */
export const problemWith = (error: unknown): string => {
  const all = causes(error);
  const known = all.find(
    (one) =>
      one instanceof ForbiddenAddress || one instanceof WrongIssuer || one instanceof SealError,
  );
  if (known instanceof SealError)
    return "The client secret was sealed with another key: enter it again.";
  if (known instanceof Error) return known.message;
  if (error instanceof ResponseBodyError) {
    return `The provider answered ${error.status}: ${error.error}${error.error_description ? ` (${error.error_description})` : ""}.`;
  }
  const response = all.find((one) => one instanceof Response);
  if (response instanceof Response) return `The provider answered ${response.status}.`;
  if (error instanceof ClientError && error.code !== undefined)
    return `${error.message} (${error.code}).`;
  return noAnswer(all.at(-1));
};

/** Whether there was no answer at all. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof ClientError
    ? error.code === "OAUTH_TIMEOUT" || error.code === "OAUTH_ABORT" || error.code === undefined
    : error instanceof TypeError;

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
