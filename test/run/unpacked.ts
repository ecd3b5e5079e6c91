import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../packaging/folder.ts";

/**
 * A program of a Debian package, unpacked and not installed, because its service would then run permanently.
 *
 * @param path the program within the package
 * @returns its path; undefined where the package cannot be had
 */
export const unpacked = (name: string, path: string): string | undefined => {
  const folder = join(root, ".cache", name);
  const program = join(folder, path);
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    spawnSync("apt-get", ["download", name], { cwd: folder });
    const [archive] = globSync(`${name}_*.deb`, { cwd: folder });
    if (archive === undefined) return undefined;
    spawnSync("dpkg", ["-x", archive, "."], { cwd: folder });
  }
  return existsSync(program) ? program : undefined;
};
