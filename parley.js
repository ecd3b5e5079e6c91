#!/usr/bin/env -S node --
// The door to Parley. Plain JavaScript that a Node of years ago can still read, because only a
// running program can say that its Node is too old: such a Node cannot even open a .ts file.
// After "--" Node leaves --env-file to Parley.
import { fileURLToPath } from "node:url";

const needed = 26;
const found = process.versions.node;

// Nobody could end a service whose starter is gone. It counts as SIGTERM, once, and not as the second
// signal that ends a service at once.
const endAlone = () => {
  if (!process.emit("parley:alone")) process.kill(process.pid, "SIGTERM");
};

// Compiled once: later starts take half the time. A folder of our own, because what is read from it
// is run.
const keepCompiled = async () => {
  const { enableCompileCache } = await import("node:module");
  const folder = fileURLToPath(new URL(".cache/compiled", import.meta.url));
  enableCompileCache(folder);
  // Threads read it from here: each would load the compiler of TypeScript for one small file.
  process.env.NODE_COMPILE_CACHE = folder;
};

const refuse = () => {
  console.error(
    `Parley needs Node ${needed} or later; this is Node ${found}, and none was installed with it.`,
  );
  process.exitCode = 1;
};

if (Number.parseInt(found, 10) < needed) {
  void import("./pinned-node.js").then(({ pinnedNode, runOn }) => {
    const node = pinnedNode();
    if (node) runOn(node, ["--", ...process.argv.slice(1)]);
    else refuse();
  });
} else {
  // From pinned-node.js: it closes when that process ends, however it does.
  if (process.channel) {
    process.once("disconnect", endAlone);
    process.channel.unref();
  } else if (process.env.npm_lifecycle_event) {
    void import("./pinned-node.js").then(({ followNpm }) => followNpm(endAlone));
  }
  void keepCompiled()
    .then(() => import("./server/cli/main.ts"))
    .then((cli) => cli.run(process.argv.slice(2)));
}
