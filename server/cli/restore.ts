import type { OnWork } from "../backups/work.ts";
import type { BackupTarget } from "../config/backup.ts";
import type { Config } from "../config/config.ts";
import { atPlace, damagedLine, fromOption, openNamedPlace, refuseBucket } from "./backup-place.ts";
import { cliCommand, UsageError } from "./command.ts";
import { installationOf } from "./environment.ts";
import { showProgress, showStages } from "./progress.ts";

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one} was` : `${count.toLocaleString("en")} ${many} were`;

/**
 * The backup that a word names in a place; undefined if it is the name of a file.
 *
 * @throws BackupError if the place has no such backup
 */
const keptBackup = async (config: Config, given: string, from: BackupTarget | undefined) => {
  const { madeAtOf } = await import("../backups/manifest.ts");
  const isName = given === "latest" || madeAtOf(given) !== undefined;
  if (from === undefined && !isName) return undefined;
  const { backupNamed } = await import("../backups/shelf.ts");
  const { bringBackFilms, withBackupFile } = await import("../backups/bring-back.ts");
  const place = await openNamedPlace(config, from, "--from PLACE");
  const at = <T>(work: () => Promise<T>): Promise<T> => atPlace(place.shown, work);
  const { name, skipped } = await at(async () => backupNamed(place, given, await place.names()));
  return {
    name,
    skipped: skipped.map((one) => damagedLine(place.shown, one)),
    withFile: <T>(work: (path: string) => Promise<T>) =>
      at(() => withBackupFile(place, name, work)),
    bringBackFilms: (onWork: OnWork) => at(() => bringBackFilms(config, place, name, onWork)),
  };
};

export const restoreCommand = cliCommand({
  name: "restore",
  arguments: ["FILE"],
  options: {
    force: {
      type: "boolean",
      meaning: "Replace what the database holds. On SQLite it is kept under another name.",
    },
    yes: { type: "boolean", meaning: "On PostgreSQL: every service on the database is stopped." },
    "send-letters": {
      type: "boolean",
      meaning: "Send the emails that were waiting (default: they are withdrawn).",
    },
    from: fromOption,
    recordings: {
      type: "boolean",
      meaning: "Bring back the files of recordings too, from a backup that has them.",
    },
    "new-key": {
      type: "boolean",
      meaning:
        "The sealing key of the backup is lost: use the current one, without what it sealed.",
    },
  },
  summary: "Replace the database with a backup.",
  details:
    'FILE is a file, or the name of a backup in PLACE ("backup list"), or latest: the\nnewest that is not damaged. ./latest is a file.\n\nThe service must not run. A backup of an older version, or of the other kind of database, is\nmigrated. People sign in again. Waiting emails may have been sent since, or hold an old\npassword: they are withdrawn. The command counts missing and unknown files of recordings. An\ninterrupted restore leaves either the old database or the new one.\n\nWith --new-key, what only the lost key opens is lost: emails that were not sent (reset the\npasswords of their people), secrets of webhooks (nothing is sent until each has a new one),\nlinks to a first password (reset it), kept answers for repeated requests (these are refused),\nand known devices.',
  examples: [
    "restore parley-monday.db",
    "restore --force parley-monday.db",
    "restore latest --force --recordings",
  ],
  async run({ arguments: [file], options, ...called }) {
    refuseBucket(file, "--from");
    const config = await installationOf(called);
    const { removeDraftsOnSignals } = await import("../db/backup/files.ts");
    const { restore } = await import("../db/backup/restore.ts");
    const { withOwnDatabase } = await import("../db/backup/place.ts");
    const { compareFolders } = await import("../recordings/missing.ts");
    removeDraftsOnSignals();
    const restoreFrom = (path: string) =>
      restore(config, path, {
        force: options.force,
        yes: options.yes,
        sendLetters: options["send-letters"],
        newKey: options["new-key"],
        onProgress: showProgress("rows"),
      });
    const kept = await keptBackup(config, file, options.from);
    if (kept === undefined && options.recordings) {
      throw new UsageError("--recordings needs the name of a backup, or latest: a file has none.");
    }
    const restored =
      kept === undefined ? await restoreFrom(file) : await kept.withFile(restoreFrom);
    const films = options.recordings ? await kept?.bringBackFilms(showStages(called.json)) : null;
    const recordings = await withOwnDatabase(config, ({ read }) =>
      compareFolders(read, config.dataDir),
    );
    const { into, keptAs, lettersWithdrawn, lettersWaiting, tokensEnded, webhooksWithoutSecret } =
      restored;
    const lines = [
      ...(kept?.skipped ?? []),
      `${kept?.name ?? file} is restored into ${into}.`,
      typeof films === "number" && `${films} files of recordings were brought back.`,
      keptAs && `What was there before is kept as ${keptAs}.`,
      lettersWithdrawn > 0 &&
        `${counted(lettersWithdrawn, "waiting email", "waiting emails")} withdrawn: reset the passwords of the people who did not get theirs.`,
      lettersWaiting > 0 &&
        `${counted(lettersWaiting, "email", "emails")} waiting and will be sent when the service starts.`,
      recordings.missing > 0 &&
        `${counted(recordings.missing, "recording", "recordings")} restored without files: they are not in ${config.dataDir}/recordings. Bring them back, or delete these recordings.`,
      recordings.unknown > 0 &&
        `${counted(recordings.unknown, "recording", "recordings")} made after this backup: the files are in ${config.dataDir}/recordings, and the database does not know them.`,
      webhooksWithoutSecret > 0 &&
        `${counted(webhooksWithoutSecret, "webhook", "webhooks")} restored without the secret: nothing is sent to them until an administrator makes a new secret for each.`,
      tokensEnded > 0 && `${counted(tokensEnded, "session", "sessions")} ended.`,
    ];
    return {
      value: {
        ...restored,
        keptAs: keptAs ?? null,
        recordings,
        ...(films === null ? {} : { films }),
      },
      text: lines.filter((line) => typeof line === "string").join("\n"),
    };
  },
});
