import { orgOption } from "./access-key-create.ts";
import { cliCommand } from "./command.ts";
import { withOrganization } from "./database.ts";
import { table } from "./table.ts";

export const accessKeyList = cliCommand({
  name: "access-key list",
  arguments: [],
  options: orgOption,
  summary: "List the access keys of an organization.",
  examples: ["access-key list --org Acme"],
  async run({ options: { org }, ...called }) {
    const { listAccessKeys } = await import("../access/access-keys.ts");
    const keys = await withOrganization(called, org, listAccessKeys);
    const text = table(
      ["ACCESS KEY", "NAME", "SCOPE", "CREATED", "ENDS", "LAST SIGN-IN"],
      keys.map(({ accessKey, name, scope, createdAt, expiresAt, lastUsedAt }) => [
        accessKey,
        name,
        scope,
        createdAt,
        expiresAt ?? "-",
        lastUsedAt ?? "-",
      ]),
      `There is no access key yet. "parley access-key create --org ORG" makes one.`,
    );
    return { value: keys, text };
  },
});
