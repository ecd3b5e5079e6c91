import { cliCommand } from "./command.ts";
import { withDatabase } from "./database.ts";
import { table } from "./table.ts";
import { accountOf } from "./user-reset-password.ts";

export const userPasskeys = cliCommand({
  name: "user passkeys",
  arguments: ["EMAIL"],
  options: {},
  summary: "List the passkeys of a person.",
  examples: ["user passkeys ann@example.org"],
  async run({ arguments: [email], ...called }) {
    const { passkeysOf } = await import("../access/passkeys.ts");
    const { presentPasskey } = await import("../users/passkeys.ts");
    const passkeys = await withDatabase(called, async ({ database }) => {
      const user = await accountOf(database, email);
      return (await passkeysOf(database.read, user.id)).map(presentPasskey);
    });
    const text = table(
      ["ID", "NAME", "ADDED", "LAST USED"],
      passkeys.map(({ id, name, createdAt, usedAt }) => [id, name, createdAt, usedAt ?? "-"]),
      `${email} has no passkey.`,
    );
    return { value: passkeys, text };
  },
});
