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

/** Writes to a mailbox as often as a date is moved. */
export const floodsMailboxes: Twin = {
  name: "floods mailboxes",
  replaced: [
    {
      file: "schedule/letters.ts",
      lines: "const isFull = written.filter((one) => one === mailbox).length >= MOST_TO_ONE;",
      by: "const isFull = written.length > 400;",
    },
  ],
};

/** Counts no email that an organization has sent. */
export const countsNone: Twin = {
  name: "sends as many emails about dates as there are",
  replaced: [
    {
      file: "schedule/letters.ts",
      lines: "const may = Math.min(PIECE, MOST_AN_HOUR - written.length);",
      by: "const may = Math.min(PIECE, MOST_AN_HOUR - 0 * written.length);",
    },
  ],
};
