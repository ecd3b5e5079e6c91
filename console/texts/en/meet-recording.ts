import { type Waits, waits } from "./waits.ts";

export const meetRecording = {
  start: "Record the meeting",
  stop: "Stop recording",
  cancel: "Do not record",
  active: "This meeting is being recorded.",
  queued: (why: Waits): string =>
    `${waits("Recording begins", why)} Nothing is being recorded yet.`,
  again:
    "The recording could not start. Parley is trying again, and nothing is being recorded yet.",
  problems: {
    nothing_to_record:
      "The room records nobody: its settings exclude both moderators and participants.",
    recorder_missing: "Meetings cannot be recorded now. Ask an administrator.",
  },
  errors: {
    interrupted: "The recording was interrupted. What was recorded until then is kept.",
    disk_full:
      "The recording has ended: there is no space left for it. What was recorded is kept. Tell an administrator.",
    capture_failed:
      "The meeting could not be recorded. Try again; if it fails again, tell an administrator.",
    unreachable:
      "The recording was interrupted, and what was recorded is not available now. Tell an administrator.",
    not_begun: "Nothing was recorded.",
  },
};
