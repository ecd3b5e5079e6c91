import { oneOf } from "../../contract/kit/accepted.ts";
import { cliCommand, UsageError } from "./command.ts";
import { OWN_KEY, openService, withServices } from "./service.ts";

export const exportCommand = cliCommand({
  name: "export",
  arguments: ["KIND"],
  options: {
    format: {
      type: "string",
      value: "FORMAT",
      meaning: "The format of the file.",
      accepts: oneOf(["csv", "json"]),
      default: "csv",
    },
    secrets: {
      type: "boolean",
      meaning: "Also passwords and stream keys of rooms, and addresses of streams and IP cameras.",
    },
    from: {
      type: "string",
      value: "URL",
      meaning: "The address of the service. Default: PUBLIC_URL.",
    },
  },
  summary: "Write all people or all rooms of a service, as CSV or JSON.",
  details:
    'KIND is users or rooms. The columns are those that "parley import" takes. The service is asked\nwith an access key from PARLEY_ACCESS_KEY and PARLEY_SECRET_ACCESS_KEY. Passwords of people are not\nexported.',
  examples: ["export users > people.csv", "export rooms --format json > rooms.json"],
  async run({ arguments: [kind], options: { format, from, secrets }, ...called }) {
    if (kind !== "users" && kind !== "rooms") throw new UsageError("KIND is users or rooms.");
    const { client } = await openService(called, { url: from, keys: OWN_KEY });
    const { readContent } = await import("../imports/read-service.ts");
    const { importFields } = await import("../../contract/imports/fields.ts");
    const { secretSettings } = await import("../../contract/rooms/settings.ts");
    const { csvFile } = await import("../../contract/kit/csv.ts");
    const hidden: ReadonlySet<string> = new Set(secrets ? [] : secretSettings);
    const entries = (await withServices(() => readContent(client)))[kind];
    const columns = [...importFields[kind].keys()]
      .filter((name) => !hidden.has(name))
      .filter((name) => entries.some((entry) => name in entry));
    const value = entries.map((entry) =>
      Object.fromEntries(columns.map((name) => [name, entry[name]])),
    );
    const text = format === "csv" ? csvFile(columns, value) : JSON.stringify(value, null, 2);
    return { value, text, isFile: true };
  },
});
