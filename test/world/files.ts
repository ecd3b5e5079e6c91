import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/* What a service, or something else that still runs, has written: files and folders come and go meanwhile. */

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/** The files below a folder, with slashes and in order; none if there is no such folder. */
export const filesBelow = (folder: string): string[] => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, "/"))
      .sort();
  } catch (error) {
    if (!isGone(error)) throw error;
    return existsSync(folder) ? filesBelow(folder) : [];
  }
};

/** The content of a file; nothing if it is gone. */
export const readIfThere = (path: string, encoding: "utf8" | "latin1" = "utf8"): string => {
  try {
    return readFileSync(path, encoding);
  } catch (error) {
    if (isGone(error)) return "";
    throw error;
  }
};

/** The emails in the data folder of a service without a mail server; drafts begin with a dot. */
export const emailsIn = (dataDir: string): string[] =>
  filesBelow(join(dataDir, "mail")).filter((name) => !name.startsWith("."));
