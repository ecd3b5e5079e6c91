import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { constants, getPriority } from "node:os";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const module = new URL("../../server/lib/processes.ts", import.meta.url);
/** The places that start an ffmpeg: the module, its export, and the call. */
const starts = [
  ["capture/ffmpeg.ts", "startWriter", 'startWriter("true", "/", false)'],
  [
    "recordings/ffmpeg.ts",
    "openFfmpeg",
    'openFfmpeg("true", new AbortController().signal)([], "")',
  ],
] as const;
const pinnedNode = fileURLToPath(new URL("../../pinned-node.js", import.meta.url));

/** The priority that a program gets from a service with this niceness. */
const lowered = async (nice: number): Promise<number> => {
  const code = `
    import { spawn, spawnSync } from "node:child_process";
    import { getPriority } from "node:os";
    import { lowerPriority } from "${module}";
    const { pid } = spawn("sleep", ["1000"]).once("spawn", () => {
      lowerPriority(pid, ${constants.priority.PRIORITY_BELOW_NORMAL});
      process.stdout.write(String(getPriority(pid)));
      process.kill(pid);
    });`;
  const args = ["-n", String(nice), process.execPath, "--input-type=module", "--eval", code];
  const service = spawn("nice", args, { stdio: ["ignore", "pipe", "inherit"] });
  const said = service.stdout.toArray();
  await once(service, "exit");
  return Number(Buffer.concat(await said));
};

test("a program that a service starts gets a lower priority, never a higher one, which the system forbids", async () => {
  const own = getPriority();
  assert.equal(await lowered(0), Math.max(10, own));
  assert.equal(await lowered(15), Math.max(10, Math.min(19, own + 15)));
});

for (const [file, name, call] of starts) {
  test(`a service without a free file descriptor starts no ffmpeg, and goes on (${name})`, {
    skip: process.platform === "win32" && "needs a limit of file descriptors",
  }, () => {
    const code = `
      import { openSync } from "node:fs";
      import { ${name} } from "${new URL(`../../server/${file}`, import.meta.url)}";
      try { for (;;) openSync("/dev/null"); } catch {}
      await ${call}.catch(({ code }) => console.log(code));`;
    const limited = 'ulimit -n 100 && exec "$0" --input-type=module --eval "$1"';
    const { stdout, status } = spawnSync("sh", ["-c", limited, process.execPath, code], {
      encoding: "utf8",
    });
    assert.deepEqual([stdout, status], ["EMFILE\n", 0]);
  });
}

/** How a program on the pinned Node, which runs for so long, ends after the end of its shell. */
const afterItsShell = async (
  variables: Readonly<Record<string, string>>,
  endsAfterMs: number,
): Promise<string> => {
  const code = `
    process.on("SIGTERM", () => process.exit(console.log("stopped")));
    setTimeout(() => console.log("went on"), ${endsAfterMs});
    console.log("started");`;
  const { npm_lifecycle_event: _, ...env } = process.env;
  const shell = spawn(
    "sh",
    ["-c", '"$0" "$@" & read line', process.execPath, pinnedNode, "--eval", code],
    { env: { ...env, ...variables }, stdio: ["pipe", "pipe", "inherit"] },
  );
  let said = "";
  for await (const text of shell.stdout.setEncoding("utf8")) {
    said += text;
    shell.stdin.end();
  }
  return said;
};

test("a program on the pinned Node goes on without the shell that started it, unless that is npm's", {
  skip: process.platform === "win32" && "needs a shell",
}, async () => {
  assert.equal(await afterItsShell({}, 1_500), "started\nwent on\n");
  const npm = { npm_lifecycle_event: "start" };
  assert.equal(await afterItsShell(npm, 180_000), "started\nstopped\n");
});

test("where a library of the pinned Node is missing, its starter says what to install", () => {
  const code = `
    import { runOn } from ${JSON.stringify(pinnedNode)};
    runOn("/bin/sh", ["-c", "exit 127"]);`;
  const args = ["--input-type=module", "--eval", code];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.equal(status, 127);
  assert.match(stderr, /apt install libatomic1/);
});
