import { CommandError, cliCommand } from "./command.ts";
import { withDatabase } from "./database.ts";

export const accessKeyRemove = cliCommand({
  name: "access-key remove",
  arguments: ["KEY"],
  options: {},
  summary: "Remove an access key; its tokens end at once.",
  examples: ["access-key remove 01981d5c-8a43-7c1e-b6a2-5a0f35c3f6be-482910374-917364820"],
  async run({ arguments: [key], ...called }) {
    const { removeAccessKey } = await import("../organizations/access-keys.ts");
    const { openOrganization, operator } = await import("../change/organization.ts");
    const { Refusal, refuse } = await import("../lib/refusal.ts");
    try {
      await withDatabase(called, async ({ database }) => {
        const { organization_id } =
          (await database.read
            .selectFrom("access_keys")
            .select("organization_id")
            .where("id", "=", key)
            .executeTakeFirst()) ?? refuse("access_key_not_found");
        const organization = openOrganization(database, organization_id, operator);
        await organization.change((change) => removeAccessKey(change, key));
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new CommandError(
        `There is no access key "${key}". "parley access-key list --org ORG" shows those that there are.`,
      );
    }
    return { value: { accessKey: key, removed: true }, text: `The access key ${key} is removed.` };
  },
});
