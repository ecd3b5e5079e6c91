import type { Twin } from "./twin.ts";

/** Takes letters without taking them away from the other postmen, or from itself. */
export const claimsNothing: Twin = {
  name: "claims nothing",
  replaced: [
    {
      file: "mail/claims.ts",
      lines: "{ attempts, recipient: email, due_at: now(LEASE_MS) }",
      by: "{ recipient: email }",
    },
    {
      file: "mail/claims.ts",
      lines: "const attempts = seen.attempts + 1;",
      by: "const attempts = seen.attempts;",
    },
    { file: "mail/claims.ts", lines: '.where("letters.due_at", ">", now())', by: "" },
  ],
};

/** Makes a Message-ID anew for each try. */
export const newMessageIds: Twin = {
  name: "makes a Message-ID for each try",
  replaced: [
    {
      file: "mail/message.ts",
      lines: "letter.id}@",
      by: "crypto.randomUUID()}@",
    },
  ],
};

/** Marks a letter as sent, then sends it. */
export const marksFirst: Twin = {
  name: "marks letters before they leave",
  replaced: [
    {
      file: "mail/round.ts",
      lines: "const outcome = await deliver(bag, letter, since, stop);",
      by: "await markSent(bag.database, letter);\nconst outcome = await deliver(bag, letter, since, stop);",
    },
    { file: "mail/claims.ts", lines: '.where("letters.state", "=", "waiting")', by: "" },
  ],
};

/** Posts a letter a moment after the person was created and answered. */
export const postsLater: Twin = {
  name: "posts letters after the commit",
  replaced: [
    {
      file: "users/create.ts",
      lines: "await postLetter(change.tx, seal, {",
      by: "globalThis.unposted ??= [];\nglobalThis.unposted.push({",
    },
    {
      file: "http/routes.ts",
      lines:
        "postman.wake();\n    tag(versionOf(user));\n    return { ...ok, user: presentCreated(user)",
      by: `setTimeout(async () => {
      const { postLetter } = await import("../mail/outbox.ts");
      await database.change((tx) => postLetter(tx, seal, globalThis.unposted.shift()));
      postman.wake();
    }, 300);
    tag(versionOf(user));
    return { ...ok, user: presentCreated(user)`,
    },
  ],
};

/** Sends what it once claimed, however long ago that was. */
export const trustsItsClaim: Twin = {
  name: "trusts its claim for ever",
  replaced: [
    {
      file: "mail/round.ts",
      lines:
        "mayLeave: async () => inTime() && (await mayLeave(bag.database, letter)) && inTime(),",
      by: "mayLeave: async () => true,",
    },
  ],
};

/** Tries every letter, whether the mail server can be reached or not. */
export const neverShuts: Twin = {
  name: "knocks for every letter",
  replaced: [{ file: "mail/gate.ts", lines: "width: () => width,", by: "width: () => AT_ONCE," }],
};

/** Sends as many letters at once as there are, as soon as the mail server is back. */
export const opensWide: Twin = {
  name: "opens wide",
  replaced: [
    {
      file: "mail/gate.ts",
      lines: "width = 1;\n    opened();",
      by: "width = 4 * AT_ONCE;\n    opened();",
    },
  ],
};
