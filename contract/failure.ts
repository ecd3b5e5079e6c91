import type { FieldError, KnownCode, Reason } from "./calls.ts";

/** A failure that the service answered. */
export class ParleyError extends Error {
  override readonly name = "ParleyError";
  /** Stable and machine-readable, such as `email_taken`; a later version may have further ones. */
  readonly code: KnownCode | (string & {});
  readonly status: number;
  /** For bad input: every field that was wrong. */
  readonly errors: readonly FieldError[];
  /** The reason for this text, if one code has several. */
  readonly reason?: Reason | undefined;
  /** The ticket for the next step of a sign-in: with `second_factor_needed`, and with `password_to_choose`. */
  readonly ticket?: string | undefined;
  /** Seconds to wait before a retry, if the service named them. */
  readonly retryAfter: number | undefined;
  /** The ID under which the service logged the request. */
  readonly requestId: string | undefined;

  constructor(message: string, facts: Omit<ParleyError, keyof Error>) {
    super(message);
    this.code = facts.code;
    this.status = facts.status;
    this.errors = facts.errors;
    this.reason = facts.reason;
    this.ticket = facts.ticket;
    this.retryAfter = facts.retryAfter;
    this.requestId = facts.requestId;
  }
}
