import { createWriteStream } from "node:fs";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { cliCommand } from "./command.ts";
import { withOrganization } from "./database.ts";

export const orgExport = cliCommand({
  name: "org export",
  arguments: ["ORG", "FILE"],
  options: { force: { type: "boolean", meaning: "Overwrite FILE if it exists." } },
  summary: "Write everything of an organization into one ZIP archive.",
  details:
    "JSON lines, one file for each kind: people, access keys without secrets, rooms, meetings with\nattendance, transcripts, chat, the list of recordings, emails without their text, history. Rooms\ncarry their passwords and stream keys. A service may run meanwhile. The archive is for people\nand other programs; to move a whole installation, use copy or backup.",
  examples: ["org export Acme acme.zip"],
  async run({ arguments: [org, file], options: { force }, ...called }) {
    const { organizationArchive } = await import("../takeout/archive.ts");
    const { removeDraftsOnSignals, writeNamed } = await import("../db/backup/files.ts");
    removeDraftsOnSignals();
    return withOrganization(called, org, async (organization, row) => {
      const named = { force, example: "organization.zip" };
      const bytes = await writeNamed(resolve(file), named, async (folder) => {
        const draft = join(folder, "archive.zip");
        const out = createWriteStream(draft, { mode: 0o600 });
        await pipeline(organizationArchive(organization), out);
        return [draft, out.bytesWritten];
      });
      const size = `${Math.ceil(bytes / 1_000).toLocaleString("en")} kB`;
      return {
        value: { id: row.id, name: row.name, file, bytes },
        text: `"${row.name}" is in ${file} (${size}).`,
      };
    });
  },
});
