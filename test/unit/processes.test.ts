import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants, getPriority } from "node:os";
import { test } from "node:test";

const module = new URL("../../server/processes.ts", import.meta.url);

/** The priority that a program gets from a service with this niceness. */
const lowered = async (nice: number): Promise<number> => {
  const code = `
    import { spawn } from "node:child_process";
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
  assert.equal(await lowered(15), Math.min(19, own + 15));
});
