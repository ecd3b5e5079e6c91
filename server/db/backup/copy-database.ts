import type { Kysely } from "kysely";
import type { Database } from "../database.ts";
import { BackupError } from "../errors.ts";
import { appliedMigrations, runMigrations } from "../migrate.ts";
import {
  countRows,
  readRows,
  shapeOf,
  startDigest,
  type TableDigest,
  type TableShape,
  writeRows,
} from "./copy-rows.ts";
import { filling, reading } from "./copy-side.ts";
import type { OnProgress } from "./copy-sqlite.ts";

/** One table on both sides, each read from its own database. */
export interface TableComparison {
  readonly table: string;
  readonly source: TableDigest;
  readonly target: TableDigest;
}

/** A copy that differs from its source, and was therefore not kept. */
export class CopyDiffers extends BackupError {
  readonly tables: readonly TableComparison[];
  constructor(tables: readonly TableComparison[]) {
    const differing = tables.filter(differs).map(({ table }) => table);
    super(
      `The copy differs in ${differing.join(", ")}; nothing of it was kept, and the target is as it was before.`,
    );
    this.tables = tables;
  }
}

export interface CopyOptions {
  /** Whether to replace the data in the target. */
  readonly replace?: boolean;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Copies every row of one database into another, of either kind, and compares both before the copy
 * is kept: afterwards the target is as it was, or complete.
 *
 * @throws BackupError if the target holds data, CopyDiffers if the copy is not identical
 */
export const copyDatabase = async (
  source: Database,
  target: Database,
  { replace = false, onProgress }: CopyOptions = {},
): Promise<TableComparison[]> => {
  const migrations = await appliedMigrations(source.read);
  if (migrations.length === 0)
    throw new BackupError("There is nothing of Parley in this database.");
  const tables = await shapeOf(migrations);
  await bringTo(target, migrations);
  return await reading(source, (from) =>
    filling(target, tables, replace, async (to) => {
      await refuseDifferent(from, to);
      const copied = await copyRows(from, to, tables, onProgress);
      const comparison: TableComparison[] = [];
      for (const { table, digest } of copied) {
        const target = await digestOf(to, table);
        comparison.push({ table: table.name, source: digest, target });
      }
      if (comparison.some(differs)) throw new CopyDiffers(comparison);
      return comparison;
    }),
  );
};

const differs = ({ source, target }: TableComparison): boolean =>
  source.rows !== target.rows || source.digest !== target.digest;

/** A database without tables gets those of the source, even if this version has newer ones. */
const bringTo = async (target: Database, migrations: readonly string[]): Promise<void> => {
  if ((await appliedMigrations(target.read)).length > 0) return;
  const { schema } = target;
  await schema.alone((db) => runMigrations(db, schema.types, migrations));
};

const refuseDifferent = async (from: Kysely<unknown>, to: Kysely<unknown>): Promise<void> => {
  const [source, target] = [await appliedMigrations(from), await appliedMigrations(to)];
  if (source.join() === target.join()) return;
  throw new BackupError(
    `The tables of the two databases are not of the same version (${source.at(-1)} and ${target.at(-1)}). ` +
      "Bring both up to date with `parley migrate`, or take an empty target.",
  );
};

const copyRows = async (
  from: Kysely<unknown>,
  to: Kysely<unknown>,
  tables: readonly TableShape[],
  onProgress: OnProgress = () => {},
): Promise<{ readonly table: TableShape; readonly digest: TableDigest }[]> => {
  let [done, all] = [0, 0];
  for (const table of tables) all += await countRows(from, table);
  const copied: { readonly table: TableShape; readonly digest: TableDigest }[] = [];
  for (const table of tables) {
    const digest = startDigest(table);
    for await (const rows of readRows(from, table)) {
      digest.add(rows);
      await writeRows(to, table, rows);
      done += rows.length;
      onProgress(done, all);
    }
    copied.push({ table, digest: digest.end() });
  }
  return copied;
};

const digestOf = async (db: Kysely<unknown>, table: TableShape): Promise<TableDigest> => {
  const digest = startDigest(table);
  for await (const rows of readRows(db, table)) digest.add(rows);
  return digest.end();
};
