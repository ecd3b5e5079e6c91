import type { Twin } from "./twin.ts";

/** Passes on everybody's messages to everybody. */
export const passesTheChatOn: Twin = {
  name: "passes on what participants write",
  replaced: [
    {
      file: "meetings/record/chat.ts",
      lines: "person === who.person || !isHiddenFrom(room, who, { id: message.peerId, role })",
      by: "true",
    },
  ],
};

/** Gives a reader the numbers that the messages have in the room, with those that are hidden. */
export const numbersAll: Twin = {
  name: "numbers the messages of all",
  replaced: [
    {
      file: "meetings/record/chat.ts",
      lines: ".map(({ message }) => message);",
      by: ".map(({ number, message }) => ({ number, ...message }));",
    },
  ],
};

/** Correct: a look at a meeting waits before it reads the chat, as on a busy machine. */
export const readsTheChatLate: Twin = {
  name: "waits before it reads the chat",
  replaced: [
    {
      file: "socket/watch.ts",
      lines: "await chatAfter(",
      by: `await (async (...of) => {
        await globalThis.beforeChat?.();
        return chatAfter(...of);
      })(`,
    },
  ],
};

/** Filters messages by the settings of an earlier moment. */
export const filtersByOldSettings: Twin = {
  name: "filters the chat by settings that it has read before",
  replaced: [
    ...readsTheChatLate.replaced,
    {
      file: "socket/watch.ts",
      lines: "if (hasWords && (await hidesOtherwise(database.read, snapshot)))",
      by: "if (false)",
    },
  ],
};

/** Correct, but slow: does not remove people whose seats live, or strangers, from the media engine. */
export const leavesTheEngineAlone: Twin = {
  name: "does not compare the engine with the seats",
  replaced: [
    {
      file: "meetings/engine/reconcile.ts",
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
      file: "meetings/engine/gate.ts",
      lines: "if (by !== processId) return;",
      by: "if (by !== processId || entry.isConnecting) return;",
    },
  ],
};

/** Tries only once to remove a person who saw more before. */
export const removesOnce: Twin = {
  name: "tries only once to remove somebody who sees less",
  replaced: [
    ...leavesTheEngineAlone.replaced,
    {
      file: "meetings/engine/removals.ts",
      lines: "entry.owesRemoval = true;",
      by: "",
    },
  ],
};
