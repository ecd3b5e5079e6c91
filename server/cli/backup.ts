import { CommandError, cliCommand } from "./command.ts";
import { installationOf } from "./environment.ts";
import { showProgress } from "./progress.ts";

/** The tables that the summary counts, and what people call them. */
const shown: Readonly<Record<string, string>> = {
  organizations: "organizations",
  users: "people",
  rooms: "rooms",
  access_keys: "access keys",
  letters: "emails",
  recordings: "recordings",
};

export const backup = cliCommand({
  name: "backup",
  arguments: ["FILE"],
  options: {
    force: { type: "boolean", meaning: "Overwrite FILE if it exists." },
  },
  summary: "Write the whole database into one file, while the service runs.",
  details:
    "The file is the database of one moment, and is checked before it gets its name. It contains\nneither the sealing key, which encrypts emails (keep it elsewhere), nor the files of recordings\n(copy DATA_DIR/recordings after the backup). On SQLite a backup is also made before each\nmigration, in DATA_DIR/backups (the last three).",
  examples: ["backup parley-monday.db", "backup --force /backups/parley.db"],
  async run({ arguments: [file], options: { force }, ...called }) {
    const config = await installationOf(called);
    const { missingLine } = await import("./database.ts");
    const { isMissing } = await import("../db/place.ts");
    if (isMissing(config)) throw new CommandError(missingLine(config));
    const { removeDraftsOnSignals } = await import("../db/backup/files.ts");
    const { backUp, progressUnit } = await import("../db/backup/backup.ts");
    const { describePlace } = await import("../db/backup/place.ts");
    removeDraftsOnSignals();
    const onProgress = showProgress(progressUnit(config));
    const made = await backUp(config, file, { force, onProgress });
    const rows = Object.fromEntries(made.tables.map(({ table, rows }) => [table, rows]));
    const counts = Object.entries(shown).map(
      ([table, name]) => `${name} ${(rows[table] ?? 0).toLocaleString("en")}`,
    );
    const key = config.secret === undefined ? "DATA_DIR/secret.key" : "PARLEY_SECRET";
    const size = `${Math.ceil(made.bytes / 1_000).toLocaleString("en")} kB`;
    return {
      value: {
        file: made.file,
        bytes: made.bytes,
        rows,
        key,
      },
      text: [
        `${describePlace(config)} is backed up in ${made.file} (${size}), and checked: ${counts.join(", ")}.`,
        `The sealing key is not in it. Keep ${key} too, in another place: a restore needs both.`,
        ...(rows.recordings
          ? [
              "The files of recordings are not in it: copy DATA_DIR/recordings, or back up the bucket, after it.",
            ]
          : []),
      ].join("\n"),
    };
  },
});
