import { cliCommand, UsageError } from "./command.ts";
import { withOrganization } from "./database.ts";
import {
  organizationPairs,
  planOptions,
  presentOrganization,
  readName,
  readPlan,
} from "./organization-options.ts";
import { pairs } from "./table.ts";

export const orgSet = cliCommand({
  name: "org set",
  arguments: ["ORG"],
  options: {
    name: { type: "string", value: "NAME", meaning: "The new name." },
    ...planOptions,
  },
  summary: "Change the name, plan or limits of an organization.",
  details:
    "Only what is given changes. A limit below the current use deletes nothing; it prevents more. It\napplies to a running service from the next request.",
  examples: ["org set Acme --max-rooms 200 --max-users none", 'org set Acme --name "Acme Europe"'],
  async run({ arguments: [org], options, ...called }) {
    const { name } = options;
    const change = {
      ...(name !== undefined && { name: readName("--name", name) }),
      ...readPlan(options),
    };
    if (Object.keys(change).length === 0) {
      throw new UsageError("Give at least one of --name, --plan, --max-rooms and --max-users.");
    }
    const { setOrganization } = await import("../organizations/organizations.ts");
    const row = await withOrganization(called, org, (organization) =>
      organization.change((c) => setOrganization(c, change)),
    );
    return { value: presentOrganization(row), text: pairs(organizationPairs(row)) };
  },
});
