import type { BackupPlace } from "../backups/place.ts";
import { type BackupTarget, backupTarget } from "../config/backup.ts";
import type { Config } from "../config/config.ts";
import { CommandError, type Option } from "./command.ts";

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

const reasons: Readonly<Record<string, string>> = {
  EACCES: "may not be used by this user: run this as its owner, or name another place",
  EPERM: "may not be used by this user: run this as its owner, or name another place",
  EROFS: "is on a disk that cannot be written to: name another place",
  ENOTDIR: "is not in a folder: name a folder",
};

/**
 * Runs work on a place of backups, and says what to do where the place refuses.
 *
 * @throws CommandError
 */
export const atPlace = async <T>(shown: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === "StoreAway") {
      const { storeProblemOf } = await import("./check-store.ts");
      throw new CommandError(
        `${shown}: ${storeProblemOf(error.message)} Check BACKUP_TO and BACKUP_S3_ENDPOINT, _REGION and the key, which must be allowed to list, read, write and delete.`,
      );
    }
    const { code = "", path = "" } = error as NodeJS.ErrnoException;
    const reason = path.startsWith(shown) ? reasons[code] : undefined;
    throw reason === undefined ? error : new CommandError(`${path} ${reason}.`);
  }
};
