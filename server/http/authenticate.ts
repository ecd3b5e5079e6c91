import type { FastifyRequest } from "fastify";
import { type Authenticated, findCaller } from "../access/tokens.ts";
import type { Database } from "../db/open.ts";
import { callerPerson } from "../db/person-keys.ts";
import { refuse } from "../lib/refusal.ts";
import type { Counting } from "./counting.ts";

/** Longer than any token that Parley issues. */
const LONGEST = 256;

/**
 * A request's Bearer token (RFC 6750, 2.1; the scheme in any case). Only the header counts, and
 * only if there is exactly one.
 */
export const bearerOf = ({ raw }: FastifyRequest): string | undefined => {
  const { rawHeaders } = raw;
  let sent = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === "authorization") sent += 1;
  }
  if (sent !== 1) return undefined;
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(raw.headers.authorization ?? "")?.[1];
  return token !== undefined && token.length <= LONGEST ? token : undefined;
};

/** Returns whether a request has credentials, even invalid ones. */
export const hasToken = ({ raw }: FastifyRequest): boolean =>
  raw.headers.authorization !== undefined;

/** Finds a request's caller. @throws Refusal `unauthorized`, `too_many_requests` */
export type Entrance = (request: FastifyRequest) => Promise<Authenticated>;

/** The entrance of requests with a token; counts each for its holder, or else its address. */
export const entranceTo =
  (database: Database, { holder, address }: Counting): Entrance =>
  async (request) => {
    const token = bearerOf(request);
    const known = token === undefined ? undefined : await findCaller(database, token);
    if (known === undefined) {
      address(request.raw);
      return refuse("unauthorized");
    }
    holder(callerPerson(known.caller));
    return known;
  };
