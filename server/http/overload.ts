import { monitorEventLoopDelay } from "node:perf_hooks";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config/config.ts";
import { leastRecentlyUsed } from "../lib/lru.ts";
import { Refusal, refuse } from "../lib/refusal.ts";
import { limits } from "./limits.ts";

/*
 * Keeps the service answering under overload: limits of time and number, and an early "come back
 * later" instead of an endless queue.
 */

/** An event loop this late answers nobody in time. */
const LATE_MS = 1_000;
const LOOK_MS = 500;

const isProbe = (url: string): boolean => url === "/healthz" || url === "/readyz";

/** Limits the work that is started. */
export interface OverloadGuard {
  /** Checks a request before its body is read. @throws Refusal `overloaded` */
  admit(url: string): void;
  /** Runs a request's work and counts it meanwhile. @throws Refusal `overloaded` */
  work<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Sheds requests with 503 and Retry-After while too many are worked on or the event loop is late;
 * health and readiness are always answered. Clients that are slow to send or read do not count
 * meanwhile.
 */
export const overloadGuard = (app: FastifyInstance): OverloadGuard => {
  app.server.headersTimeout = limits.headersMs;
  const delay = monitorEventLoopDelay({ resolution: 20 });
  // Not earlier: a start blocks the loop, and the first requests would be shed.
  app.addHook("onListen", async () => void delay.enable());
  let isLate = false;
  const looking = setInterval(() => {
    isLate = delay.percentile(50) / 1e6 > LATE_MS;
    delay.reset();
  }, LOOK_MS).unref();
  app.addHook("onClose", async () => {
    clearInterval(looking);
    delay.disable();
  });

  let running = 0;
  const admit = (url: string): void => {
    if ((running >= limits.requests || isLate) && !isProbe(url)) refuse("overloaded");
  };
  return {
    admit,
    async work(work) {
      admit("");
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
      }
    },
  };
};

/** The most holders that are counted at a time; beyond, the least recently used are dropped. */
const HOLDERS = 10_000;

/**
 * Limits each holder's requests in this process: `rateLimit` a second, and five seconds' worth at
 * once. Zero: no limit.
 *
 * @returns counts a holder's request; throws Refusal `too_many_requests`
 */
export const limitRate = ({ rateLimit }: Pick<Config, "rateLimit">): ((holder: string) => void) => {
  if (rateLimit === 0) return () => {};
  const quota = rateLimit * 5;
  const stepMs = 1000 / rateLimit;
  const usedUntil = leastRecentlyUsed<string, number>(HOLDERS);
  return (holder) => {
    const current = performance.now();
    const from = Math.max(usedUntil.get(holder) ?? 0, current);
    const wait = from - current - (quota - 1) * stepMs;
    if (wait > 0) {
      throw new Refusal("too_many_requests", [], undefined, {
        retryAfter: Math.ceil(wait / 1000),
        policy: { name: "token", quota, seconds: 5 },
      });
    }
    usedUntil.set(holder, from + stepMs);
  };
};
