import type { Twin } from "./twin.ts";

/** Passes on everybody's messages to everybody. */
export const passesTheChatOn: Twin = {
  name: "passes on what participants write",
  replaced: [
    {
      file: "meetings/chat.ts",
      lines: "person === who.person || !isHiddenFrom(room, who, { id: message.peerId, role })",
      by: "true",
    },
  ],
};

/** Correct, but slow: does not remove people whose seats live, or strangers, from the media engine. */
export const leavesTheEngineAlone: Twin = {
  name: "does not compare the engine with the seats",
  replaced: [
    {
      file: "meetings/reconcile.ts",
      lines: "await reconcile(database, engine, gate, unrelayed)",
      by: "undefined",
    },
  ],
};

/** Lets a person who saw more before continue while a connection of theirs is being made. */
export const forgetsWhoArrives: Twin = {
  name: "forgets whom to remove while they connect",
  replaced: [
    ...leavesTheEngineAlone.replaced,
    {
      file: "meetings/gate.ts",
      lines: "if (by !== processId) return;",
      by: "if (by !== processId || entry.arriving > 0 || entry.dials.size > 0) return;",
    },
  ],
};

/** Tries only once to remove a person who saw more before. */
export const removesOnce: Twin = {
  name: "tries only once to remove somebody who sees less",
  replaced: [
    ...leavesTheEngineAlone.replaced,
    {
      file: "meetings/owed-removals.ts",
      lines: "entry.owesRemoval = true;",
      by: "",
    },
  ],
};
