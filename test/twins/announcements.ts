import type { Twin } from "./twin.ts";

/** Correct, but unlucky: its announcements reach nobody, as if each process died after its commit. */
export const losesAnnouncements: Twin = {
  name: "loses its announcements",
  replaced: [
    {
      file: "db/postgres/announcements.ts",
      lines: "if (meetingIds.length === 0) return;",
      by: "return;",
    },
  ],
};

/** Checks a meeting only after an announcement about it; counts the checks that it skips. */
export const looksOnlyWhenTold: Twin = {
  name: "looks only when it is told to",
  replaced: [
    ...losesAnnouncements.replaced,
    {
      file: "socket/hub.ts",
      lines: "setInterval(() => this.#lookOn(), TICK_MS)",
      by: `setInterval(() => {
        globalThis.missedLooks = (globalThis.missedLooks ?? 0) + 1;
      }, LOOK_MS)`,
    },
  ],
};
