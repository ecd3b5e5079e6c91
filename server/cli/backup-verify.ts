import { atPlace, damagedLine, fromOption, openNamedPlace } from "./backup-place.ts";
import { cliCommand } from "./command.ts";
import { installationOf } from "./environment.ts";
import { showStages } from "./progress.ts";

export const backupVerify = cliCommand({
  name: "backup verify",
  arguments: ["[NAME]"],
  options: {
    from: fromOption,
    recordings: { type: "boolean", meaning: "Read every file of its recordings too." },
    sqlite: {
      type: "boolean",
      meaning: "Restore into a SQLite file, also if the service is on PostgreSQL.",
    },
  },
  summary: "Restore a backup into a scratch database, and check it.",
  details:
    'NAME is a name from "backup list", or latest (the default). Checks digests, the rows of every\ntable, the sealing key, and every organization\'s history; then notes the time beside the backup,\nwhich doctor reads. The scratch database is a file, or on PostgreSQL a database that is created\nand dropped: its role needs CREATEDB. Newer backups that are damaged\nare named, and the exit code is then 1. The service may run, and is not touched.',
  examples: ["backup verify", "backup verify latest --recordings", "backup verify --sqlite --json"],
  async run({ arguments: [given = "latest"], options, ...called }) {
    const config = await installationOf(called);
    const { removeDraftsOnSignals } = await import("../db/backup/files.ts");
    const { backupNamed } = await import("../backups/shelf.ts");
    const { verifyBackup } = await import("../backups/verify.ts");
    const { ageOf } = await import("./check-backups.ts");
    removeDraftsOnSignals();
    const place = await openNamedPlace(config, options.from, "--from PLACE");
    const { recordings, sqlite } = options;
    const onWork = showStages(called.json);
    const { found, skipped } = await atPlace(place.shown, async () => {
      const { name, skipped } = await backupNamed(place, given, await place.names());
      const found = await verifyBackup(config, place, name, { recordings, sqlite, onWork });
      return { found, skipped };
    });
    const { manifest, films, rows, tables, organizations, entries } = found;
    const checked = Object.entries({
      tables,
      rows,
      organizations,
      "entries of history": entries,
      ...(films === null ? {} : { "files of recordings": films }),
    }).map(([what, count]) => `${what} ${count.toLocaleString("en")}`);
    const unread = manifest.recordings !== null && films === null;
    return {
      failed: skipped.length > 0,
      value: {
        name: manifest.name,
        place: place.shown,
        madeAt: manifest.madeAt,
        ...counts(found),
        skipped,
      },
      text: [
        `${manifest.name} in ${place.shown} is ${ageOf(Date.parse(manifest.madeAt))} old, and holds: restored into a scratch ${found.scratch === "sqlite" ? "file" : "database"}, and checked: ${checked.join(", ")}.`,
        ...skipped.map((one) => damagedLine(place.shown, one)),
        ...(unread ? ["The files of its recordings were not read: --recordings reads them."] : []),
      ].join("\n"),
    };
  },
});

/** The counts of a check, for programs. */
const counts = <T extends { readonly manifest: unknown }>({ manifest: _, ...rest }: T) => rest;
