import {
  type CallPlan,
  calls,
  type FieldError,
  type Inputs,
  type Reason,
  type Replies,
} from "./calls.ts";
import { ParleyError } from "./failure.ts";

export type * from "./calls.ts";
export { ParleyError } from "./failure.ts";
export {
  connectMeeting,
  type MeetingConnection,
  type MeetingConnectionState,
  type MeetingEnd,
  type MeetingMessage,
  type MeetingOptions,
} from "./meeting-client.ts";

/** A source of tokens that gets a new one when the service refuses the current one. */
export interface Tokens {
  readonly current: () => Promise<string>;
  /** A token newer than the refused one. */
  readonly renewed: (refused: string | undefined) => Promise<string>;
}

export interface ClientOptions {
  /**
   * The service's address, such as `https://meet.example.org`; empty in a page that the service
   * serves.
   */
  readonly baseUrl?: string;
  /** The Bearer token, or how to get the current one; `tokensByAccessKey` also renews it. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>) | Tokens;
  /** Receives the names of fields that the service did not know (`Parley-Ignored`). Default: a warning. */
  readonly onIgnored?: (fields: readonly string[], operation: string) => void;
  readonly fetch?: typeof globalThis.fetch;
  /**
   * How often a call is sent again whose connection was lost: reads, and changes, which get an
   * `Idempotency-Key` for it, so that they are made once. Default: 2; 0 for never, and no key.
   */
  readonly retries?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The `ETag` of the loaded version: the edit fails with `precondition_failed` if there is a newer one. */
  readonly ifMatch?: string;
  /**
   * Makes a change safe to repeat for 24 hours: the service carries out calls with the same key once, and
   * gives each the same answer. Use a new random text for each change, such as `crypto.randomUUID()`.
   */
  readonly idempotencyKey?: string;
  /** Receives the answer's `ETag`, if it has one. */
  readonly onETag?: (etag: string) => void;
  /** Receives the answer's `Parley-Note`, if it has one: what takes effect later, or not at all. */
  readonly onNote?: (note: string) => void;
}

type Call<I, R> =
  Record<never, never> extends I
    ? (input?: I, options?: CallOptions) => Promise<R>
    : (input: I, options?: CallOptions) => Promise<R>;

/** One method per operation, named after it. */
export type Client = { readonly [K in keyof Inputs & keyof Replies]: Call<Inputs[K], Replies[K]> };

const warnIgnored = (fields: readonly string[], operation: string): void =>
  console.warn(`Parley does not know these fields of ${operation}: ${fields.join(", ")}`);

/** The address of a call: path parameters filled in, a query appended. */
const addressOf = ({ path, in: where }: CallPlan, input: unknown): string => {
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

/** The pauses before a call is sent again, in milliseconds; the last one for every further one. */
const PAUSES = [200, 1_000];
/** The pause while the service still works on the first one. */
const RUNNING = 2_000;

/** @throws the reason of the signal once it is aborted */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });

/** A new random text. `randomUUID` is missing in pages without TLS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** The seconds of a `Retry-After`, which is a number or a date; undefined if it is neither. */
const secondsOf = (retryAfter: string): number | undefined => {
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000);
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : undefined;
};

