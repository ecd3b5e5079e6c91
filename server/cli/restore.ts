import { command } from "./command.ts";
import { installationOf } from "./environment.ts";
import { showProgress } from "./progress.ts";

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one} was` : `${count.toLocaleString("en")} ${many} were`;

export const restore = command({
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
      meaning: "Send the letters that were waiting. Else they are withdrawn.",
    },
    "new-key": {
      type: "boolean",
      meaning: "The sealing key of the backup is lost: take the one that is here.",
    },
  },
  summary: "Put a backup in the place of the database.",
  details:
    "The service must not run. A backup of an older version is brought up to date, also one that was\nmade on the other kind of database. Everybody signs in anew. Letters that were waiting may have\nbeen sent since, or hold a password that was replaced: they are withdrawn.\nInterrupted, it leaves the database as it was, or whole.",
  examples: ["restore parley-monday.db", "restore --force parley-monday.db"],
  async run({ arguments: [file], options, ...called }) {
    const config = await installationOf(called);
    const { removeDraftsOnSignals } = await import("../db/backup/files.ts");
    const { restore } = await import("../db/backup/restore.ts");
    removeDraftsOnSignals();
    const restored = await restore(config, file, {
      force: options.force,
      yes: options.yes,
      sendLetters: options["send-letters"],
      newKey: options["new-key"],
      onProgress: showProgress("rows"),
    });
    const { into, keptAs, lettersWithdrawn, lettersWaiting, tokensEnded } = restored;
    const lines = [
      `${file} is restored into ${into}.`,
      keptAs && `What was there before is kept as ${keptAs}.`,
      lettersWithdrawn > 0 &&
        `${counted(lettersWithdrawn, "waiting letter", "waiting letters")} withdrawn: reset the password of whoever still lacks it.`,
      lettersWaiting > 0 &&
        `${counted(lettersWaiting, "letter", "letters")} waiting and will be sent when the service starts.`,
      tokensEnded > 0 && `${counted(tokensEnded, "session", "sessions")} ended.`,
    ];
    return {
      value: { ...restored, keptAs: keptAs ?? null },
      text: lines.filter((line) => typeof line === "string").join("\n"),
    };
  },
});
