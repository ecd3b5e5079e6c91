import { existsSync } from "node:fs";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/open.ts";
import { keyFile } from "../db/place.ts";
import type { UserRow } from "../db/tables.ts";
import { CommandError, cliCommand, UsageError } from "./command.ts";
import { withDatabase } from "./database.ts";
import { pairs } from "./table.ts";

/** The account with this email address, in any organization. */
export const accountOf = async (database: Database, email: string): Promise<UserRow> => {
  const { emailKey } = await import("../../contract/kit/fields.ts");
  const { findLogin } = await import("../records/user-queries.ts");
  const key = emailKey(email);
  if (key === undefined) throw new UsageError(`${JSON.stringify(email)} is not an email address.`);
  const user = await findLogin(database.read, { emailKey: key });
  if (user) return user;
  throw new CommandError(`There is no account with the email ${email}.`);
};

/**
 * The service's seal. A key made here would seal what the service cannot open.
 *
 * @param otherwise what follows from a missing key
 */
export const sealOf = async (config: Config, database: Database, otherwise: string) => {
  const path = keyFile(config.dataDir);
  if (config.secret === undefined && !existsSync(path)) {
    throw new CommandError(`The sealing key ${path} is not there, so ${otherwise}`);
  }
  const { checkSeal, openSeal } = await import("../db/seal.ts");
  const seal = await openSeal(config);
  await database.change((tx) => checkSeal(tx, seal));
  return seal;
};

const NO_EMAIL = "no email can be made. Put it back, or omit --letter.";

export const userResetPassword = cliCommand({
  name: "user reset-password",
  arguments: ["EMAIL"],
  options: {
    letter: {
      type: "boolean",
      meaning: "Also email the new password to the person (default: it is only shown).",
    },
    "must-choose": {
      type: "boolean",
      meaning:
        "Demand another password at the next sign-in (default: as the organization has chosen).",
    },
  },
  summary: "Give a person a new password, and show it.",
  details: "Sessions with the old password end.",
  examples: [
    "user reset-password ann@example.org --must-choose",
    "user reset-password ann@example.org --letter",
  ],
  async run({ arguments: [email], options: { letter, "must-choose": demands }, ...called }) {
    const { openOrganization, operator } = await import("../change/organization.ts");
    const { generatePassword, hashPassword } = await import("../access/passwords.ts");
    const { tellPerson } = await import("../access/notices.ts");
    const { renewPassword, resetPassword } = await import("../users/reset.ts");
    const password = generatePassword();
    const user = await withDatabase(called, async ({ database, config }) => {
      const found = await accountOf(database, email);
      const seal = letter ? await sealOf(config, database, NO_EMAIL) : undefined;
      const credentials = { password, digest: await hashPassword(password) };
      return openOrganization(database, found.organization_id, operator).change(async (change) => {
        const mustChoosePassword = demands || undefined;
        if (seal === undefined) {
          const renewed = await renewPassword(
            change,
            found.id,
            credentials.digest,
            mustChoosePassword,
          );
          await tellPerson(change, renewed, "passwordReset");
          return renewed;
        }
        const reset = { userId: found.id, loginUrl: config.publicUrl, mustChoosePassword };
        return resetPassword(change, reset, credentials, seal);
      });
    });
    const lines = pairs({ Email: user.email, Username: user.username, Password: password });
    const delivery = letter ? "The service sends it by email." : "No email was sent.";
    return {
      value: { id: user.id, email: user.email, username: user.username, password, letter },
      text: `${lines}\nThe password is shown only this once. ${delivery}`,
    };
  },
});
