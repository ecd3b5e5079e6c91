import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { FRAMES } from "../../contract/meetings/capture-socket.ts";
import { SEGMENT_SECONDS } from "../capture/ffmpeg.ts";
import { ignoringAbsence, putInPlace } from "../lib/durable.ts";
import { pictures, type Size } from "../meetings/captures/recording-plan.ts";
import type { Ffmpeg } from "./ffmpeg.ts";
import { CAPTURE, hasRoomFor, mp4Of, sizeName } from "./folder.ts";
import {
  endedPlaylist,
  headWith,
  initOf,
  isEnded,
  lasting,
  masterPlaylist,
  type Playlist,
  playlistEntry,
  readPlaylist,
  type Variant,
} from "./playlist.ts";
import { readSegment } from "./segment.ts";

/*
 * Turns a recording's folder into files that play, however the recording ended. Each step looks at
 * what is there, so it can be repeated after a crash at any moment.
 */

/** A file of a recording, as its row lists it; its name relative to the recording's folder. */
export interface RecordedFile {
  readonly name: string;
  readonly bytes: number;
}

/** The playable result of a recording. */
export interface Finished {
  readonly format: "hls" | "mp4";
  readonly seconds: number;
  readonly files: readonly RecordedFile[];
}

export const PLAYLIST = "index.m3u8";
/** The file that all segments of a capture need. */
const INIT = "init.mp4";
/** The name of a segment. */
const SEGMENT = /^\d+\.m4s$/;

/** The size of a file; undefined if there is none. */
const sizeOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(ignoringAbsence))?.size;

const readText = (path: string): Promise<string | undefined> =>
  readFile(path, "utf8").catch(ignoringAbsence);

/** Writes a whole file durably, or nothing: the row will list it, even after a power failure. */
const writeWhole = async (path: string, text: string): Promise<void> => {
  await writeFile(`${path}.part`, text);
  await putInPlace(`${path}.part`, path, true);
};

/** Every file below a folder, relative to it, in order. */
const filesIn = async (folder: string): Promise<readonly RecordedFile[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        const name = path.slice(folder.length + 1).replaceAll("\\", "/");
        return { name, bytes: (await sizeOf(path)) ?? 0 };
      }),
  );
  return files.toSorted((one, other) => (one.name < other.name ? -1 : 1));
};

/** A media playlist whose segments all exist, and their sizes. */
interface Whole {
  readonly playlist: Playlist;
  readonly seconds: number;
  readonly bytes: number;
  readonly bitsPerSecond: number;
}

/** A folder's playlist. Without an end, it also gets whole segments that it does not name. */
const playlistIn = async (folder: string, files: readonly string[]): Promise<Playlist> => {
  const text = (await readText(join(folder, PLAYLIST))) ?? "";
  const found = readPlaylist(text);
  if (isEnded(text)) return found;
  const entries = [...found.entries];
  const named = new Set(entries.map(({ file }) => file));
  for (const file of files.filter((one) => SEGMENT.test(one) && !named.has(one))) {
    const { isWhole, seconds = SEGMENT_SECONDS } = await readSegment(join(folder, file));
    if (isWhole) entries.push(playlistEntry(file, seconds));
  }
  entries.sort((one, other) => Number.parseInt(one.file, 10) - Number.parseInt(other.file, 10));
  return { head: initOf(found) === undefined ? headWith(INIT) : found.head, entries };
};

/**
 * Ends a folder's playlist: every whole segment plays, all other files are removed.
 *
 * @returns undefined if nothing plays
 */
const endPlaylist = async (folder: string): Promise<Whole | undefined> => {
  const files = await readdir(folder).catch(ignoringAbsence);
  if (files === undefined) return undefined;
  const playlist = await playlistIn(folder, files);
  const init = initOf(playlist);
  if (init !== undefined && !(await sizeOf(join(folder, init)))) return undefined;
  const sizes = new Map<string, number>();
  for (const { file } of playlist.entries) {
    const bytes = await sizeOf(join(folder, file));
    if (bytes) sizes.set(file, bytes);
  }
  const entries = playlist.entries.filter(({ file }) => sizes.has(file));
  if (entries.length === 0) return undefined;
  const wanted = new Set([PLAYLIST, init, ...sizes.keys()]);
  for (const file of files) if (!wanted.has(file)) await rm(join(folder, file), { force: true });
  // ffmpeg derives the last segment's length from its frames, which is too short at a low frame
  // rate.
  const last = entries.at(-1);
  const seconds = last && (await readSegment(join(folder, last.file))).seconds;
  if (last && seconds !== undefined) entries.splice(-1, 1, lasting(last, seconds));
  await writeWhole(join(folder, PLAYLIST), endedPlaylist({ ...playlist, entries }));
  const rates = entries.map(({ file, seconds }) => ((sizes.get(file) ?? 0) * 8) / (seconds || 1));
  return {
    playlist: { ...playlist, entries },
    seconds: entries.reduce((sum, { seconds }) => sum + seconds, 0),
    bytes: [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0),
    bitsPerSecond: Math.max(...rates),
  };
};

