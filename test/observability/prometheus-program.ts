import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../packaging/folder.ts";

/** Where the programs are kept for later runs. */
const folder = join(root, ".cache", "prometheus");

/**
 * The programs of Prometheus: Debian's package, unpacked and not installed, because its service would then run
 * permanently. Undefined where there is none.
 */
export const findPrometheus = ():
  | { readonly prometheus: string; readonly promtool: string }
  | undefined => {
  const programs = {
    prometheus: join(folder, "usr/bin/prometheus"),
    promtool: join(folder, "usr/bin/promtool"),
  };
  if (!existsSync(programs.promtool)) {
    mkdirSync(folder, { recursive: true });
    spawnSync("apt-get", ["download", "prometheus"], { cwd: folder });
    const [archive] = globSync("prometheus_*.deb", { cwd: folder });
    if (archive === undefined) return undefined;
    spawnSync("dpkg", ["-x", archive, "."], { cwd: folder });
  }
  return existsSync(programs.promtool) ? programs : undefined;
};
