import { join } from "node:path";
import { filesBelow, readIfThere } from "./files.ts";
import type { Beside } from "./world.ts";

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
    const path = join(config.dataDir, file);
    if (readIfThere(path, "latin1").toLowerCase().includes(wanted)) places.push(path);
  }
  return places;
};
