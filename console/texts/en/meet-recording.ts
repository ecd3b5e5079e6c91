import { type Waits, waits } from "./waits.ts";

export const meetRecording = {
  start: "Record the meeting",
  stop: "Stop recording",
  cancel: "Do not record",
  active: "This meeting is being recorded.",
  queued: (why: Waits): string =>
    `${waits("Recording begins", why)} Nothing is being recorded yet.`,
  again:
    "The recorder could not start. Parley is trying again, and nothing is being recorded yet. The operator can find the reason in the log.",
  problems: {
    nothing_to_record:
      "The room records nobody: its settings exclude both moderators and participants.",
    recorder_missing: "This server cannot record now. Ask an administrator.",
  },
  errors: {
    interrupted: "The recording was interrupted. What was recorded until then is kept.",
    disk_full: "The recording has ended: the disk is full. What was recorded is kept.",
    capture_failed:
      "The meeting could not be recorded. The operator can find the reason in the log.",
    unreachable: "The recording was interrupted: its server cannot be reached.",
    not_begun: "Nothing was recorded.",
  },
};
