import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import type { LookupFunction } from "node:net";
import { type Reason, reason } from "../../contract/kit/reasons.ts";
import type { Config } from "../config/config.ts";
import { retryAfterMs } from "../lib/backoff.ts";
import { readAtMost } from "../lib/bounded-text.ts";
import { checkedLookup, ForbiddenAddress } from "../lib/dialing.ts";
import { isAmong } from "../lib/networks.ts";
import { noAnswerReason } from "../lib/no-answer.ts";
import { tracePlace } from "../lib/traced.ts";

/** The result of one try. */
export interface PostResult {
  /** The status of the answer; null without one. */
  readonly status: number | null;
  /** The first bytes of the answer, as text. */
  readonly answer: string | null;
  readonly milliseconds: number;
  /** Why it was not accepted; null if it was. */
  readonly reason: Reason | null;
  /** When the receiver wants another try, if it says so. */
  readonly againMs?: number | undefined;
}

/** The timeout of one try. */
export const TIMEOUT_MS = 15_000;
const MOST_READ = 64 * 1024;
const MOST_KEPT = 1024;

/** Sends the request to an address that was checked, and waits for the head of the answer. */
const exchange = (
  url: URL,
  lookup: LookupFunction,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? requestSecure : requestPlain;
    const traceparent = tracePlace();
    request(url, {
      method: "POST",
      // A new connection: a pooled one could lead to an unchecked address.
      agent: false,
      lookup,
      headers: {
        ...headers,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "user-agent": "Parley-Webhooks",
        ...(traceparent !== undefined && { traceparent }),
      },
      signal,
    })
      .once("response", resolve)
      // Without a listener, status 101 would be neither a response nor an error.
      .once("upgrade", (answer) => {
        answer.destroy();
        resolve(answer);
      })
      .once("error", reject)
      .once("close", () => reject(new Error("the connection was closed")))
      .end(body);
  });

/** The first bytes of an answer. Bytes beyond the limit or after the timeout are dropped. */
const readSome = async (answer: IncomingMessage): Promise<string> => {
  // Also of one that breaks off: the status has arrived and decides.
  const { bytes } = await readAtMost(answer, MOST_READ, MOST_KEPT);
  answer.destroy();
  // In stream mode, which drops a character that is cut in the middle.
  const text = new TextDecoder().decode(bytes, { stream: true });
  return text.replaceAll("\0", "\uFFFD");
};

const problemOf = (error: unknown, timeout: AbortSignal): Reason => {
  if (error instanceof ForbiddenAddress) return error.reason;
  if (timeout.aborted) return reason("no_answer_within", { seconds: TIMEOUT_MS / 1000 });
  return noAnswerReason(error);
};

interface PostOptions {
  /** The webhook's organization. */
  readonly organizationId: string;
  /** Non-public addresses that may be dialed. */
  readonly networks: Config["allowedNetworks"];
  /** Aborts the request. */
  readonly stop: AbortSignal;
}

/**
 * Posts a body once, to an address checked after its name was resolved; follows no redirect. Any
 * 2xx status accepts it. Never throws.
 */
export const post = async (
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { organizationId, networks, stop }: PostOptions,
): Promise<PostResult> => {
  const began = performance.now();
  const took = () => Math.round(performance.now() - began);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = AbortSignal.any([timeout, stop]);
  try {
    const url = new URL(address);
    const lookup = await checkedLookup(organizationId, url.hostname, isAmong(networks), signal);
    const answered = await exchange(url, lookup, headers, body, signal);
    const status = answered.statusCode ?? 0;
    const answer = await readSome(answered);
    const isAccepted = status >= 200 && status < 300;
    const isMoved = status >= 300 && status < 400;
    const againMs = retryAfterMs(answered.headers["retry-after"]);
    const refused = reason(isMoved ? "webhook_redirected" : "webhook_answered", { status });
    const why = isAccepted ? null : refused;
    return { status, answer, milliseconds: took(), reason: why, againMs };
  } catch (error) {
    return { status: null, answer: null, milliseconds: took(), reason: problemOf(error, timeout) };
  }
};
