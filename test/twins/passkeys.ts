import type { Twin } from "./twin.ts";

/** Looks at what was to be signed, and leaves it there. */
export const keepsChallenges: Twin = {
  name: "takes what a passkey has signed again",
  replaced: [
    {
      file: "access/passkeys.ts",
      lines: `.deleteFrom("passkey_challenges")`,
      by: `.updateTable("passkey_challenges").set({ purpose })`,
    },
    { file: "access/passkeys.ts", lines: `.where("counter", "=", row.counter)`, by: "" },
  ],
};

/** Does not ask whether the device has checked who holds it. */
export const asksNobody: Twin = {
  name: "takes passkeys without a check of the person",
  replaced: [
    {
      file: "access/passkeys.ts",
      lines: "requireUserVerification: true,",
      by: "requireUserVerification: false,",
    },
  ],
};
