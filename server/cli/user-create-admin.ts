import { emailAddress } from "../config/values.ts";
import type { OrganizationRow } from "../db/tables.ts";
import { CommandError, cliCommand } from "./command.ts";
import { withOrganization } from "./database.ts";
import { readName } from "./organization-options.ts";
import { readPassword } from "./password-stdin.ts";
import { pairs } from "./table.ts";

/** The interface's texts address its clients; these texts address the operator. */
const explainRefusal = (error: unknown, row: OrganizationRow, email: string): never => {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "user_limit") {
    throw new CommandError(
      `"${row.name}" has as many people as its plan allows (${row.max_users}). "parley org set" with --max-users allows more.`,
    );
  }
  if (code === "email_taken") {
    throw new CommandError(
      `${email} is the email of an account already. "parley user reset-password ${email}" gives it a new password.`,
    );
  }
  throw error;
};

export const userCreateAdmin = cliCommand({
  name: "user create-admin",
  arguments: [],
  options: {
    org: { type: "string", value: "ORG", meaning: "The organization: ID or name.", required: true },
    email: {
      type: "string",
      value: "E",
      meaning: "The email address of the administrator.",
      accepts: emailAddress,
      required: true,
    },
    name: { type: "string", value: "N", meaning: "The name of the person.", required: true },
    "password-stdin": {
      type: "boolean",
      meaning: "Read the password from standard input (default: one is made and shown).",
    },
    "must-choose": {
      type: "boolean",
      meaning: "Demand another password at the first sign-in.",
    },
  },
  summary: "Make an administrator of an organization.",
  details: "No email is sent: the password is shown only this once.",
  examples: [
    'user create-admin --org Acme --email ann@example.org --name "Ann Lee"',
    'user create-admin --org Acme --email ann@example.org --name "Ann Lee" --password-stdin < password.txt',
  ],
  async run({ options, ...called }) {
    const { email } = options;
    const name = readName("--name", options.name);
    const { generatePassword, hashPassword } = await import("../access/passwords.ts");
    const { addUser } = await import("../users/create.ts");
    const made = await withOrganization(called, options.org, async (organization, row) => {
      const given = options["password-stdin"]
        ? await readPassword([name, email, row.name])
        : undefined;
      const password = given ?? generatePassword();
      const credentials = { password, digest: await hashPassword(password) };
      const mustChoosePassword = options["must-choose"];
      const account = { email, name, admin: true, role: "admin", mustChoosePassword };
      const user = await organization
        .change((change) => addUser(change, account, credentials))
        .catch((error: unknown) => explainRefusal(error, row, email));
      return { user, organization: row.name, password: given === undefined ? password : null };
    });
    const { user, password } = made;
    const lines = {
      Administrator: user.name,
      Organization: made.organization,
      Email: user.email,
      Username: user.username,
      Password: password ?? "the one that was given",
    };
    const once = password === null ? "" : "\nThe password is shown only this once.";
    return {
      value: {
        id: user.id,
        organization: { id: user.organization_id, name: made.organization },
        email: user.email,
        name: user.name,
        username: user.username,
        password,
      },
      text: pairs(lines) + once,
    };
  },
});
