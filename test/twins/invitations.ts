import type { Twin } from "./twin.ts";

/** Leaves the invitations of a meeting valid when it ends. */
export const keepsInvitations: Twin = {
  name: "keeps invitations after their meeting",
  replaced: [
    {
      file: "meetings/state/meeting-invitations.ts",
      lines: "if (ended.length === 0) return;",
      by: "if (ended.length >= 0) return;",
    },
  ],
};
