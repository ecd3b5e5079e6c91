import { CommandError, cliCommand } from "./command.ts";
import { withDatabase } from "./database.ts";
import { accountOf } from "./user-reset-password.ts";

export const userRemovePasskey = cliCommand({
  name: "user remove-passkey",
  arguments: ["EMAIL", "ID"],
  options: {},
  summary: "Remove one passkey of a person.",
  details: 'For a lost device. The person\'s sessions end. "parley user passkeys" lists the IDs.',
  examples: ["user remove-passkey ann@example.org 0199c2a4-7c1e-7d52-9b61-4f0e8d2a6c13"],
  async run({ arguments: [email, id], ...called }) {
    const { openOrganization, operator } = await import("../change/organization.ts");
    const { Refusal } = await import("../lib/refusal.ts");
    const { takePasskey } = await import("../users/passkeys.ts");
    const user = await withDatabase(called, async ({ database }) => {
      const found = await accountOf(database, email);
      const organization = openOrganization(database, found.organization_id, operator);
      await organization.change((change) => takePasskey(change, found, id));
      return found;
    }).catch((error: unknown) => {
      throw error instanceof Refusal ? new CommandError(error.message) : error;
    });
    return {
      value: { id: user.id, email: user.email, passkey: id },
      text: `The passkey of ${user.email} is removed, and the person's sessions have ended.`,
    };
  },
});
