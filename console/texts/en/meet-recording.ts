import { type Waits, waits } from "./waits.ts";

export const meetRecording = {
  start: "Record the meeting",
  stop: "Stop recording",
  cancel: "Do not record",
  seen: "OK",
  active: "This meeting is being recorded.",
  queued: (why: Waits): string => `${waits("Recording begins", why)} Nothing is recorded yet.`,
  again:
    "The recorder could not be started, and is tried again. Nothing is recorded yet. An operator finds the reason in the log.",
  problems: {
    nothing_to_record:
      "The room records nobody: its settings leave out moderators and participants.",
    recorder_missing:
      "There is no recorder: Chromium or ffmpeg is missing, or recording is switched off (RECORDERS). An operator can see which: parley doctor",
  },
  errors: {
    interrupted: "The recording was interrupted. What was recorded until then is kept.",
    disk_full: "The recording has ended: the disk is full. What was recorded is kept.",
    capture_failed: "The meeting could not be recorded. An operator finds the reason in the log.",
    unreachable: "The recording was interrupted: its machine is away.",
    not_begun: "Nothing was recorded.",
  },
};
