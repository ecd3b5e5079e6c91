import type { z } from "zod";
import type { RecordingCommands } from "../../../contract/meetings/recording.ts";
import type { Room } from "../../../contract/rooms/record.ts";
import { recordingFormats, recordingResolutions } from "../../../contract/rooms/settings.ts";
import type { RecordingRow } from "../../db/recording-tables.ts";
import { refuse } from "../../lib/refusal.ts";

export type Size = (typeof recordingResolutions)[number];

/** The width and height of each size, in pixels. Even numbers, because H.264 takes no others. */
export const pictures: Readonly<Record<Size, { readonly width: number; readonly height: number }>> =
  {
    "480p": { width: 854, height: 480 },
    "1080p": { width: 1920, height: 1080 },
    "2160p": { width: 3840, height: 2160 },
  };

/** The sizes of a recording, largest first; none for sound only. */
export const sizesOf = ({
  type,
  resolutions,
}: Pick<RecordingRow, "type" | "resolutions">): readonly Size[] =>
  type === "a" ? [] : JSON.parse(resolutions);

/** The sizes if the room names none. */
const USUAL: readonly Size[] = ["1080p"];

const largestFirst = (sizes: readonly string[]): readonly Size[] =>
  recordingResolutions.filter((size) => sizes.includes(size)).toReversed();

/** The content and the form of a recording. */
export type RecordingPlan = Pick<RecordingRow, "type" | "format"> & {
  readonly resolutions: readonly Size[];
};

type Settings = Pick<
  Room,
  | "enableRecording"
  | "recordModerator"
  | "recordParticipant"
  | "recordingFormat"
  | "recordingResolutions"
  | "recordingStrategy"
>;

/** Why the settings of a room allow no recording; null if they allow it. */
export const problemOf = (room: Settings): "recording_off" | "nothing_to_record" | null => {
  if (!room.enableRecording) return "recording_off";
  return room.recordModerator || room.recordParticipant ? null : "nothing_to_record";
};

/** Returns whether the room starts recording automatically. */
export const isAutomatic = (room: Settings): boolean =>
  room.recordingStrategy === "AmergedAV" && problemOf(room) === null;

/**
 * The type, format and sizes of a recording in a room. Unknown values, left from older versions, count as
 * the defaults.
 *
 * @throws Refusal `recording_off`, `nothing_to_record`; `not_in_this_room` for video if the room's
 *   strategy is sound only
 */
export const planOf = (
  room: Settings,
  asked: z.output<RecordingCommands["startRecording"]> = {},
): RecordingPlan => {
  const problem = problemOf(room);
  if (problem !== null) return refuse(problem);
  const isSoundAlone = room.recordingStrategy === "mergedA";
  if (isSoundAlone && asked.recordingType === "av") refuse("not_in_this_room");
  const type = asked.recordingType ?? (isSoundAlone ? "a" : "av");
  const format = recordingFormats.find((known) => known === room.recordingFormat) ?? "hls";
  const sizes = largestFirst(asked.resolutions ?? room.recordingResolutions ?? USUAL);
  const resolutions = type === "a" ? [] : sizes.length > 0 ? sizes : USUAL;
  return { type, format, resolutions };
};
