import { z } from "zod";
import { instant } from "../kit/fields.ts";
import { recordingFormats, recordingResolutions } from "../rooms/settings.ts";

/** av: sound and picture; a: sound alone. */
export const recordingTypes = ["av", "a"] as const;

/** The states of a recording. */
export const recordingStates = [
  "queued",
  "starting",
  "active",
  "ending",
  "ready",
  "failed",
] as const;
export type RecordingState = (typeof recordingStates)[number];

/**
 * Why a recording failed or ended too early. `interrupted`: a process ended or stood still; what was recorded
 * until then can be played. `capture_failed`: the recorder could not start; a `queued` recording is retried. `unreachable`:
 * its files are on a machine that is not available. `not_begun`: it ended before anything was recorded.
 */
export const recordingErrors = [
  "interrupted",
  "disk_full",
  "capture_failed",
  "unreachable",
  "not_begun",
] as const;
export type RecordingError = (typeof recordingErrors)[number];

/** The longest name of a recording. */
export const RECORDING_NAME = 200;

/** A recording as every answer carries it. */
export const recordingRecord = z
  .strictObject({
    recordingId: z.string(),
    roomId: z.string(),
    roomName: z.string(),
    meetingId: z.string(),
    name: z.string(),
    /** When the first sound or picture was recorded; null: nothing yet. */
    startedAt: instant().nullable(),
    endedAt: instant().nullable(),
    /** Its duration; null until it is ready. */
    seconds: z.int().nullable(),
    /** The size of its files; null until it is ready. */
    bytes: z.int().nullable(),
    type: z.enum(recordingTypes).describe("av: sound and picture; a: sound alone."),
    format: z.enum(recordingFormats),
    /** The picture sizes, largest first; none for sound only. */
    resolutions: z.array(z.enum(recordingResolutions)),
    state: z.enum(recordingStates),
    /** The name of the person who started it; empty if the room's strategy did. */
    startedBy: z.string(),
    error: z.enum(recordingErrors).nullable(),
  })
  .meta({ title: "Recording" });
export type RecordingRecord = z.output<typeof recordingRecord>;
