import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Count } from "../access/sessions.ts";
import { countedAddress } from "../access/throttle.ts";
import type { Config } from "../config/config.ts";
import { addressOf } from "../lib/networks.ts";
import { Refusal } from "../lib/refusal.ts";
import { limitRate } from "./overload.ts";

/**
 * For whom the requests of a route count in RATE_LIMIT. A route that says nothing counts by address.
 *
 * - `address`: for the address, before the body is read
 * - `caller`: for the holder of the token; without a known token, for the address
 * - `found`: for whom the handler finds by a secret, or else for the address; before, more widely for the
 *   address
 * - `files`: the same, for the viewer whom the handler finds by a cookie, and apart from other requests
 * - `sockets`: for the address, with its WebSockets
 * - `nothing`: it reads only what is in memory, or a probe asks for it
 */
export type CountsBy = "address" | "caller" | "found" | "files" | "sockets" | "nothing";

declare module "fastify" {
  interface FastifyContextConfig {
    readonly counts?: CountsBy;
  }
}

/**
 * How many times RATE_LIMIT an address has for everybody whom handlers find: a class behind one
 * address watches together, and each viewer has RATE_LIMIT.
 */
const FOUND = 10;

type CountRequest = (request: Pick<IncomingMessage, "socket" | "headers">) => void;

/** Counts requests. Each throws the Refusal `too_many_requests` if there are too many. */
export interface Counting {
  readonly holder: Count;
  readonly address: CountRequest;
  /**
   * Apart from the address's other requests: people who return to a meeting have just sent many.
   */
  readonly socket: CountRequest;
  /** Before a handler finds for whom it counts. */
  readonly found: CountRequest;
  readonly file: CountRequest;
  /** A request for a file that its cookie does not open: players go on asking for a while. */
  readonly noFile: CountRequest;
}

export const openCounting = ({
  rateLimit,
  trustProxy,
}: Pick<Config, "rateLimit" | "trustProxy">): Counting => {
  const from = addressOf(trustProxy);
  const holder = limitRate({ rateLimit });
  const widely = limitRate({ rateLimit: rateLimit * FOUND });
  const by =
    (count: Count, what = ""): CountRequest =>
    (request) =>
      count(what + countedAddress(from(request)));
  return {
    holder,
    address: by(holder),
    socket: by(holder, "socket "),
    found: by(widely),
    file: by(widely, "file "),
    noFile: by(holder, "no file "),
  };
};

/** Finds by cookies who views a file, and counts the request. @throws Refusal that of `find`, or `too_many_requests` */
export const countViewer = async <Viewing extends { readonly viewer: string }>(
  { holder, noFile }: Counting,
  { raw }: Pick<FastifyRequest, "raw">,
  find: () => Promise<Viewing>,
): Promise<Viewing> => {
  const viewing = await find().catch((error: unknown) => {
    if (error instanceof Refusal) noFile(raw);
    throw error;
  });
  holder(`file ${viewing.viewer}`);
  return viewing;
};

/** Counts each route's requests as far as possible before its handler runs. */
export const countRoutes = (app: FastifyInstance, counting: Counting): void => {
  const before: Partial<Record<CountsBy, CountRequest>> = {
    address: counting.address,
    found: counting.found,
    files: counting.file,
    sockets: counting.socket,
  };
  app.addHook("onRequest", (request, _reply, done) => {
    if (!request.is404) before[request.routeOptions.config.counts ?? "address"]?.(request.raw);
    done();
  });
};
