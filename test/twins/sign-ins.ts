import type { Twin } from "./twin.ts";

/** Accepts the answer of a browser again. */
export const acceptsAnswersAgain: Twin = {
  name: "accepts the answer of a provider again",
  replaced: [
    { file: "sign-in/finish.ts", lines: "if (!isFirst)", by: "if (!isFirst && state === null)" },
  ],
};

/** Links an account by any address that a provider names. */
export const linksUnverified: Twin = {
  name: "links accounts by addresses that are not verified",
  replaced: [
    {
      file: "sign-in/accounts.ts",
      lines: `if (!isVerified) return new SignInRefused("email_unverified");`,
      by: `if (!isVerified && email === "") return new SignInRefused("email_unverified");`,
    },
  ],
};
