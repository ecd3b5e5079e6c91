import { cliCommand } from "./command.ts";
import { installationOf } from "./environment.ts";
import { showProgress } from "./progress.ts";

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one} was` : `${count.toLocaleString("en")} ${many} were`;

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
    "new-key": {
      type: "boolean",
      meaning:
        "The sealing key of the backup is lost: use the current one, without what it sealed.",
    },
  },
  summary: "Replace the database with a backup.",
  details:
    "The service must not run. A backup of an older version, or of the other kind of database, is\nmigrated. People sign in again. Waiting emails may have been sent since, or hold an old\npassword: they are withdrawn. Backups contain no files of recordings: the command counts missing\nand unknown ones. An interrupted restore leaves either the old database or the new one.\n\nWith --new-key, what only the lost key opens is lost: emails that were not sent (reset the\npasswords of their people), secrets of webhooks (nothing is sent until each has a new one),\nlinks to a first password (reset it), kept answers for repeated requests (these are refused),\nand known devices.",
  examples: ["restore parley-monday.db", "restore --force parley-monday.db"],
  async run({ arguments: [file], options, ...called }) {
    const config = await installationOf(called);
    const { removeDraftsOnSignals } = await import("../db/backup/files.ts");
    const { restore } = await import("../db/backup/restore.ts");
    const { withOwnDatabase } = await import("../db/backup/place.ts");
    const { compareFolders } = await import("../recordings/missing.ts");
    removeDraftsOnSignals();
    const restored = await restore(config, file, {
      force: options.force,
      yes: options.yes,
      sendLetters: options["send-letters"],
      newKey: options["new-key"],
      onProgress: showProgress("rows"),
    });
    const recordings = await withOwnDatabase(config, ({ read }) =>
      compareFolders(read, config.dataDir),
    );
    const { into, keptAs, lettersWithdrawn, lettersWaiting, tokensEnded, webhooksWithoutSecret } =
      restored;
    const lines = [
      `${file} is restored into ${into}.`,
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
      value: { ...restored, keptAs: keptAs ?? null, recordings },
      text: lines.filter((line) => typeof line === "string").join("\n"),
    };
  },
});
