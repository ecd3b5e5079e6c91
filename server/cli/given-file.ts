import { readFile } from "node:fs/promises";
import { CommandError } from "./command.ts";

/** Why a file that a person named cannot be read, by the code of the system, with what to do. */
const reasons: Readonly<Record<string, string>> = {
  ENOTDIR: "a part of its path is no folder. Correct its path",
  EISDIR: "it is a folder. Give the path of a file in it",
  EACCES: "this user may not read it. Run this as a user that may, or let this one",
  EPERM: "this user may not read it. Run this as a user that may, or let this one",
};

/** The error of a file that a person named and that cannot be read. @param what the kind of file */
export const unreadable = (
  what: "file" | "settings file",
  path: string,
  { code = "", message }: NodeJS.ErrnoException,
): CommandError =>
  new CommandError(
    code === "ENOENT"
      ? `There is no ${what} ${path}.`
      : `The ${what} ${path} cannot be read: ${reasons[code] ?? message}.`,
  );

/**
 * The content of a file that a person named.
 *
 * @throws CommandError if it cannot be read
 */
export const readGivenFile = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable("file", file, error);
  });
