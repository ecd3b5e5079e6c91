import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandOf, isAlive, killGroup } from "../lib/processes.ts";

/*
 * A program's temporary folder: a hidden browser's profile, or the sound for a speech program. A
 * file in it names its service, for the next start after a kill -9.
 */

const PREFIX = "parley-capture-";
const OWNER = "owner.json";

interface Owner {
  readonly service: number;
  /** Omitted before it has begun. */
  readonly program?: number;
}

/** The folders of this process. */
const own = new Set<string>();

const remove = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  own.delete(folder);
};

/** A folder for one program. */
export interface ProgramFolder {
  readonly path: string;
  /** Records which process uses it: the leader of a group, with the folder among its arguments. */
  take(program: number): Promise<void>;
  remove(): Promise<void>;
}

export const newProgramFolder = async (): Promise<ProgramFolder> => {
  const path = await mkdtemp(join(tmpdir(), PREFIX));
  own.add(path);
  const write = (owner: Owner): Promise<void> =>
    writeFile(join(path, OWNER), JSON.stringify(owner), { mode: 0o600 });
  await write({ service: process.pid });
  return {
    path,
    take: (program) => write({ service: process.pid, program }),
    remove: () => remove(path),
  };
};

const ownerOf = async (folder: string): Promise<Owner | undefined> => {
  try {
    return JSON.parse(await readFile(join(folder, OWNER), "utf8"));
  } catch {
    return undefined;
  }
};

/** Ends programs and removes folders of killed services on this machine. */
export const removeLeftovers = async (): Promise<void> => {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const folder of names
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(tmpdir(), name))) {
    const owner = await ownerOf(folder);
    if (owner === undefined || own.has(folder)) continue;
    // An earlier process may have had this one's ID, which is common in containers.
    if (owner.service !== process.pid && isAlive(owner.service)) continue;
    const { program } = owner;
    if (program !== undefined && (await commandOf(program)).includes(folder)) killGroup(program);
    await remove(folder).catch(() => {});
  }
};
