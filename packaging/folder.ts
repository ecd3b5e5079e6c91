import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** A folder that becomes a package. */
export interface Folder {
  readonly path: string;
  /** Writes a file; a value that is not a string is written as JSON. */
  readonly write: (name: string, content: unknown) => void;
  /** Copies a file of the repository. */
  readonly copy: (from: string, to?: string) => void;
}

/** Makes an empty folder; removes an old one of this name first. */
export const emptyFolder = (path: string): Folder => {
  rmSync(path, { recursive: true, force: true });
  const placeOf = (name: string): string => {
    const file = join(path, name);
    mkdirSync(dirname(file), { recursive: true });
    return file;
  };
  return {
    path,
    write: (name, content) =>
      writeFileSync(
        placeOf(name),
        typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`,
      ),
    copy: (from, to = from) => copyFileSync(join(root, from), placeOf(to)),
  };
};
