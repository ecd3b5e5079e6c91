import type { Twin } from "./twin.ts";

/** Tells nobody who enters that the meeting is entered with the microphone off. */
export const letsEverybodySpeak: Twin = {
  name: "lets people enter with the microphone on",
  replaced: [
    { file: "meetings/state/admission.ts", lines: "if (!mutes_entry) return;", by: "return;" },
  ],
};

/** Takes each report of a connection, however many come. */
export const takesEveryReport: Twin = {
  name: "takes every report of a connection",
  replaced: [
    {
      file: "socket/session.ts",
      lines: 'if (counts && !allowances[counts](sender)) refuse("too_many_requests");',
      by: 'if (counts === "changes" && !allowances[counts](sender)) refuse("too_many_requests");',
    },
  ],
};
