import type { ServerResponse } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { Refusal, refuse } from "../refusal.ts";

/*
 * What keeps the service answering when it is asked for more than it can do: limits of time and
 * number, and an early "come back later" instead of a queue that grows for ever.
 */

/** How long a client may take, in milliseconds. */
export const timeLimits = {
  /** For the headers of a request. */
  headersMs: 10_000,
  /** For a request with its body. */
  requestMs: 30_000,
  /** Without a byte in either direction, such as a client that does not read its answer. */
  silentMs: 60_000,
  /** Between two requests. Longer than the 60 s after which proxies close. */
  keepAliveMs: 72_000,
} as const;

/** Connections at a time; each costs little, and the next one is refused by the system. */
const CONNECTIONS = 4_000;
/** Requests worked on at a time: what waits beyond them would be answered later than anybody waits. */
const REQUESTS = 1_000;
/** An event loop that is this late answers nobody in time. */
const LATE_MS = 1_000;
const LOOK_MS = 500;

const isProbe = (url: string): boolean => url === "/healthz" || url === "/readyz";

/**
 * Sheds requests with 503 and Retry-After while too many are worked on or the event loop is late;
 * health and readiness are always answered. Whoever is slow to send a body, or to take an answer,
 * takes nobody's place meanwhile.
 *
 * @returns what every request passes; it throws Refusal `overloaded`
 */
export const overloadGuard = (
  app: FastifyInstance,
): ((request: FastifyRequest, reply: FastifyReply) => void) => {
  app.server.maxConnections = CONNECTIONS;
  app.server.headersTimeout = timeLimits.headersMs;
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let isLate = false;
  const looking = setInterval(() => {
    isLate = delay.percentile(50) / 1e6 > LATE_MS;
    delay.reset();
  }, LOOK_MS).unref();
  app.addHook("onClose", async () => {
    clearInterval(looking);
    delay.disable();
  });

  const running = new Set<ServerResponse>();
  const begin = ({ url }: FastifyRequest, { raw }: FastifyReply): void => {
    if ((running.size >= REQUESTS || isLate) && !isProbe(url)) refuse("overloaded");
    // Whose client is gone would never end.
    if (!raw.destroyed) running.add(raw);
  };
  app.addHook("preParsing", (_request, { raw }, body, done) => {
    running.delete(raw);
    done(null, body);
  });
  app.addHook("preValidation", (request, reply, done) => {
    begin(request, reply);
    done();
  });
  app.addHook("onSend", (_request, { raw }, answer, done) => {
    running.delete(raw);
    done(null, answer);
  });
  return (request, reply) => {
    begin(request, reply);
    reply.raw.once("close", () => running.delete(reply.raw));
  };
};

/** Tokens counted at a time; beyond, those unused for longest are forgotten. */
const HOLDERS = 10_000;

/**
 * A limit for one holder of a token in this process: so many requests a second, five seconds of
 * them at once. Zero: no limit.
 *
 * @returns what counts a request; it throws Refusal `too_many_requests`
 */
export const limitRate = ({ rateLimit }: Pick<Config, "rateLimit">): ((holder: string) => void) => {
  if (rateLimit === 0) return () => {};
  const quota = rateLimit * 5;
  const stepMs = 1000 / rateLimit;
  const usedUntil = new Map<string, number>();
  return (holder) => {
    const present = performance.now();
    const from = Math.max(usedUntil.get(holder) ?? 0, present);
    const wait = from - present - (quota - 1) * stepMs;
    if (wait > 0) {
      throw new Refusal("too_many_requests", [], undefined, {
        retryAfter: Math.ceil(wait / 1000),
        policy: { name: "token", quota, seconds: 5 },
      });
    }
    usedUntil.delete(holder);
    usedUntil.set(holder, from + stepMs);
    if (usedUntil.size > HOLDERS) usedUntil.delete(usedUntil.keys().next().value ?? "");
  };
};
