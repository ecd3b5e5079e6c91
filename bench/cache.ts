import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The folder for data that is kept from one run to the next. */
export const cacheFolder = join(root, ".cache", "bench");

/** The code that creates the data: when it changes, the data is created again. */
const makers = (): string => {
  const hash = createHash("sha256");
  const files = globSync(["server/db/migrations/*.ts", "server/cli/seeding/**/*.ts"], {
    cwd: root,
  });
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest("hex");
};

/**
 * Creates an entry of the cache if it does not exist or was made by other code.
 *
 * @param make receives an empty folder with that name
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

/** Removes an entry, so that it is made again. */
export const forget = (name: string): void =>
  rmSync(join(cacheFolder, name), { recursive: true, force: true });
