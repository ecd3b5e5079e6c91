import { z } from "zod";
import { choice, id, isBlank } from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { says } from "../kit/reasons.ts";
import { recordingRecord, recordingTypes } from "../recordings/record.ts";
import { recordingResolutions } from "../rooms/settings.ts";
import { roomId } from "./meetings.ts";

/*
 * Parley's own operations: the recording of a running meeting. A moderator inside sends the same commands
 * over the meeting socket.
 */

/** The inputs, without the room. */
export const recordingCommands = {
  startRecording: z.object({
    recordingType: choice(recordingTypes)
      .optional()
      .describe(
        "av: sound and picture; a: sound alone. As the room's recordingStrategy says by default.",
      ),
    resolutions: z
      .array(choice(recordingResolutions), {
        error: says("not_list_of", { accepted: recordingResolutions }),
      })
      .min(1, { error: says("too_few", { min: 1, of: "entry" }) })
      .max(recordingResolutions.length, {
        error: says("too_many", { max: recordingResolutions.length, of: "entries" }),
      })
      .optional()
      .describe("The picture sizes; the room's recordingResolutions by default."),
  }),
  stopRecording: z.object({}),
} as const;
export type RecordingCommands = typeof recordingCommands;

const recordings = {
  group: "Recordings",
  failure: "message",
  method: "POST",
  access: "token",
  in: "body",
  status: 200,
} as const;

export const startRecording = operation({
  ...recordings,
  id: "startRecording",
  changes: true,
  path: "/api/recording/startRecording",
  summary: "Record a running meeting",
  input: recordingCommands.startRecording.extend({ roomId: roomId().describe("The room ID.") }),
  reply: success({ recording: recordingRecord }),
  refusals: [
    "not_in_this_room",
    "room_not_found",
    "no_meeting",
    "nothing_to_record",
    "recording_active",
    "recording_off",
    "recorder_missing",
  ],
});

export const stopRecording = operation({
  ...recordings,
  id: "stopRecording",
  changes: true,
  path: "/api/recording/stopRecording",
  summary: "End a recording and keep it",
  input: z
    .object({
      roomId: id(says("not_id_of", { of: "room" }))
        .nullish()
        .describe("The room ID; or send the recordingId."),
      recordingId: id(says("not_id_of", { of: "recording" }))
        .nullish()
        .describe("The ID of the recording; or send the roomId."),
    })
    .superRefine(({ roomId: room, recordingId }, context) => {
      const given = [room, recordingId].filter((value) => value !== undefined && value !== null);
      if (given.length !== 1 || given.some(isBlank)) context.addIssue(says("room_or_recording"));
    }),
  reply: success({ recording: recordingRecord }),
  refusals: ["room_not_found", "recording_not_found", "no_recording"],
});
