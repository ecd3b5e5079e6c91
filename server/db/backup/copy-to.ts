import type { DatabaseConfig } from "../database.ts";
import { BackupError } from "../errors.ts";
import { holdsData } from "../migrate.ts";
import { copyDatabase, type TableComparison } from "./copy-database.ts";
import { countConnected, notEmpty } from "./copy-side.ts";
import type { OnProgress } from "./copy-sqlite.ts";
import { describePlace, refuseMissing, withDatabase } from "./place.ts";

export interface CopyMade {
  readonly tables: readonly TableComparison[];
  /** Connections of services to the source during the copy: their writes are not in the copy. */
  readonly connected: number;
}

/**
 * Copies the whole database to an empty one. On SQLite no service may run on either of them; on
 * PostgreSQL one may go on, but its writes during the copy are not copied.
 *
 * @throws BackupError if there is nothing to copy or the target holds data; CopyDiffers
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
      // Checked again once nobody can write any more. Checked here as well: two names of one
      // database would wait for each other, and a target that is not empty fails sooner.
      if (await holdsData(target.read)) throw new BackupError(notEmpty);
      const tables = await copyDatabase(source, target, { onProgress });
      return { tables, connected: await countConnected(source) };
    });
  });
};
