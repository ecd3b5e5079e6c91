import { randomBytes } from "node:crypto";
import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FileExists, ignoring, putInPlace } from "../lib/durable.ts";
import { makeFolder } from "../lib/folders.ts";

/** The name of the key between Parley and its own LiveKit. */
export const KEY_NAME = "parley";

/** The folder of everything about LiveKit. */
export const mediaFolder = (dataDir: string): string => join(dataDir, "livekit");

/** The file with the secret, readable by its owner only. */
export const keyPath = (dataDir: string): string => join(mediaFolder(dataDir), "secret.key");

/**
 * The secret between Parley and its own LiveKit, made at the first start.
 *
 * @throws Error if the file contains anything else
 */
export const openKey = async (dataDir: string): Promise<string> => {
  const path = keyPath(dataDir);
  const found = await readFile(path, "utf8").catch(ignoring("ENOENT"));
  if (found !== undefined) {
    if (!/^[0-9a-f]{64}\s*$/.test(found)) {
      throw new Error(`${path} does not hold a key. Remove it, and Parley makes another one.`);
    }
    await chmod(path, 0o600);
    return found.trim();
  }
  await makeFolder(mediaFolder(dataDir));
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, randomBytes(32).toString("hex"), { mode: 0o600 });
  // Another process may write a secret at the same time: the first one counts.
  await putInPlace(draft, path, false).catch(async (error: unknown) => {
    await rm(draft, { force: true });
    if (!(error instanceof FileExists)) throw error;
  });
  return openKey(dataDir);
};
