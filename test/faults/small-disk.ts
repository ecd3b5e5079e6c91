import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scope } from "../world/empty-database.ts";

/** A separate file system of this size; undefined if this machine does not permit it. */
export const smallDisk = async (t: Scope, size: string): Promise<string | undefined> => {
  const folder = await mkdtemp(join(tmpdir(), "parley-disk-"));
  try {
    const options = ["-t", "tmpfs", "-o", `size=${size},mode=0700`, "tmpfs", folder];
    execFileSync("mount", options, { stdio: "ignore" });
  } catch {
    await rm(folder, { recursive: true, force: true });
    return undefined;
  }
  t.after(async () => {
    execFileSync("umount", ["--lazy", folder]);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
};
