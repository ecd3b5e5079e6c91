import { constants, type Stats } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../config/config.ts";
import { keyFile } from "../db/place.ts";
import { existing } from "../lib/folders.ts";
import { type Check, fault, note, ok } from "./check.ts";

const MIB = 1024 ** 2;
const TOO_LITTLE = 100 * MIB;
const LITTLE = 1024 * MIB;

const statOf = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);

/** Why this user cannot use a folder, as an error's code of the system; undefined: it can. */
const hindranceOf = (path: string): Promise<string | undefined> =>
  access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => undefined,
    ({ code = "" }: NodeJS.ErrnoException) => code,
  );

/** Windows has no such file modes. */
const readableByOthers = ({ mode }: Stats): boolean =>
  process.platform !== "win32" && (mode & 0o077) !== 0;

/** A fault that this user cannot mend is a note: the volume of a container may belong to root. */
const openToOthers = (name: string, path: string, { uid }: Stats, what: string, mode: string) => {
  const user = process.getuid?.();
  const found = `Other users of this machine can ${what} ${path}`;
  return user === 0 || user === uid
    ? fault(name, `${found}.`, `chmod ${mode} ${path}`)
    : note(
        name,
        `${found}, which belongs to another user (${uid}).`,
        `This user (${user}) cannot change that. Give it to this user, if others use the machine.`,
      );
};

/** Others may not look into the data folder. Parley also starts where they may. */
export const checkOthers = async ({ dataDir }: Config): Promise<Check[]> => {
  const found = await statOf(dataDir);
  return found?.isDirectory() && readableByOthers(found)
    ? [openToOthers("data folder", dataDir, found, "look into", "700")]
    : [];
};

/** The data folder exists, and this user may use it. */
export const checkFolder = async ({ dataDir }: Config): Promise<Check> => {
  const name = "data folder";
  const found = await statOf(dataDir);
  if (!found) {
    const above = await existing(dirname(dataDir));
    return (await hindranceOf(above)) === undefined
      ? note(name, `${dataDir} is not there yet.`, '"parley start" makes it.')
      : fault(
          name,
          `${dataDir} is not there, and this user may not make it in ${above}.`,
          "Create it and give it to this user, or set DATA_DIR to another folder.",
        );
  }
  if (!found.isDirectory()) {
    return fault(name, `${dataDir} is not a folder.`, "Set DATA_DIR to a folder.");
  }
  const hindrance = await hindranceOf(dataDir);
  if (hindrance === "EROFS") {
    return fault(
      name,
      `${dataDir} is on a disk that cannot be written to.`,
      "Mount it for writing, or set DATA_DIR to a folder on another one.",
    );
  }
  if (hindrance !== undefined) {
    return fault(
      name,
      `This user may not use ${dataDir}.`,
      "Run Parley as the user that owns the folder, or set DATA_DIR to another one.",
    );
  }
  return ok(name, dataDir);
};

/** The sealing key's file; the database check tells whether it is the right key. */
export const checkKeyFile = async (config: Config): Promise<Check | undefined> => {
  const name = "sealing key";
  if (config.secret !== undefined) return undefined;
  const path = keyFile(config.dataDir);
  const found = await statOf(path);
  return found && readableByOthers(found)
    ? openToOthers(name, path, found, "read", "600")
    : undefined;
};

/** The free space on the disk of a folder. @param setting the one that names the folder */
export const checkSpace = async (path: string, setting: string): Promise<Check> => {
  const name = "free disk";
  const folder = await existing(path);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const shown =
    free < 10 * 1024 * MIB
      ? `${Math.floor(free / MIB)} MiB`
      : `${Math.floor(free / MIB / 1024)} GiB`;
  const found = `${shown} free for ${folder}`;
  const advice = `Make room on this disk, or move ${setting} to another one.`;
  if (free < TOO_LITTLE) return fault(name, `${found}.`, advice);
  return free < LITTLE ? note(name, `${found}.`, advice) : ok(name, found);
};
