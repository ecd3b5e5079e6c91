import { wholeNumber } from "../../contract/kit/accepted.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { KeepRule } from "../backups/keep.ts";
import type { Manifest } from "../backups/manifest.ts";
import { type BackupTarget, backupTarget } from "../config/backup.ts";
import type { Config } from "../config/config.ts";
import { atPlace, openNamedPlace, refuseBucket } from "./backup-place.ts";
import { type Answer, CommandError, cliCommand, UsageError } from "./command.ts";
import { installationOf } from "./environment.ts";
import { showProgress, showStages } from "./progress.ts";

/** The tables that the summary counts, and what people call them. */
const shown: Readonly<Record<string, string>> = {
  organizations: "organizations",
  users: "people",
  rooms: "rooms",
  access_keys: "access keys",
  letters: "emails",
  recordings: "recordings",
};

const countsOf = (rows: Readonly<Record<string, number>>): string =>
  Object.entries(shown)
    .map(([table, name]) => `${name} ${(rows[table] ?? 0).toLocaleString("en")}`)
    .join(", ");

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1_000).toLocaleString("en")} kB`;

const keyNameOf = ({ secret }: Config): string =>
  secret === undefined ? "DATA_DIR/secret.key" : "PARLEY_SECRET";

const keyLine = (config: Config): string =>
  `The sealing key is not in it. Keep ${keyNameOf(config)} too, in another place: a restore needs both.`;

const keep = (meaning: string) =>
  ({ type: "string", value: "N", meaning, accepts: wholeNumber({ from: 1, to: 10_000 }) }) as const;

/** A backup of the database alone, as one file under a name of the operator's. */
const backUpFile = async (config: Config, file: string, force: boolean): Promise<Answer> => {
  const { backUp, progressUnit } = await import("../db/backup/backup.ts");
  const { describePlace } = await import("../db/backup/place.ts");
  const onProgress = showProgress(progressUnit(config));
  const made = await backUp(config, file, { force, onProgress });
  const rows = Object.fromEntries(made.tables.map(({ table, rows }) => [table, rows]));
  return {
    value: { file: made.file, bytes: made.bytes, rows, key: keyNameOf(config) },
    text: [
      `${describePlace(config)} is backed up in ${made.file} (${kilobytes(made.bytes)}), and checked: ${countsOf(rows)}.`,
      keyLine(config),
      ...(rows.recordings
        ? [
            "The files of recordings are not in it: copy DATA_DIR/recordings, or back up the bucket, after it.",
          ]
        : []),
    ].join("\n"),
  };
};

/** The summary of the recordings in a backup. */
const recordingsLine = ({ database, recordings }: Manifest, copied: number): string[] => {
  if (recordings === null) {
    return database.rows.recordings
      ? ["The files of recordings are not in it: --recordings adds them."]
      : [];
  }
  const { count, files, size, missing } = recordings;
  const away =
    missing === 0
      ? []
      : [
          `${missing} recordings are not in it: their files are not on this machine. Back up where they are, too.`,
        ];
  return [
    `With it are ${count} recordings (${files} files, ${kilobytes(size)}), of which ${kilobytes(copied)} were copied now.`,
    ...away,
  ];
};

interface ToPlace {
  readonly config: Config;
  readonly json: boolean;
  readonly to: BackupTarget | undefined;
  readonly recordings: boolean;
  /** Which ones are kept afterwards; undefined: all. */
  readonly rule: KeepRule | undefined;
}

/** A backup under a name of its own, beside earlier ones. */
const backUpToPlace = async ({ config, json, to, recordings, rule }: ToPlace): Promise<Answer> => {
  const { describePlace } = await import("../db/backup/place.ts");
  const { makeBackup } = await import("../backups/make.ts");
  const { removeOld } = await import("../backups/keep.ts");
  const place = await openNamedPlace(config, to, "FILE or --to PLACE");
  const options = { recordings, version: packageJson.version, onWork: showStages(json) };
  const { manifest, copied } = await atPlace(place.shown, () => makeBackup(config, place, options));
  const { removed, damagedLists } =
    rule === undefined
      ? { removed: [], damagedLists: [] }
      : await atPlace(place.shown, () => removeOld(place, rule, manifest.name));
  const { name, madeAt, database } = manifest;
  const { bytes, rows } = database;
  return {
    value: {
      name,
      place: place.shown,
      madeAt,
      bytes,
      rows,
      key: keyNameOf(config),
      recordings: manifest.recordings,
      copied,
      removed,
      damagedLists,
    },
    text: [
      `${describePlace(config)} is backed up as ${name} in ${place.shown} (${kilobytes(bytes)}), and checked: ${countsOf(rows)}.`,
      ...recordingsLine(manifest, copied),
      keyLine(config),
      ...(removed.length === 0 ? [] : [`Removed: ${removed.join(", ")}.`]),
      ...damagedLists.map(
        (file) =>
          `${file} in ${place.shown} is damaged: until it is removed, no file of a recording is removed.`,
      ),
    ].join("\n"),
  };
};

export const backup = cliCommand({
  name: "backup",
  arguments: ["[FILE]"],
  options: {
    force: { type: "boolean", meaning: "Overwrite FILE if it exists." },
    to: {
      type: "string",
      value: "PLACE",
      meaning: "Keep it in a folder or a bucket. Default without FILE: BACKUP_TO.",
      accepts: backupTarget,
    },
    recordings: { type: "boolean", meaning: "Add the files of recordings that are new there." },
    "keep-last": keep("Then keep the last N backups there."),
    "keep-daily": keep("Keep the last one of each of N days with backups."),
    "keep-weekly": keep("Keep the last one of each of N weeks."),
    "keep-monthly": keep("Keep the last one of each of N months."),
  },
  summary: "Back up the database, and recordings if asked, while the service runs.",
  details:
    'The backup is the database of one moment, and is checked before it counts. With FILE it is that\none file, in a folder that exists. Otherwise it gets a name in BACKUP_TO or PLACE, a folder or\ns3://BUCKET/PREFIX (with the settings BACKUP_S3_*), and "backup list", "backup verify" and\n"restore" know it; PLACE may hold other files. A backup that is interrupted counts for nothing.\nThe options --keep remove older ones afterwards, but never the newest, nor the newest verified one.\n\nIt contains no sealing key, which encrypts emails: keep that elsewhere. On SQLite a backup is also\nmade before each migration, in DATA_DIR/backups (the last three).',
  examples: [
    "backup --keep-daily 7 --keep-weekly 4",
    "backup --to s3://backups/parley --recordings",
    "backup parley-monday.db",
    "backup --force /backups/parley.db",
  ],
  async run({ arguments: [file], options, ...called }) {
    const { "keep-last": last, "keep-daily": daily, "keep-weekly": weekly } = options;
    const rule = { last, daily, weekly, monthly: options["keep-monthly"] };
    const keeps = Object.values(rule).some((count) => count !== undefined);
    if (file !== undefined && (keeps || options.recordings || options.to)) {
      throw new UsageError(
        "A FILE has the database alone: --recordings and --keep need --to PLACE or BACKUP_TO in its place.",
      );
    }
    if (file !== undefined) refuseBucket(file, "--to");
    if (file === undefined && options.force) throw new UsageError("--force needs FILE.");
    const config = await installationOf(called);
    const { missingLine } = await import("./database.ts");
    const { isMissing } = await import("../db/place.ts");
    if (isMissing(config)) throw new CommandError(missingLine(config));
    const { removeDraftsOnSignals } = await import("../db/backup/files.ts");
    removeDraftsOnSignals();
    if (file !== undefined) return backUpFile(config, file, options.force);
    const { to, recordings } = options;
    return backUpToPlace({
      config,
      json: called.json,
      to,
      recordings,
      rule: keeps ? rule : undefined,
    });
  },
});
