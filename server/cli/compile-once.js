// Plain JavaScript, like the door: importing TypeScript is what it is there to avoid.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const house = fileURLToPath(new URL("../..", import.meta.url));
const started = fileURLToPath(new URL("started.ts", import.meta.url));

/** When the sources last changed, to the millisecond. */
const lastChange = () => {
  const times = globSync(["server/**/*.ts", "contract/**/*.ts"], { cwd: house }).map(
    (name) => statSync(`${house}/${name}`).mtimeMs,
  );
  return String(Math.max(...times));
};

/**
 * Compiles what a start loads in a process of its own, where that was not done since it changed.
 * The compiler of TypeScript takes some 20 MB, which a process that has once loaded it never gives
 * back. Whatever goes wrong here: then the service itself compiles, and keeps what it takes.
 */
export const compileOnce = async (env) => {
  const folder = getCompileCacheDir();
  if (folder === undefined) return;
  const stamp = `${folder}/.started`;
  const changed = lastChange();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === changed) return;
  const child = spawn(process.execPath, [started], {
    stdio: "ignore",
    env: { ...env, NODE_COMPILE_CACHE: dirname(folder) },
  });
  const [code] = await once(child, "close").catch(() => [1]);
  if (code === 0) writeFileSync(stamp, changed);
};
