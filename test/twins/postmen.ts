import type { Queries } from "../../server/change/organization.ts";
import type { faultOf } from "../../server/mail/answers.ts";
import type { claimLetters, mayLeave } from "../../server/mail/claims.ts";
import type { openConcurrencyLimit } from "../../server/mail/concurrency-limit.ts";
import type { openDelivery } from "../../server/mail/delivery.ts";
import type { composeMessage } from "../../server/mail/message.ts";
import type { postLetter } from "../../server/mail/outbox.ts";
import type { carryLetter } from "../../server/mail/round.ts";
import { around, type Twin } from "./twin.ts";

/** Takes letters without claiming them. */
export const claimsNothing: Twin = {
  name: "claims nothing",
  replaced: [
    {
      file: "mail/claims.ts",
      export: "claimLetters",
      by:
        (real: typeof claimLetters): typeof claimLetters =>
        async (database, most) => {
          const letters = await real(database, most);
          const ids = letters.map(({ id }) => id);
          await database.change((tx) =>
            tx
              .updateTable("letters")
              .set(({ eb, ref }) => ({
                due_at: ref("created_at"),
                attempts: eb("attempts", "-", 1),
              }))
              .where("id", "in", ids)
              .execute(),
          );
          return letters.map((letter) => ({ ...letter, attempts: letter.attempts - 1 }));
        },
    },
    {
      file: "mail/claims.ts",
      export: "mayLeave",
      by: (): typeof mayLeave => async () => true,
    },
  ],
};

/** Generates a new Message-ID for each try. */
export const newMessageIds: Twin = {
  name: "makes a Message-ID for each try",
  replaced: [
    {
      file: "mail/message.ts",
      export: "composeMessage",
      by:
        (real: typeof composeMessage): typeof composeMessage =>
        (letter, ...more) =>
          real({ ...letter, id: crypto.randomUUID() }, ...more),
    },
  ],
};

/** Marks a letter as sent, then sends it. */
export const marksFirst: Twin = {
  name: "marks letters before they leave",
  replaced: [
    {
      file: "mail/round.ts",
      export: "carryLetter",
      by:
        (real: typeof carryLetter): typeof carryLetter =>
        async (bag, letter, ...more) => {
          const { markSent } = await import("../../server/mail/claims.ts");
          await markSent(bag.database, letter, bag.delivery.to);
          return real(bag, letter, ...more);
        },
    },
    {
      file: "mail/claims.ts",
      export: "mayLeave",
      by: (): typeof mayLeave => async () => true,
    },
  ],
};

/** Posts a letter a moment after the person was created and the request answered. */
export const postsLater: Twin = {
  name: "posts letters after the commit",
  replaced: [
    {
      file: "mail/outbox.ts",
      export: "postLetter",
      by:
        (real: typeof postLetter): typeof postLetter =>
        async (_change, ...letter) => {
          const left = globalThis as { unposted?: ((tx: Queries) => Promise<unknown>)[] };
          left.unposted ??= [];
          left.unposted.push((tx) => real({ tx, leaveWork() {} }, ...letter));
          return "";
        },
    },
    around("createUser", (real) => async (service, ...call) => {
      const answer = await real(service, ...call);
      setTimeout(async () => {
        const left = globalThis as { unposted?: ((tx: Queries) => Promise<unknown>)[] };
        await service.database.change(async (tx) => left.unposted?.shift()?.(tx));
        service.database.leftWork.ring("emails");
      }, 1_500);
      return answer;
    }),
  ],
};

/** Sends a letter that it once claimed, however long ago. */
export const trustsItsClaim: Twin = {
  name: "trusts its claim forever",
  replaced: [
    {
      file: "mail/delivery.ts",
      export: "openDelivery",
      by:
        (real: typeof openDelivery): typeof openDelivery =>
        (config) => {
          const delivery = real(config);
          return {
            ...delivery,
            deliver: (message, escort) =>
              delivery.deliver(message, { ...escort, mayLeave: async () => true }),
          };
        },
    },
  ],
};

/** Tries every letter, whether or not the mail server can be reached. */
export const neverShuts: Twin = {
  name: "knocks for every letter",
  replaced: [
    {
      file: "mail/concurrency-limit.ts",
      export: "openConcurrencyLimit",
      by:
        (real: typeof openConcurrencyLimit): typeof openConcurrencyLimit =>
        (...given) => ({ ...real(...given), width: () => 4 }),
    },
  ],
};

/** Sends all letters at once, as soon as the mail server is back. */
export const opensWide: Twin = {
  name: "opens wide",
  replaced: [
    {
      file: "mail/concurrency-limit.ts",
      export: "openConcurrencyLimit",
      by:
        (real: typeof openConcurrencyLimit): typeof openConcurrencyLimit =>
        (delivery, log, opened) => {
          let isBack = false;
          const limit = real(delivery, log, () => {
            isBack = true;
            opened();
          });
          return { ...limit, width: () => (isBack ? 16 : limit.width()) };
        },
    },
  ],
};

/** Takes a mail server's refusal of the sender for the recipient's fault. */
export const blamesRecipients: Twin = {
  name: "blames recipients",
  replaced: [
    {
      file: "mail/answers.ts",
      export: "faultOf",
      by: (): typeof faultOf => () => "recipient",
    },
  ],
};

/** Keeps the letter that the server refused before all others. */
export const probesTheSame: Twin = {
  name: "probes with the same letter",
  replaced: [
    {
      file: "mail/round.ts",
      lines: "await postponeLetter(database, letter, 0, outcome, outcome.cause);",
      by: "await postponeLetter(database, letter, -3_600_000, outcome, outcome.cause);",
    },
    { file: "mail/verdicts.ts", lines: "this.#alone.has(letter.id)", by: "false" },
  ],
};
