import { cliCommand } from "./command.ts";
import { withDatabase } from "./database.ts";
import { accountOf } from "./user-reset-password.ts";

export const userResetFactors = cliCommand({
  name: "user reset-factors",
  arguments: ["EMAIL"],
  options: {},
  summary: "Remove a person's second factors.",
  details: "For somebody who has lost them. The person's sessions end; the password stays.",
  examples: ["user reset-factors ann@example.org"],
  async run({ arguments: [email], ...called }) {
    const { openOrganization, operator } = await import("../change/organization.ts");
    const { resetFactors } = await import("../users/second-factor.ts");
    const found = await withDatabase(called, async ({ database }) => {
      const user = await accountOf(database, email);
      await openOrganization(database, user.organization_id, operator).change((change) =>
        resetFactors(change, user.id),
      );
      return user;
    });
    return {
      value: { id: found.id, email: found.email },
      text: `The second factors of ${found.email} are removed. The person signs in with the password.`,
    };
  },
});
