#!/usr/bin/env node
// The door to Parley. Plain JavaScript that a Node of years ago can still read, because only a
// running program can say that its Node is too old: such a Node cannot even open a .ts file.
const needed = 26;
const found = process.versions.node;

// npm and npx put a shell between themselves and us. Stopped with SIGTERM they stop that shell and
// leave; many shells do not pass the signal on. So a lost parent counts as SIGTERM here.
const endWithTheShell = () => {
  const shell = process.ppid;
  setInterval(() => {
    if (process.ppid !== shell) process.kill(process.pid, "SIGTERM");
  }, 250).unref();
};

if (Number.parseInt(found, 10) < needed) {
  console.error(
    `Parley needs Node ${needed} or later; this is Node ${found}. \`npm start\` and \`npx parley\` use the one that \`npm ci\` installed.`,
  );
  process.exitCode = 1;
} else {
  if (process.env.npm_lifecycle_event) endWithTheShell();
  void import("./server/cli/main.ts").then((cli) => cli.run(process.argv.slice(2)));
}
