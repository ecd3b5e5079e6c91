import { accessKeyOptions, readAccessKey, sayRefusal } from "./access-key-options.ts";
import { cliCommand } from "./command.ts";
import { withOrganization } from "./database.ts";
import { pairs } from "./table.ts";

export const orgOption = {
  org: { type: "string", value: "ORG", meaning: "The organization: ID or name.", required: true },
} as const;

export const accessKeyCreate = cliCommand({
  name: "access-key create",
  arguments: [],
  options: { ...orgOption, ...accessKeyOptions },
  summary: "Make an access key for a program, and show its secret.",
  details:
    "The secret is shown only this once. Programs exchange both for a token at\nPOST /api/siteSetting/getAuthToken.",
  examples: [
    "access-key create --org Acme",
    'access-key create --org Acme --name "Booking page" --scope rooms --expires 2027-12-31T23:59:59Z',
    "access-key create --org Acme --json",
  ],
  async run({ options: { org, ...options }, ...called }) {
    const settings = readAccessKey(options);
    const { createAccessKey } = await import("../access/access-keys.ts");
    const { Refusal } = await import("../lib/refusal.ts");
    const made = await withOrganization(called, org, (organization) =>
      organization.change((change) => createAccessKey(change, settings)),
    ).catch((error: unknown) => {
      throw error instanceof Refusal ? sayRefusal(error) : error;
    });
    const { accessKey, secretAccessKey, createdAt, name, scope, expiresAt } = made;
    const lines = pairs({
      "Access key": accessKey,
      "Secret access key": secretAccessKey,
      ...(name === "" ? {} : { Name: name }),
      ...(scope === "everything" ? {} : { Scope: scope }),
      ...(expiresAt === null ? {} : { Ends: expiresAt }),
    });
    return {
      value: { accessKey, secretAccessKey, createdAt, name, scope, expiresAt },
      text: `${lines}\nThe secret is shown only this once.`,
    };
  },
});
