import { createWriteStream, existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { CommandError, command } from "./command.ts";
import { withOrganization } from "./database.ts";

export const orgExport = command({
  name: "org export",
  arguments: ["ORG", "FILE"],
  options: { force: { type: "boolean", meaning: "Overwrite FILE if it exists." } },
  summary: "Write everything of an organization into one ZIP archive.",
  details:
    "JSON lines, one file for each kind: people, access keys without secrets, rooms, meetings with\nattendance, transcripts, chat, the list of recordings, emails without their text, history. Rooms\ncarry their passwords and stream keys. A service may run meanwhile. The archive is for people\nand other programs; to move a whole installation, use copy or backup.",
  examples: ["org export Acme acme.zip"],
  async run({ arguments: [org, file], options: { force }, ...called }) {
    if (existsSync(file) && !force) {
      throw new CommandError(`${file} exists already; --force overwrites it.`);
    }
    const { organizationArchive } = await import("../takeout/archive.ts");
    return withOrganization(called, org, async (organization, row) => {
      const out = createWriteStream(file, { mode: 0o600 });
      try {
        await pipeline(organizationArchive(organization), out);
      } catch (error) {
        // Half of an archive is none.
        await rm(file, { force: true });
        throw error;
      }
      const { bytesWritten: bytes } = out;
      const size = `${Math.ceil(bytes / 1_000).toLocaleString("en")} kB`;
      return {
        value: { id: row.id, name: row.name, file, bytes },
        text: `"${row.name}" is in ${file} (${size}).`,
      };
    });
  },
});
