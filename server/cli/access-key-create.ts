import { command } from "./command.ts";
import { withOrganization } from "./database.ts";
import { pairs } from "./table.ts";

export const orgOption = {
  org: { type: "string", value: "ORG", meaning: "The organization: ID or name.", required: true },
} as const;

export const accessKeyCreate = command({
  name: "access-key create",
  arguments: [],
  options: orgOption,
  summary: "Make an access key for a program, and show its secret.",
  details:
    "The secret is shown only this once. Programs exchange both for a token at\nPOST /api/siteSetting/getAuthToken.",
  examples: ["access-key create --org Acme", "access-key create --org Acme --json"],
  async run({ options: { org }, ...called }) {
    const { createAccessKey } = await import("../access/access-keys.ts");
    const { accessKey, secretAccessKey, createdAt } = await withOrganization(
      called,
      org,
      (organization) =>
        organization.change(({ tx, now }) => createAccessKey(tx, organization.id, now)),
    );
    const lines = pairs({ "Access key": accessKey, "Secret access key": secretAccessKey });
    return {
      value: { accessKey, secretAccessKey, createdAt },
      text: `${lines}\nThe secret is shown only this once.`,
    };
  },
});
