import { readdir } from "node:fs/promises";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { exists } from "../lib/durable.ts";
import { MAKING, recordingPath } from "./folder.ts";
import { openFolder } from "./folder-store.ts";

/** How the rows and the folders of DATA_DIR/recordings differ. */
export interface FilesDifference {
  /** Recordings whose files should be there but are not. */
  readonly missing: number;
  /** Folders that belong to no recording in the database. */
  readonly unknown: number;
}

/** Rows per query. */
const PIECE = 500;

/**
 * Compares the recordings kept on this machine with their folders. A backup contains no files, so a
 * restore may leave both kinds of difference; neither is repaired automatically.
 */
export const compareFolders = async (
  db: Kysely<Tables>,
  dataDir: string,
): Promise<FilesDifference> => {
  const { organizations, path } = openFolder(dataDir);
  const namesIn = (folder: string): Promise<string[]> => readdir(path(folder)).catch(() => []);
  const unknown = new Set<string>();
  for (const organization of await organizations()) {
    if (organization === MAKING) continue;
    for (const room of await namesIn(organization)) {
      for (const id of await namesIn(`${organization}/${room}`)) unknown.add(id);
    }
  }
  let missing = 0;
  for (let last = ""; ; ) {
    const rows = await db
      .selectFrom("recordings")
      .select(["id", "organization_id", "room_id", "state", "store"])
      .where("id", ">", last)
      .orderBy("id")
      .limit(PIECE)
      .execute();
    for (const row of rows) {
      unknown.delete(row.id);
      if (row.state !== "ready" || row.store !== "folder") continue;
      if (!(await exists(path(recordingPath(row))))) missing += 1;
    }
    last = rows.at(-1)?.id ?? last;
    if (rows.length < PIECE) return { missing, unknown: unknown.size };
  }
};
