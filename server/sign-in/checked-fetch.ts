import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { CustomFetch } from "openid-client";
import { readAtMost } from "../lib/bounded-text.ts";
import { checkedLookup, ForbiddenAddress, type IsAllowed, isPublic } from "../lib/dialing.ts";

/** How long a provider may take to answer. */
export const ANSWER_MS = 5_000;
/** More than the keys and the discovery document of any provider take. */
const MOST_READ = 512 * 1024;

/** Returns whether a lookup leads to the public Internet. */
const leadsOutside = async (lookup: LookupFunction, host: string): Promise<boolean> => {
  const found = await new Promise<readonly { readonly address: string }[]>((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) =>
      error ? reject(error) : resolve(addresses as { address: string }[]),
    );
  });
  return found.some(({ address }) => isIP(address) === 0 || isPublic(address));
};

const exchange = (
  url: URL,
  lookup: LookupFunction,
  { method, headers, body }: Parameters<CustomFetch>[1],
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? requestSecure : requestPlain;
    const sent = body instanceof URLSearchParams ? body.toString() : body;
    request(url, {
      method,
      // A new connection: a pooled one could lead to an unchecked address.
      agent: false,
      lookup,
      headers: { ...headers, "user-agent": "Parley" },
      signal,
    })
      .once("response", resolve)
      .once("upgrade", (answer) => {
        answer.destroy();
        reject(new Error("the provider switched protocols"));
      })
      .once("error", reject)
      .end(typeof sent === "string" || sent instanceof Uint8Array ? sent : undefined);
  });

const readAll = async (answer: IncomingMessage): Promise<Buffer> => {
  const { bytes, isWhole, broken } = await readAtMost(answer, MOST_READ);
  if (broken !== undefined) throw broken;
  if (!isWhole) throw new Error("the provider's answer is too long");
  return bytes;
};

/** Statuses whose answers have no body. */
const EMPTY: readonly number[] = [204, 205, 304];

/**
 * Requests to providers, whose addresses administrators of organizations choose: only to addresses that
 * were checked after their names were resolved, with TLS outside the operator's own network, and without
 * following redirects.
 */
export const checkedFetch =
  (organizationId: string, isAllowed: IsAllowed): CustomFetch =>
  async (address, options) => {
    const url = new URL(address);
    const timeout = AbortSignal.timeout(ANSWER_MS);
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
    const lookup = await checkedLookup(organizationId, url.hostname, isAllowed, signal);
    if (url.protocol !== "https:" && (await leadsOutside(lookup, url.hostname))) {
      throw new ForbiddenAddress();
    }
    const answer = await exchange(url, lookup, options, signal);
    const status = answer.statusCode ?? 0;
    const body = await readAll(answer);
    const headers = new Headers();
    for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
      for (const value of values) headers.append(name, value);
    }
    return new Response(EMPTY.includes(status) ? null : new Uint8Array(body), { status, headers });
  };
