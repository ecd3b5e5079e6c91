import type { Twin } from "./twin.ts";

/** Queues a reminder, and leaves it due. */
export const remindsAgain: Twin = {
  name: "reminds again and again",
  replaced: [
    {
      file: "schedule/letters.ts",
      lines: ".set({ remind_at: nextReminder(series, change.now) })",
      by: ".set({ remind_at: row.remind_at })",
    },
  ],
};
