import { CommandError, command } from "./command.ts";
import { withDatabase } from "./database.ts";

export const accessKeyRemove = command({
  name: "access-key remove",
  arguments: ["KEY"],
  options: {},
  summary: "Remove an access key; its tokens end at once.",
  examples: ["access-key remove 01981d5c-8a43-7c1e-b6a2-5a0f35c3f6be-482910374-917364820"],
  async run({ arguments: [key], ...called }) {
    const { removeAccessKey } = await import("../access/access-keys.ts");
    const { Refusal } = await import("../refusal.ts");
    // An access key begins with the ID of its organization.
    const organizationId = key.replace(/-\d+-\d+$/, "");
    try {
      await withDatabase(called, ({ database }) =>
        database.change((tx) => removeAccessKey(tx, organizationId, key)),
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new CommandError(
        `There is no access key "${key}". "parley access-key list --org ORG" shows those that there are.`,
      );
    }
    return { value: { accessKey: key, removed: true }, text: `The access key ${key} is removed.` };
  },
});
