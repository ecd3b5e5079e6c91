import { readFile } from "node:fs/promises";
import { CommandError } from "./command.ts";

/**
 * The content of a file that a person named.
 *
 * @throws CommandError if it cannot be read
 */
export const readGivenFile = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      error.code === "ENOENT"
        ? `There is no file ${file}.`
        : `${file} cannot be read (${error.code}).`,
    );
  });
