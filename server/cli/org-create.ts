import { cliCommand } from "./command.ts";
import { withDatabase } from "./database.ts";
import {
  organizationPairs,
  planOptions,
  presentOrganization,
  readName,
  readPlan,
} from "./organization-options.ts";
import { pairs } from "./table.ts";

export const orgCreate = cliCommand({
  name: "org create",
  arguments: ["NAME"],
  options: planOptions,
  summary: "Make an organization.",
  details: "Without limits it may have any number of rooms and people. Names are unique.",
  examples: [
    'org create "Rivertown Clinic"',
    "org create Acme --plan gold --max-rooms 100 --max-users 25 --json",
  ],
  async run({ arguments: [given], options, ...called }) {
    const name = readName("NAME", given);
    const plan = readPlan(options);
    const { createOrganization } = await import("../organizations/organizations.ts");
    const made = await withDatabase(called, ({ database }) =>
      database.change((tx, send) => createOrganization({ tx, send }, name, plan)),
    );
    return { value: presentOrganization(made), text: pairs(organizationPairs(made)) };
  },
});
