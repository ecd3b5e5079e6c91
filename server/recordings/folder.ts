import { statfs } from "node:fs/promises";
import { join } from "node:path";
import type { RecordingRow } from "../db/recording-tables.ts";
import { askDisk } from "../lib/disk.ts";

/*
 * The files of a recording, relative to its folder. NAME is a size such as "1080p", or "audio".
 *
 *   hls   index.m3u8 (names every NAME/index.m3u8), and for each NAME:
 *         NAME/index.m3u8, NAME/init.mp4, NAME/0.m4s, NAME/1.m4s, ...
 *   mp4   NAME.mp4; sound only: audio.m4a
 *
 * The files made for downloads of hls stay beside it: download.mp4 of the largest size, download-NAME.mp4
 * of another one, download.m4a of sound only.
 *
 * During the recording there is only the folder of the capture, which then becomes the NAME folder of the
 * largest size, or of sound only. An mp4 is made from that folder.
 */

/** The folder in which a capture writes. */
export const CAPTURE = "capture";

const SOUND = "audio";
const DOWNLOAD = "download";

/** The NAME of a size; without a size, of sound only. */
export const sizeName = (size: string | undefined): string => size ?? SOUND;

const ending = (name: string): string => (name === SOUND ? "m4a" : "mp4");

/** The mp4 file of a NAME. */
export const mp4Of = (name: string): string => `${name}.${ending(name)}`;

/** The download file of a NAME. */
export const downloadOf = (name: string, largest: string): string =>
  name === largest ? `${DOWNLOAD}.${ending(name)}` : `${DOWNLOAD}-${mp4Of(name)}`;

/** Returns whether a file was made for downloads. */
export const isDownload = (file: string): boolean => file.startsWith(DOWNLOAD);

/** The folder in which downloads are made, by process and recording. No organization has this ID. */
export const MAKING = "making";

/** The folder that contains those of all recordings. */
export const recordingsFolder = (dataDir: string): string => join(dataDir, "recordings");

/** The folder of a recording, relative to `recordingsFolder`. */
export const recordingPath = ({
  organization_id,
  room_id,
  id,
}: Pick<RecordingRow, "organization_id" | "room_id" | "id">): string =>
  `${organization_id}/${room_id}/${id}`;

/**
 * The bytes that this user may still write to an existing folder's disk.
 *
 * @param read asks the disk
 * @throws Error also if the disk does not answer
 */
export const freeSpace = async (folder: string, read = statfs): Promise<number> => {
  const { bavail, bsize } = await askDisk(`space ${folder}`, () => read(folder));
  return bavail * bsize;
};

/** Returns whether a folder's disk has room for these bytes, with `leastFree` left over. */
export const hasRoomFor = async (
  bytes: number,
  folder: string,
  leastFree: number,
): Promise<boolean> => (await freeSpace(folder)) - bytes > leastFree;
