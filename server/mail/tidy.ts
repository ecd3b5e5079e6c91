import { opendir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { settingsOf } from "../../contract/kit/organization-settings.ts";
import { openOrganization, type Queries, service } from "../change/organization.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/open.ts";
import type { OrganizationRow } from "../db/tables.ts";
import { ignoring } from "../lib/durable.ts";
import { DAY_MS } from "../lib/durations.ts";
import { eraseOldContent } from "./outbox.ts";

/** Rows per change, and files per lookup. */
const PIECE = 200;

/** The letter's ID in a file name of `deliverToFolder`; test emails have none. */
const NAME = /^\.?\d{4}-\d\d-\d\dT[\d.-]+Z-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.eml$/;

type FileConfig = Pick<Config, "dataDir" | "mailFileDays">;

/**
 * Removes old content, rows and files of letters.
 *
 * @param stop whether the service is stopping: the next start removes the rest
 */
export const removeOver = async (
  database: Database,
  config: FileConfig,
  stop: () => boolean,
): Promise<void> => {
  await database.change(eraseOldContent);
  await removeOldRows(database, stop);
  await removeFiles(database, config, stop);
};

/**
 * Removes letters that no longer wait and are older than their organization's `letterDays`, a few
 * at a time.
 */
const removeOldRows = async (database: Database, stop: () => boolean): Promise<void> => {
  const organizations = await database.read
    .selectFrom("organizations")
    .select(["id", "settings"])
    .execute();
  for (const known of organizations) {
    const { change } = openOrganization(database, known.id, service);
    let goesOn = (await oldRows(database.read, known)).length > 0;
    while (goesOn && !stop()) {
      goesOn = await change(async ({ tx, organization }) => {
        // Read again under the organization's lock: the setting may have changed.
        const ids = await oldRows(tx, organization);
        if (ids.length > 0) await tx.deleteFrom("letters").where("id", "in", ids).execute();
        return ids.length === PIECE;
      });
    }
  }
};

/** The IDs of some letters older than their organization keeps them. */
const oldRows = async (
  db: Queries,
  { id, settings }: Pick<OrganizationRow, "id" | "settings">,
): Promise<string[]> => {
  const { letterDays } = settingsOf({ settings });
  if (letterDays === null) return [];
  const rows = await db
    .selectFrom("letters")
    .select("id")
    .where("organization_id", "=", id)
    .where("created_at", "<", new Date(Date.now() - letterDays * DAY_MS).toISOString())
    .where("state", "<>", sql.lit("waiting" as const))
    .limit(PIECE)
    .execute();
  return rows.map((row) => row.id);
};

/**
 * Removes files whose letter is gone, and those older than MAIL_FILE_DAYS. Each process looks after
 * its own folder.
 */
const removeFiles = async (
  database: Database,
  { dataDir, mailFileDays }: FileConfig,
  stop: () => boolean,
): Promise<void> => {
  const folder = join(dataDir, "mail");
  const oldest = Date.now() - mailFileDays * DAY_MS;
  for await (const names of filesIn(folder)) {
    const known = await knownAmong(
      database,
      names.flatMap((name) => NAME.exec(name)?.[1] ?? []),
    );
    for (const name of names) {
      if (stop()) return;
      const path = join(folder, name);
      const id = NAME.exec(name)?.[1];
      const written = (await stat(path).catch(() => undefined))?.mtimeMs ?? oldest;
      if ((id !== undefined && !known.has(id)) || written < oldest) await rm(path, { force: true });
    }
  }
};

/** Those of these letters that the database has. */
const knownAmong = async (database: Database, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set();
  const rows = await database.read
    .selectFrom("letters")
    .select("id")
    .where("id", "in", ids)
    .execute();
  return new Set(rows.map(({ id }) => id));
};

/** The names of the emails in a folder, in pieces. */
async function* filesIn(folder: string): AsyncGenerator<readonly string[]> {
  const opened = await opendir(folder).catch(ignoring("ENOENT"));
  let names: string[] = [];
  for await (const { name } of opened ?? []) {
    if (!name.endsWith(".eml")) continue;
    names.push(name);
    if (names.length < PIECE) continue;
    yield names;
    names = [];
  }
  if (names.length > 0) yield names;
}
