import { readdir, readFile, rm, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { exists, ignoring } from "../lib/durable.ts";
import { leastRecentlyUsed } from "../lib/lru.ts";

/*
 * The files of live streams: DATA_DIR/live/STREAM. A capture writes the whole meeting into its
 * playlist; viewers get the newest part, and older parts are removed.
 */

export const STREAM_PLAYLIST = "index.m3u8";
/** How many of the newest parts viewers get: enough to begin, and for a slow moment. */
const OFFERED = 6;
/** How many parts stay on the disk, for viewers with an earlier playlist. */
const KEPT = 20;

const folderOfAll = (dataDir: string): string => join(dataDir, "live");

export const streamFolder = (dataDir: string, streamId: string): string =>
  join(folderOfAll(dataDir), streamId);

/** Removes the folders of streams that a process left behind. */
export const removeLeftStreams = async (
  dataDir: string,
  isRunning: (streamId: string) => Promise<boolean>,
): Promise<void> => {
  const names = (await readdir(folderOfAll(dataDir)).catch(ignoring("ENOENT"))) ?? [];
  for (const name of names) {
    if (!(await isRunning(name))) {
      await rm(streamFolder(dataDir, name), { recursive: true, force: true });
    }
  }
};

interface Playlist {
  /** The lines before the first part. */
  readonly head: readonly string[];
  /** Each with its lines; the last line is the file name. */
  readonly parts: readonly (readonly string[])[];
  readonly hasEnded: boolean;
}

const parse = (text: string): Playlist => {
  const lines = text.split("\n").filter((line) => line !== "");
  const first = lines.findIndex((line) => line.startsWith("#EXTINF"));
  const from = first === -1 ? lines.length : first;
  // Its date and time precede a part.
  const begin = lines[from - 1]?.startsWith("#EXT-X-PROGRAM-DATE-TIME") ? from - 1 : from;
  const parts: string[][] = [[]];
  for (const line of lines.slice(begin).filter((one) => one !== "#EXT-X-ENDLIST")) {
    parts.at(-1)?.push(line);
    if (!line.startsWith("#")) parts.push([]);
  }
  return {
    head: lines.slice(0, begin),
    parts: parts.filter((part) => part.some((line) => !line.startsWith("#"))),
    hasEnded: lines.includes("#EXT-X-ENDLIST"),
  };
};

/** The playlist with only its newest parts (RFC 8216, 6.2.2). */
export const newestOf = (text: string, most = OFFERED): string => {
  const { head, parts, hasEnded } = parse(text);
  const kept = parts.slice(-most);
  const before = Number(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1] ?? 0);
  const lines = head.filter((line) => !/^#EXT-X-(?:PLAYLIST-TYPE|MEDIA-SEQUENCE)/.test(line));
  return [
    ...lines,
    `#EXT-X-MEDIA-SEQUENCE:${before + parts.length - kept.length}`,
    ...kept.flat(),
    ...(hasEnded ? ["#EXT-X-ENDLIST"] : []),
    "",
  ].join("\n");
};

/** More streams than a machine makes at a time. */
const MOST_REMEMBERED = 100;

/**
 * Reads what viewers get of streams, each version of a playlist once, because every viewer asks for
 * it every few seconds.
 *
 * @returns a function that takes a stream's folder; undefined without a playlist
 */
export const openOffers = (): ((folder: string) => Promise<string | undefined>) => {
  const known = leastRecentlyUsed<string, { readonly version: string; readonly text: string }>(
    MOST_REMEMBERED,
  );
  return async (folder) => {
    const path = join(folder, STREAM_PLAYLIST);
    const found = await stat(path).catch(ignoring("ENOENT"));
    const version = `${found?.mtimeMs} ${found?.size}`;
    const last = known.get(folder);
    if (last?.version === version) return last.text;
    const whole = found && (await readFile(path, "utf8").catch(ignoring("ENOENT")));
    if (whole === undefined) return undefined;
    const text = newestOf(whole);
    known.set(folder, { version, text });
    return text;
  };
};

const LOOK_MS = 200;

/** Waits until a stream has a part that can be watched, or for the signal. */
export const waitForFirst = async (folder: string, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted && !(await exists(join(folder, STREAM_PLAYLIST)))) {
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
  }
};

/** Removes the parts of a stream that no playlist offers any more. */
export const removeOldParts = async (folder: string): Promise<void> => {
  const text = await readFile(join(folder, STREAM_PLAYLIST), "utf8").catch(ignoring("ENOENT"));
  if (text === undefined) return;
  const old = parse(text).parts.slice(0, -KEPT);
  // Earlier ones were removed the last time.
  for (const part of old.slice(-KEPT)) {
    await unlink(join(folder, part.at(-1) ?? "")).catch(ignoring("ENOENT"));
  }
};
