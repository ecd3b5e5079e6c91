import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { flushCompileCache, getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { environment } from "./environment.ts";

const house = fileURLToPath(new URL("../..", import.meta.url));
const server = fileURLToPath(new URL("../main.ts", import.meta.url));

/** When the sources last changed, to the millisecond. */
const lastChange = (): string => {
  const times = globSync(["server/**/*.ts", "contract/**/*.ts"], { cwd: house }).map(
    (name) => statSync(`${house}/${name}`).mtimeMs,
  );
  return String(Math.max(...times));
};

const isText = (path: string, text: string): boolean =>
  existsSync(path) && readFileSync(path, "utf8") === text;

/**
 * Compiles the server in a process of its own where that was not done since it changed. The
 * compiler of TypeScript takes some 20 MB, which a process that has once loaded it never gives back.
 */
export const compileOnce = async (): Promise<void> => {
  const folder = getCompileCacheDir();
  if (folder === undefined) return;
  const stamp = `${folder}/.server`;
  const changed = lastChange();
  if (isText(stamp, changed)) return;
  const child = spawn(process.execPath, [server], {
    stdio: "ignore",
    env: { ...environment(), NODE_COMPILE_CACHE: dirname(folder) },
  });
  try {
    const [code] = (await once(child, "close")) as [number | null];
    if (code === 0) writeFileSync(stamp, changed);
  } catch {
    // Then this process compiles, and keeps what it takes.
  }
};

/**
 * Gives back what only the start needed, soon after it: the room in which modules were loaded is
 * several times what an idle service uses, and V8 keeps it as long as nothing presses.
 */
export const rest = (): void => {
  flushCompileCache();
  setTimeout(() => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as (how: object) => void;
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
  }, 300).unref();
};
