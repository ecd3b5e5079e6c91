import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const house = fileURLToPath(new URL("..", import.meta.url));

/** Where data are kept from one run to the next. */
export const cacheFolder = join(house, ".cache", "bench");

/** What the data were made by: where it changes, they are made anew. */
const makers = (): string => {
  const hash = createHash("sha256");
  const files = globSync(["server/db/migrations/*.ts", "server/seeding/**/*.ts"], { cwd: house });
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(house, file)));
  return hash.digest("hex");
};

/**
 * Makes something in the cache where it is not there, or was made by other code.
 *
 * @param make given an empty folder of that name
 */
export const keep = async (
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<string> => {
  const folder = join(cacheFolder, name);
  const stamp = join(folder, "made-by");
  const by = makers();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === by) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await make(folder);
  writeFileSync(stamp, by);
  return folder;
};

/** Has something made anew. */
export const forget = (name: string): void =>
  rmSync(join(cacheFolder, name), { recursive: true, force: true });