/** Writes the playlist of all existing sizes. */
const writeMaster = async (folder: string, names: readonly string[]): Promise<void> => {
  const variants: Variant[] = [];
  for (const name of names) {
    const whole = await endPlaylist(join(folder, name));
    if (whole === undefined) continue;
    const { bitsPerSecond } = whole;
    const picture = name in pictures ? pictures[name as Size] : undefined;
    variants.push({ playlist: `${name}/${PLAYLIST}`, bitsPerSecond, picture });
  }
  await writeWhole(join(folder, PLAYLIST), masterPlaylist(variants));
};

/** A new name for each try: an ffmpeg of a killed process may still write to the previous one. */
const draftOf = (target: string): string => `${target}.${randomUUID()}.part`;

/**
 * Makes a whole mp4 with its index at the beginning, or nothing.
 *
 * @param encode ffmpeg's arguments for the encoding
 */
export const makeMp4 = async (
  ffmpeg: Ffmpeg,
  source: string,
  target: string,
  encode: readonly string[],
): Promise<void> => {
  const draft = draftOf(target);
  await ffmpeg(["-i", source, ...encode, "-movflags", "+faststart", "-f", "mp4", draft], draft);
  // Durable, because the source is removed soon.
  await putInPlace(draft, target, true);
};

/** A recording and its folder. */
export interface RecordedFolder {
  /** The recording's folder, with all its files. */
  readonly folder: string;
  readonly format: "hls" | "mp4";
  /** Largest first; empty for sound only. */
  readonly sizes: readonly Size[];
}

/**
 * Makes the largest size play. If an mp4 cannot be made, the segments play as hls.
 *
 * @param ffmpeg undefined if there is none
 * @param leastFree the bytes that stay free on the disk besides an mp4 and its source segments
 * @returns undefined if nothing plays
 */
export const finishRecording = async (
  ffmpeg: Ffmpeg | undefined,
  { folder, format, sizes }: RecordedFolder,
  leastFree: number,
  onTrouble: (error: unknown) => void,
): Promise<Finished | undefined> => {
  const name = sizeName(sizes[0]);
  // From here on a leftover ffmpeg cannot write any more: its folder has another name.
  await rename(join(folder, CAPTURE), join(folder, name)).catch(ignoringAbsence);
  const whole = await endPlaylist(join(folder, name)).catch(ignoringAbsence);
  if (whole === undefined) return undefined;
  const seconds = Math.round(whole.seconds);
  const fits = await hasRoomFor(whole.bytes, folder, leastFree);
  if (format === "mp4" && ffmpeg && fits) {
    const file = mp4Of(name);
    // Copies the streams without encoding.
    const copy = ["-c", "copy"];
    const bytes = await makeMp4(ffmpeg, join(folder, name, PLAYLIST), join(folder, file), copy)
      .then(() => sizeOf(join(folder, file)))
      .catch(onTrouble);
    if (bytes) return { format, seconds, files: [{ name: file, bytes }] };
  }
  await writeMaster(folder, [name]);
  return { format: "hls", seconds, files: await filesIn(folder) };
};

/**
 * Returns whether a folder has segments from which a person may still save a part of a failed recording.
 */
export const hasSegments = async (folder: string): Promise<boolean> => {
  const files = (await filesIn(folder).catch(ignoringAbsence)) ?? [];
  const has = (isIt: (name: string) => boolean): boolean =>
    files.some(({ name, bytes }) => bytes > 0 && isIt(basename(name)));
  return has((name) => name === INIT) && has((name) => SEGMENT.test(name));
};

