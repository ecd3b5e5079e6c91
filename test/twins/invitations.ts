import type { Twin } from "./twin.ts";

/** Lets people in after an edit whose invitation makes them wait. */
export const forgetsHeld: Twin = {
  name: "lets in whom an invitation holds",
  replaced: [
    {
      file: "meetings/doors/lobby.ts",
      lines: "outside.filter(({ waits_for, held }) => waits_for === null && !held),",
      by: "outside.filter(({ waits_for }) => waits_for === null),",
    },
  ],
};

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
