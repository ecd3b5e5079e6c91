import type { Twin } from "./twin.ts";

/** Withdraws what tells of a change when the password is replaced. */
export const hidesNotices: Twin = {
  name: "withdraws notices with the password",
  replaced: [
    {
      file: "users/reset.ts",
      lines: `await withdrawLetters(tx, [user.id], "with secrets");`,
      by: "await withdrawLetters(tx, [user.id]);",
    },
  ],
};
