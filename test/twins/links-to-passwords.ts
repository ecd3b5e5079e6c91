import type { Twin } from "./twin.ts";

/** Does not look whether the link was used while the new password was hashed. */
export const opensTwice: Twin = {
  name: "lets a link to a password open twice",
  replaced: [
    {
      file: "users/first-password.ts",
      lines: `(await takeUser(change.tx, found)) ?? refuse("link_ended")`,
      by: "(await takeUser(change.tx, found)) ?? found",
    },
  ],
};
