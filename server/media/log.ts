import { open, truncate } from "node:fs/promises";
import type { Logger } from "pino";

const EVERY_MS = 500;
/** The process appends, so it goes on at the beginning of a file that was cut. */
const LARGEST = 8 * 1024 * 1024;
const PIECE = 256 * 1024;

const levels = { error: "error", warn: "warn", info: "info", debug: "debug" } as const;

/** LiveKit 1.13.5 logs an invalid token in full. */
export const redact = (text: string): string =>
  text
    .replaceAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, "(token)")
    .replaceAll(/((?:access_token|join_request)=)[^&\s"]+/g, "$1(hidden)")
    .replaceAll(/\b[0-9a-f]{64}\b/g, "(secret)");

/** Passes one line of LiveKit's log on. */
const pass = (line: string, log: Logger): void => {
  const text = redact(line);
  try {
    const { level, msg, ts: _, ...more } = JSON.parse(text);
    log[levels[level as keyof typeof levels] ?? "warn"]({ engine: more }, `media engine: ${msg}`);
  } catch {
    // Its output is not JSON before it has read its settings.
    if (text.trim() !== "") log.warn(`media engine: ${text}`);
  }
};

/**
 * Follows the log of a process that outlives this one: a pipe would end it at its next line.
 *
 * @param from where to begin, in bytes: earlier lines were passed on already
 * @returns a function that reads what is left, and ends
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
