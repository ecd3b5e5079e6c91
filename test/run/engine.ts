import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { devNull } from "node:os";
import { fileURLToPath } from "node:url";
import { installedPath } from "../../server/media/binary.ts";

const folder = fileURLToPath(new URL("../../.cache/media", import.meta.url));
const door = fileURLToPath(new URL("../../parley.js", import.meta.url));

/** The media engine that tests use, installed once by `parley media install`. */
export const enginePath = installedPath(folder);

/** Why a test with the real media engine is skipped; false if it is installed. */
export const noEngine: string | false = existsSync(enginePath)
  ? false
  : '"parley media install" did not work on this machine';

/** Installs the media engine, once; prints the output if that fails. */
export const installEngine = (): void => {
  if (existsSync(enginePath)) return;
  console.log("Installing LiveKit, once …");
  const { status, stdout, stderr } = spawnSync(process.execPath, [door, "media", "install"], {
    env: { ...process.env, PARLEY_ENV_FILE: devNull, DATA_DIR: folder },
    encoding: "utf8",
  });
  if (status !== 0) console.log(`${stdout}${stderr}`);
};
