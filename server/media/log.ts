import { open, truncate } from "node:fs/promises";
import type { Logger } from "pino";

const EVERY_MS = 500;
/** A larger log is truncated. LiveKit appends, so it then continues at the beginning of the file. */
const LARGEST = 8 * 1024 * 1024;
const PIECE = 256 * 1024;

const levels = { error: "error", warn: "warn", info: "info", debug: "debug" } as const;

/** Hides secrets: for example, LiveKit 1.13.5 logs an invalid token in full. */
export const redact = (text: string): string =>
  text
    .replaceAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, "(token)")
    .replaceAll(/((?:access_token|join_request)=)[^&\s"]+/g, "$1(hidden)")
    .replaceAll(/\b[0-9a-f]{64}\b/g, "(secret)");

/** Writes one line of LiveKit's log to ours. */
const pass = (line: string, log: Logger): void => {
  const text = redact(line);
  try {
    const { level, msg, ts: _, ...more } = JSON.parse(text);
    log[levels[level as keyof typeof levels] ?? "warn"]({ engine: more }, `media engine: ${msg}`);
  } catch {
    // Until LiveKit has read its settings, its output is not JSON.
    if (text.trim() !== "") log.warn(`media engine: ${text}`);
  }
};

/**
 * Follows the log file of a process that may outlive this one: with a pipe, it would die at its next
 * line.
 *
 * @param from where to begin, in bytes: earlier lines have been logged already
 * @returns a function that reads the rest and stops following
 */
export const followLog = (path: string, log: Logger, from = 0): (() => Promise<void>) => {
  let at = from;
  let rest = "";
  let reading: Promise<void> = Promise.resolve();
  const read = async (): Promise<void> => {
    const file = await open(path, "r").catch(() => undefined);
    if (file === undefined) return;
    try {
      const { size } = await file.stat();
      if (size < at) at = 0;
      const buffer = Buffer.alloc(PIECE);
      while (at < size) {
        const { bytesRead } = await file.read(buffer, 0, PIECE, at);
        if (bytesRead === 0) break;
        at += bytesRead;
        const lines = (rest + buffer.toString("utf8", 0, bytesRead)).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) pass(line, log);
      }
    } finally {
      await file.close();
    }
    if (at > LARGEST) {
      await truncate(path);
      at = 0;
    }
  };
  const next = (): Promise<void> => {
    reading = reading.then(read).catch((error: unknown) => {
      log.warn({ err: error }, "the log of the media engine cannot be read");
    });
    return reading;
  };
  const timer = setInterval(() => void next(), EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await next();
    if (rest !== "") pass(rest, log);
  };
};
