import { cliCommand } from "./command.ts";
import { withDatabase } from "./database.ts";
import { presentOrganization } from "./organization-options.ts";
import { table } from "./table.ts";

const of = (used: number, most: number | null): string => `${used} of ${most ?? "any"}`;

export const orgList = cliCommand({
  name: "org list",
  arguments: [],
  options: {},
  summary: "List the organizations with their limits and use.",
  examples: ["org list", "org list --json"],
  async run(called) {
    const { listOrganizations } = await import("../organizations/organizations.ts");
    const rows = await withDatabase(called, ({ database }) => listOrganizations(database.read));
    const text = table(
      ["ID", "NAME", "PLAN", "ROOMS", "PEOPLE"],
      rows.map((row) => [
        row.id,
        row.name,
        row.plan ?? "-",
        of(row.used_rooms, row.max_rooms),
        of(row.used_users, row.max_users),
      ]),
      'There is no organization yet. "parley org create NAME" makes one.',
    );
    return { value: rows.map(presentOrganization), text };
  },
});
