import type { Twin } from "./twin.ts";

/** Passes on what anybody writes to everybody. */
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

/** Not wrong, but slow: has nobody removed from the media engine whose seat lives, and no stranger. */
export const leavesTheEngineAlone: Twin = {
  name: "does not compare the engine with the seats",
  replaced: [
    {
      file: "meetings/reconcile.ts",
      lines: "await reconcile(database, engine, gate, unrelayed);",
      by: "",
    },
  ],
};
