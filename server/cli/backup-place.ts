import type { BackupPlace } from "../backups/place.ts";
import type { DamagedEntry } from "../backups/shelf.ts";
import { type BackupTarget, backupTarget } from "../config/backup.ts";
import type { Config } from "../config/config.ts";
import { CommandError, type Option, UsageError } from "./command.ts";

/** The option that names a place of backups. */
export const fromOption = {
  type: "string",
  value: "PLACE",
  meaning: "Where the backups are. Default: BACKUP_TO.",
  accepts: backupTarget,
} as const satisfies Option;

/**
 * Opens the place that an option names, or BACKUP_TO.
 *
 * @param options what names one, in words: `--from PLACE`
 * @throws CommandError if none is named; BackupError if it cannot be used
 */
export const openNamedPlace = async (
  config: Config,
  given: BackupTarget | undefined,
  options: string,
): Promise<BackupPlace> => {
  const target = given ?? config.backup.to;
  if (target === undefined) {
    throw new CommandError(
      `No place for backups is named: give ${options}, or set BACKUP_TO. A place is a folder or s3://BUCKET/PREFIX.`,
    );
  }
  const { openBackupPlace } = await import("../backups/place.ts");
  return openBackupPlace(config, target);
};

/** @throws UsageError if a FILE is a bucket, which would be the path of folders with its name */
export const refuseBucket = (file: string, option: string): void => {
  if (!/^s3:/i.test(file)) return;
  throw new UsageError(`A bucket is no FILE: give it with ${option} s3://BUCKET/PREFIX.`);
};

/** What to do about a damaged backup. */
export const damagedAdvice = (shown: string, { name }: DamagedEntry): string =>
  `Remove the files of ${name} from ${shown}; before, "parley restore" may take its ${name}.db as a file.`;

/** The line about a damaged backup. */
export const damagedLine = (shown: string, entry: DamagedEntry): string =>
  `${entry.name} counts for nothing: ${entry.what} ${damagedAdvice(shown, entry)}`;

/**
 * Runs work on a place of backups, and says what to do where a bucket refuses.
 *
 * @throws CommandError
 */
export const atPlace = async <T>(shown: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "StoreAway") throw error;
    const { storeAdviceOf, storeProblemOf } = await import("./check-store.ts");
    const advice = storeAdviceOf(
      error.message,
      "Make room in it, or keep fewer backups (--keep-daily).",
      "BACKUP_TO and BACKUP_S3_ENDPOINT, _REGION and the key",
    );
    throw new CommandError(`${shown}: ${storeProblemOf(error.message)} ${advice}`);
  }
};