/** The arguments that make smaller video; sound is copied. */
const smaller = ({ width, height }: { readonly width: number; readonly height: number }) => [
  ...["-vf", `scale=${width}:${height}:force_original_aspect_ratio=decrease:force_divisible_by=2`],
  ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-pix_fmt", "yuv420p"],
  // Live pictures come at no rate: ffmpeg would take the clock's 16,000 a second for it.
  ...["-r", String(FRAMES)],
  // Each segment begins with a keyframe.
  ...["-force_key_frames", `expr:gte(t,n_forced*${SEGMENT_SECONDS})`, "-c:a", "copy"],
];

/** Makes a smaller size from the largest one, beside it, unless it exists already. */
const makeSmaller = async (
  ffmpeg: Ffmpeg,
  { folder, format }: RecordedFolder,
  source: string,
  size: Size,
): Promise<void> => {
  const picture = smaller(pictures[size]);
  if (format === "mp4") {
    const target = join(folder, mp4Of(size));
    if (!(await sizeOf(target))) await makeMp4(ffmpeg, join(folder, source), target, picture);
    return;
  }
  if (await sizeOf(join(folder, size, PLAYLIST))) return;
  const draft = draftOf(join(folder, size));
  await mkdir(draft, { mode: 0o700 });
  const segments = [
    "-hls_fmp4_init_filename",
    INIT,
    "-hls_segment_filename",
    join(draft, "%d.m4s"),
  ];
  await ffmpeg(
    [
      ...["-i", join(folder, source), ...picture, "-f", "hls"],
      ...["-hls_time", String(SEGMENT_SECONDS), "-hls_playlist_type", "vod"],
      ...["-hls_segment_type", "fmp4", ...segments, join(draft, PLAYLIST)],
    ],
    draft,
  );
  // On a full disk ffmpeg also succeeds, with an empty or cut playlist.
  const text = await readText(join(draft, PLAYLIST));
  if (!isEnded(text ?? "")) throw new Error("The disk is full.");
  await rename(draft, join(folder, size));
};

/** The bytes under a name in a folder: of a file, or of all files of a subfolder. */
const bytesOf = async (folder: string, name: string): Promise<number> =>
  (await filesIn(folder))
    .filter((file) => file.name === name || file.name.startsWith(`${name}/`))
    .reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Makes the smaller sizes, one after the other, and removes what is no longer needed. After a
 * crash, call it again.
 *
 * @param ffmpeg undefined if there is none: then there are no smaller sizes
 * @param leastFree the bytes that stay free on the disk besides a smaller size, which may need as
 * much as the largest one; otherwise it is not made
 * @param onTrouble gets the error if a size could not be made; throws it to repeat everything later
 * @returns all files, and the sizes that were made
 */
export const completeRecording = async (
  ffmpeg: Ffmpeg | undefined,
  recorded: RecordedFolder,
  leastFree: number,
  seconds: number,
  onTrouble: (error: unknown) => void,
): Promise<Finished & { readonly sizes: readonly Size[] }> => {
  const { folder, format, sizes: wanted } = recorded;
  const [largest, ...others] = wanted;
  const name = sizeName(largest);
  const source = format === "mp4" ? mp4Of(name) : `${name}/${PLAYLIST}`;
  const sizes = wanted.slice(0, 1);
  // Removed first, because the smaller sizes need the space.
  if (format === "mp4") await rm(join(folder, name), { recursive: true, force: true });
  const most = await bytesOf(folder, format === "mp4" ? source : name);
  for (const size of others) {
    try {
      if (ffmpeg === undefined) throw new Error("There is no ffmpeg.");
      if (!(await hasRoomFor(most, folder, leastFree))) throw new Error("The disk is too full.");
      await makeSmaller(ffmpeg, recorded, source, size);
      sizes.push(size);
    } catch (error) {
      onTrouble(error);
    }
  }
  if (format === "hls") await writeMaster(folder, sizes.length === 0 ? [name] : sizes);
  for (const entry of await readdir(folder)) {
    // Retries, because an ffmpeg of a killed process may still write to it.
    const left = { recursive: true, force: true, maxRetries: 5 };
    if (entry.endsWith(".part")) await rm(join(folder, entry), left);
  }
  return { format, seconds, sizes, files: await filesIn(folder) };
};
