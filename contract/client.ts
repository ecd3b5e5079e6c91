import { type Operations, operations } from "./index.ts";
import type { Input, Operation, Reply } from "./operation.ts";
import type { Code } from "./texts.ts";

export type { Input, Reply } from "./operation.ts";
export type { Code } from "./texts.ts";
export { operations };

/** What is wrong with one field; `field` is a path such as `email` or `[3].userId`. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** A failure that the service answered. */
export class ParleyError extends Error {
  override readonly name = "ParleyError";
  /** Stable and machine-readable, such as `email_taken`. */
  readonly code: Code;
  /** The HTTP status. */
  readonly status: number;
  /** For bad input: every field that was wrong. */
  readonly errors: readonly FieldError[];
  /** Seconds to wait before the next try, where the service said so. */
  readonly retryAfter: number | undefined;
  /** The ID under which the service logged the request. */
  readonly requestId: string | undefined;

  constructor(message: string, facts: Omit<ParleyError, keyof Error>) {
    super(message);
    this.code = facts.code;
    this.status = facts.status;
    this.errors = facts.errors;
    this.retryAfter = facts.retryAfter;
    this.requestId = facts.requestId;
  }
}

export interface ClientOptions {
  /** Where the service is, such as `https://meet.example.org`; empty in a page of its own. */
  readonly baseUrl?: string;
  /** The Bearer token, or how to get the present one. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>);
  /** Told the fields that the service did not know (`Parley-Ignored`). Default: a warning. */
  readonly onIgnored?: (fields: readonly string[], operation: string) => void;
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The `ETag` of what was loaded: an edit of anything newer fails with `precondition_failed`. */
  readonly ifMatch?: string;
  /** Receives the answer's `ETag`, where it carries one. */
  readonly onETag?: (etag: string) => void;
}

type Call<O extends Operation> = O["in"] extends "nothing"
  ? (input?: Record<string, never>, options?: CallOptions) => Promise<Reply<O>>
  : (input: Input<O>, options?: CallOptions) => Promise<Reply<O>>;

/** One method per operation, named after it. */
export type Client = { readonly [K in keyof Operations]: Call<Operations[K]> };

const warnIgnored = (fields: readonly string[], operation: string): void =>
  console.warn(`Parley does not know these fields of ${operation}: ${fields.join(", ")}`);

/** The address of a call: path parameters filled in, a query appended. */
const addressOf = ({ path, in: where }: Operation, input: unknown): string => {
  const fields = Object.entries((input ?? {}) as Record<string, unknown>);
  if (where === "path") {
    return fields.reduce(
      (filled, [name, value]) => filled.replace(`:${name}`, encodeURIComponent(String(value))),
      path,
    );
  }
  if (where !== "query") return path;
  const given = fields.filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return query.size > 0 ? `${path}?${query}` : path;
};

const failureOf = (response: Response, body: Record<string, unknown> | undefined): ParleyError => {
  const inner = (body?.authToken ?? body) as Record<string, unknown> | undefined;
  // The room list says `error` where the others say `message`.
  const message = body?.message ?? inner?.message ?? body?.error ?? response.statusText;
  const retryAfter = response.headers.get("retry-after");
  return new ParleyError(String(message), {
    code: (body?.code ?? "internal") as Code,
    status: response.status,
    errors: (body?.errors ?? []) as FieldError[],
    retryAfter: retryAfter === null ? undefined : Number(retryAfter),
    requestId: response.headers.get("x-request-id") ?? undefined,
  });
};

/**
 * A typed client for Parley's interface, for Node and browsers.
 *
 * @throws ParleyError from every method when the service answers a failure; TypeError when the
 *   service could not be reached (as `fetch` does)
 * @example
 * const parley = createClient({ baseUrl: "http://localhost:3000", token });
 * const { roomSettings } = await parley.listRooms({ search: "board" });
 */
export const createClient = ({
  baseUrl = "",
  token,
  onIgnored = warnIgnored,
  fetch = globalThis.fetch,
}: ClientOptions = {}): Client => {
  const call = async (
    operation: Operation,
    input: unknown,
    { signal, ifMatch, onETag }: CallOptions = {},
  ) => {
    const bearer = typeof token === "function" ? await token() : token;
    const response = await fetch(`${baseUrl.replace(/\/$/, "")}${addressOf(operation, input)}`, {
      method: operation.method,
      headers: {
        "content-type": "application/json",
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
      },
      ...(operation.in === "body" ? { body: JSON.stringify(input) } : {}),
      ...(signal === undefined ? {} : { signal }),
    });
    const body = (await response.json().catch(() => undefined)) as
      | Record<string, unknown>
      | undefined;
    if (!response.ok || body === undefined) throw failureOf(response, body);
    const etag = response.headers.get("etag");
    if (etag !== null) onETag?.(etag);
    const ignored = response.headers.get("parley-ignored");
    if (ignored !== null) {
      onIgnored(ignored.split(", ").map(decodeURIComponent), operation.id);
    }
    return body;
  };
  return Object.fromEntries(
    Object.entries(operations).map(([id, operation]) => [
      id,
      (input: unknown, options?: CallOptions) => call(operation, input, options),
    ]),
  ) as unknown as Client;
};
