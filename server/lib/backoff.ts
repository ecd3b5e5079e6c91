import { randomInt } from "node:crypto";

/** The n-th pause (from 1): twice the previous one, up to the longest. */
export const growing = (firstMs: number, n: number, longestMs: number): number =>
  Math.min(firstMs * 2 ** (n - 1), longestMs);

/** The pause that the other side asks for, if it is longer, up to the longest. */
export const atLeast = (ownMs: number, toldMs: number | undefined, longestMs: number): number =>
  Math.max(ownMs, Math.min(toldMs ?? 0, longestMs));

/** Adds or subtracts up to a fifth, so that work that failed together is not retried together. */
export const jittered = (ms: number): number => (ms * randomInt(800, 1201)) / 1000;

/** A `Retry-After` header (seconds or a date; RFC 9110, 10.2.3) in milliseconds. */
export const retryAfterMs = (header: string | null | undefined): number | undefined => {
  const text = header?.trim() ?? "";
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
};
