import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Operation } from "../../contract/kit/operation.ts";
import { errorOf, type FieldReason, type Reason } from "../../contract/kit/reasons.ts";
import { type Code, texts } from "../../contract/kit/texts.ts";
import {
  conditionOf,
  isOverload,
  isUnavailable,
  UnsupportedDatabase,
  whyUnavailable,
} from "../db/errors.ts";
import { meter } from "../lib/measured.ts";
import { Refusal, type Wait } from "../lib/refusal.ts";
import { addToSpan } from "../lib/traced.ts";

/** A failure before it is put into the shape of its operation. */
export interface HttpFailure {
  readonly code: Code;
  readonly text: string;
  readonly errors: readonly FieldReason[];
  readonly reason?: Reason | undefined;
  readonly more?: Refusal["more"];
  /** The database's condition, if the operation's answer contains it. */
  readonly detail?: string;
}

/** Seconds until a retry after 503 or 429 makes sense. */
export const RETRY_SECONDS = 2;

/** Fastify's own refusals of unreadable requests. */
const framework: Readonly<Record<string, Code>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_EMPTY_JSON_BODY: "invalid_json",
};

/** The meaning of an error for a caller; undefined for an internal fault. */
const failureOf = (error: unknown, operation: Operation | undefined): HttpFailure | undefined => {
  if (error instanceof Refusal) {
    const { code, message: text, errors, reason, more } = error;
    return { code, text, errors, reason, more };
  }
  if (isUnavailable(error)) {
    const { code, detail } = operation?.fault ?? { code: whyUnavailable(error), detail: false };
    return {
      code,
      text: texts[code].text,
      errors: [],
      ...(detail ? { detail: conditionOf(error) } : {}),
    };
  }
  const code = framework[(error as { readonly code?: string }).code ?? ""];
  return code && { code, text: texts[code].text, errors: [] };
};

/** Returns whether the client closed its connection in the middle of a body: nobody reads the answer. */
const isHangUp = ({ raw }: FastifyRequest, error: unknown): boolean =>
  !raw.complete && raw.destroyed && (error as { readonly code?: string }).code === "ECONNRESET";

/** The failure body of an operation, in its shape. */
export const failureBody = (operation: Operation | undefined, failure: HttpFailure) => {
  const { code, text, errors, reason, detail, more } = failure;
  const facts = {
    code,
    ...(detail === undefined ? {} : { error: detail }),
    ...(reason === undefined ? {} : { reason }),
    ...more,
    ...(errors.length > 0 ? { errors: errors.map(errorOf) } : {}),
  };
  switch (operation?.failure) {
    case "typed error":
      return { type: operation.type, success: false, error: text, ...facts };
    case "typed message":
      return { type: operation.type, success: false, message: text, ...facts };
    case "authToken":
      return { authToken: { ok: false, message: text }, ...facts };
    default:
      return { success: false, message: text, ...facts };
  }
};

/**
 * Answers an error: a refusal with its body and status, an unavailable database with the
 * operation's own text, anything else with a 500 without details, logged once.
 *
 * @param shaped puts the failure into the shape of its answer
 */
export const answerFailure = (
  reply: FastifyReply,
  operation: Operation | undefined,
  error: unknown,
  log: Logger,
  shaped = (failure: HttpFailure): object => failureBody(operation, failure),
): FastifyReply => {
  const facts = { requestId: reply.request.id, operation: operation?.id };
  if (isHangUp(reply.request, error)) {
    log.info(facts, "the client hung up before its request was complete");
    return reply.status(400).send();
  }
  const known = failureOf(error, operation);
  if (!known) log.error({ ...facts, err: error }, "unexpected error");
  else if (isUnavailable(error)) {
    log.warn(
      {
        ...facts,
        condition: conditionOf(error),
        ...(error instanceof UnsupportedDatabase ? { reason: error.message } : {}),
      },
      isOverload(error) ? "too busy" : "database away",
    );
  }
  const failure = known ?? { code: "internal" as const, text: texts.internal.text, errors: [] };
  const { status } = texts[failure.code];
  addToSpan({ "error.type": failure.code });
  meter("failure", { operation: operation?.id ?? "none", code: failure.code });
  if (status === 401) reply.header("www-authenticate", challengeTo(reply.request));
  const isWorthARetry = status === 503 || status === 429 || failure.code === "idempotency_running";
  if (isWorthARetry) reply.header("retry-after", RETRY_SECONDS);
  if (error instanceof Refusal && error.wait) tellWait(reply, error.wait);
  return reply.status(status).send(shaped(failure));
};

/** Retry-After (RFC 9110, 10.2.3) and the RateLimit headers (draft-ietf-httpapi-ratelimit-headers). */
const tellWait = (reply: FastifyReply, { retryAfter, policy }: Wait): void => {
  const { name, quota, seconds } = policy;
  reply
    .header("retry-after", retryAfter)
    .header("ratelimit-policy", `"${name}";q=${quota};w=${seconds}`)
    .header("ratelimit", `"${name}";r=0;t=${retryAfter}`);
};

/** RFC 6750, 3: `error` only where credentials were sent and refused. */
const challengeTo = ({ headers }: FastifyRequest): string =>
  headers.authorization === undefined
    ? 'Bearer realm="parley"'
    : 'Bearer realm="parley", error="invalid_token"';