const failureOf = (response: Response, body: Record<string, unknown> | undefined): ParleyError => {
  const inner = (body?.authToken ?? body) as Record<string, unknown> | undefined;
  // The room list uses `error` instead of `message`.
  const said = body?.message ?? inner?.message ?? body?.error ?? response.statusText;
  const retryAfter = response.headers.get("retry-after");
  // A proxy that answers in place of the service gives no text: HTTP/2 has no status text.
  return new ParleyError(String(said || `The service answered ${response.status}.`), {
    code: String(body?.code ?? "internal"),
    status: response.status,
    errors: (body?.errors ?? []) as FieldError[],
    reason: body?.reason as Reason | undefined,
    ticket: typeof body?.ticket === "string" ? body.ticket : undefined,
    retryAfter: retryAfter === null ? undefined : secondsOf(retryAfter),
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
  retries = 2,
}: ClientOptions = {}): Client => {
  const tokens = typeof token === "object" ? token : undefined;
  const bearerOf = (): string | undefined | Promise<string | undefined> =>
    typeof token === "object" ? token.current() : typeof token === "function" ? token() : token;

  const callOnce = async (
    id: string,
    plan: CallPlan,
    input: unknown,
    { signal, ifMatch, idempotencyKey, onETag, onNote }: CallOptions,
  ) => {
    const send = (bearer: string | undefined) =>
      fetch(`${baseUrl.replace(/\/$/, "")}${addressOf(plan, input)}`, {
        method: plan.method,
        headers: {
          "content-type": "application/json",
          ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
          ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
          ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
        },
        ...(plan.in === "body" ? { body: JSON.stringify(input ?? {}) } : {}),
        ...(signal === undefined ? {} : { signal }),
      });
    const needsToken = plan.access !== "anyone";
    const bearer = needsToken ? await bearerOf() : undefined;
    let response = await send(bearer);
    // A 401 precedes any work, so the call can safely be repeated.
    if (response.status === 401 && needsToken && tokens !== undefined) {
      await response.body?.cancel();
      response = await send(await tokens.renewed(bearer));
    }
    if (response.ok && plan.file !== undefined) return response.blob();
    const body = (await response.json().catch((error: unknown) => {
      signal?.throwIfAborted();
      // Anything else is an answer of a proxy in place of the service.
      if (error instanceof TypeError) throw error;
    })) as Record<string, unknown> | undefined;
    if (!response.ok || body === undefined) throw failureOf(response, body);
    const etag = response.headers.get("etag");
    if (etag !== null) onETag?.(etag);
    const note = response.headers.get("parley-note");
    if (note !== null) onNote?.(note);
    const ignored = response.headers.get("parley-ignored");
    if (ignored !== null) onIgnored(ignored.split(", ").map(decodeURIComponent), id);
    return body;
  };

  const call = async (id: string, plan: CallPlan, input: unknown, options: CallOptions = {}) => {
    const { signal, idempotencyKey } = options;
    const key = idempotencyKey ?? (plan.changes && retries > 0 ? newKey() : undefined);
    const isRepeatable = plan.method === "GET" || (plan.changes && key !== undefined);
    for (let sent = 1; ; sent += 1) {
      try {
        return await callOnce(id, plan, input, {
          ...options,
          ...(key !== undefined && { idempotencyKey: key }),
        });
      } catch (error) {
        const runs =
          sent > 1 && error instanceof ParleyError && error.code === "idempotency_running";
        const isLost = error instanceof TypeError || runs;
        if (!isLost || !isRepeatable || sent > retries || signal?.aborted) throw error;
        await pause(runs ? RUNNING : (PAUSES[sent - 1] ?? PAUSES.at(-1) ?? 0), signal);
      }
    }
  };
  return Object.fromEntries(
    Object.entries(calls).map(([id, plan]) => [
      id,
      (input: unknown, options?: CallOptions) => call(id, plan, input, options),
    ]),
  ) as unknown as Client;
};

/** Keeps one token; calls that need a new one at the same time share one request for it. */
const keepToken = (get: () => Promise<string>): Tokens => {
  let token: string | undefined;
  let renewal: Promise<string> | undefined;
  const renew = (): Promise<string> => {
    renewal ??= get()
      .then((fresh) => {
        token = fresh;
        return fresh;
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  };
  return {
    current: async () => token ?? renew(),
    renewed: async (refused) => (token !== undefined && token !== refused ? token : renew()),
  };
};

/** The service's address. */
export type ServiceLocation = Pick<ClientOptions, "baseUrl" | "fetch">;

/**
 * Tokens by an access key, exchanged at the first call and again when a token has ended.
 *
 * @example
 * const token = tokensByAccessKey({ baseUrl, accessKey, secretAccessKey });
 * const parley = createClient({ baseUrl, token });
 */
export const tokensByAccessKey = ({
  accessKey,
  secretAccessKey,
  ...service
}: ServiceLocation & { readonly accessKey: string; readonly secretAccessKey: string }): Tokens => {
  const door = createClient(service);
  return keepToken(
    async () => (await door.getAuthToken({ accessKey, secretAccessKey })).authToken.token,
  );
};

/** Tokens by the renewal cookie of a signed-in person, in a page of the service's own origin. */
export const tokensByCookie = (service: ServiceLocation = {}): Tokens => {
  const door = createClient(service);
  return keepToken(async () => (await door.renewSession()).token);
};

interface Paged {
  readonly pagination: { readonly page: number; readonly totalPages: number };
}
/** A method that answers one page of a list. */
type List = (input: never, options?: CallOptions) => Promise<Paged>;
type Criteria<L extends List> = Omit<NonNullable<Parameters<L>[0]>, "page">;

/**
 * The pages of a list, each fetched on demand.
 *
 * @example
 * for await (const { users } of pagesOf(parley.listUsers, { role: "moderator", limit: 100 }))
 *   for (const { email } of users) console.log(email);
 */
export async function* pagesOf<L extends List>(
  list: L,
  ...[criteria, options]: Record<never, never> extends Criteria<L>
    ? [criteria?: Criteria<L>, options?: CallOptions]
    : [criteria: Criteria<L>, options?: CallOptions]
): AsyncGenerator<Awaited<ReturnType<L>>, void, undefined> {
  for (let page = 1, last = 1; page <= last; page += 1) {
    const answer = await list({ ...criteria, page } as never, options);
    last = answer.pagination.totalPages;
    yield answer as Awaited<ReturnType<L>>;
  }
}
