import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Beside } from "./world.ts";

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/**
 * Where a text still occurs, in any case: in which tables, and in which files of the data folder, byte by
 * byte. On SQLite these include the database file, with its free pages, and its log.
 */
export const tracesOf = async (
  { database, config }: Pick<Beside, "database" | "config">,
  text: string,
): Promise<string[]> => {
  const wanted = text.toLowerCase();
  const places: string[] = [];
  for (const { name } of await database.read.introspection.getTables()) {
    const rows = await database.read
      .selectFrom(name as "users")
      .selectAll()
      .execute();
    if (JSON.stringify(rows).toLowerCase().includes(wanted)) places.push(`table ${name}`);
  }
  for (const file of filesBelow(config.dataDir)) {
    if (readFileSync(file, "latin1").toLowerCase().includes(wanted)) places.push(file);
  }
  return places;
};
