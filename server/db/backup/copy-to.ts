import type { DatabaseConfig } from "../database.ts";
import { BackupError } from "../errors.ts";
import { holdsData } from "../migrate.ts";
import { copyDatabase, type TableComparison } from "./copy-database.ts";
import { countConnected, notEmpty } from "./copy-side.ts";
import type { OnProgress } from "./copy-sqlite.ts";
import { describePlace, refuseMissing, withDatabase } from "./place.ts";

export interface CopyMade {
  readonly tables: readonly TableComparison[];
  /** Connections of services to the source while it was copied: what they write is not in the copy. */
  readonly connected: number;
}

/**
 * Copies the whole database to another one, which holds nothing yet. On SQLite a service that runs
 * on either of them is refused; on PostgreSQL one may go on, and what it writes meanwhile stays behind.
 *
 * @throws BackupError where there is nothing to copy or the target holds data; CopyDiffers
 */
export const copyTo = async (
  from: DatabaseConfig,
  to: DatabaseConfig,
  onProgress?: OnProgress,
): Promise<CopyMade> => {
  if (describePlace(from) === describePlace(to)) {
    throw new BackupError("Source and target are the same database.");
  }
  await refuseMissing(from);
  return await withDatabase(from, async (source) => {
    if (!(await holdsData(source.read))) {
      throw new BackupError(`There is nothing to copy in ${describePlace(from)}.`);
    }
    return await withDatabase(to, async (target) => {
      // Asked again when nobody can write any more. Here already: two names of one database would
      // wait for each other, and one that is not empty says so sooner.
      if (await holdsData(target.read)) throw new BackupError(notEmpty);
      const tables = await copyDatabase(source, target, { onProgress });
      return { tables, connected: await countConnected(source) };
    });
  });
};
