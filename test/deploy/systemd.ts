import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

/*
 * A real systemd, as the first process of namespaces of its own: it starts the unit of deploy/ with
 * everything that it restricts. Files are this machine's, except for what the unit expects elsewhere.
 */

const SYSTEMD = "/lib/systemd/systemd";
/** The account of the service in these namespaces; nobody else's on a machine of tests. */
const USER = 64_321;
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Namespaces in which systemd is process 1, as in a container. */
const NAMESPACES = ["--mount", "--pid", "--fork", "--cgroup", "--uts", "--ipc", "--mount-proc"];

/** Why a test with systemd is skipped; false if it can run here. */
export const withoutSystemd = (): string | false => {
  if (!existsSync(SYSTEMD)) return "systemd is not installed";
  const may = process.getuid?.() === 0 && existsSync("/sys/fs/cgroup/systemd");
  const opened = may && spawnSync("unshare", [...NAMESPACES, "true"]).status === 0;
  return opened ? false : "systemd needs root, namespaces and its own control groups";
};

/** Prepares the file system of the namespaces, then becomes systemd. */
const boot = (folder: string): string => `set -e
mount --make-rprivate /
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /opt
mkdir -p /run/systemd/system /opt/parley
mount --bind ${root} /opt/parley
mount --bind ${folder}/lib /var/lib
mount --bind ${folder}/backups /var/backups
mount --bind ${folder}/passwd /etc/passwd
mount --bind ${folder}/group /etc/group
cp -r ${folder}/units/. /run/systemd/system/
cp ${folder}/parley.env /run/parley.env
export container=other
exec ${SYSTEMD} --system --unit=only-parley.target --log-target=console --show-status=no
`;

/** The units of deploy/ under systemd. */
export interface Units {
  /** The folders for data and backups, as this machine has them. */
  readonly data: string;
  readonly backups: string;
  /** Runs a unit, and waits until it has ended or serves. @returns what went wrong; empty: nothing */
  run(unit: string): Promise<string>;
}

/**
 * Starts the service by its unit. It ends with the test.
 *
 * @param settings the lines of /etc/parley.env
 */
export const startUnit = async (
  t: TestContext,
  settings: Readonly<Record<string, string>>,
): Promise<Units> => {
  const folder = await mkdtemp(join(tmpdir(), "parley-systemd-"));
  const [data, backups] = [join(folder, "lib/parley"), join(folder, "backups/parley")];
  const units = join(folder, "units");
  for (const owned of [data, backups]) {
    await mkdir(owned, { recursive: true });
    await chown(owned, USER, USER);
  }
  await mkdir(units);
  const node = join("/opt/parley", relative(root, process.execPath));
  const lines = Object.entries({ ...settings, DATA_DIR: "/var/lib/parley" });
  /** A unit of deploy/ with the paths of these namespaces, and without the targets of a whole machine. */
  const place = async (name: string): Promise<void> => {
    const unit = await readFile(join(root, "deploy", name), "utf8");
    const placed = unit
      .replace("[Unit]", "[Unit]\nDefaultDependencies=no")
      .replace("[Service]", "[Service]\nStandardOutput=file:/run/log\nStandardError=file:/run/log")
      .replaceAll("/etc/parley.env", "/run/parley.env")
      .replaceAll("/usr/bin/node", node);
    await writeFile(join(units, name), placed);
  };
  await Promise.all([
    writeFile(
      join(folder, "passwd"),
      `root:x:0:0::/root:/bin/sh\nparley:x:${USER}:${USER}::/:/bin/sh\n`,
    ),
    writeFile(join(folder, "group"), `root:x:0:\nparley:x:${USER}:\n`),
    writeFile(join(folder, "parley.env"), lines.map((line) => line.join("=")).join("\n")),
    place("parley.service"),
    place("parley-backup.service"),
    writeFile(
      join(units, "only-parley.target"),
      "[Unit]\nDefaultDependencies=no\nWants=parley.service\n",
    ),
    writeFile(join(folder, "boot.sh"), boot(folder)),
  ]);
  const systemd = spawn("unshare", [...NAMESPACES, "--kill-child", "sh", join(folder, "boot.sh")], {
    stdio: "ignore",
  });
  t.after(async () => {
    const ended = systemd.exitCode === null ? once(systemd, "exit") : undefined;
    // Its process 1 goes with it, and with process 1 all others of the namespace.
    systemd.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  return {
    data,
    backups,
    async run(unit) {
      const { pid = 0 } = systemd;
      const first = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
      const inside = ["--target", first, "--mount", "--pid"];
      const started = spawn("nsenter", [...inside, "systemctl", "start", unit]);
      const [said, [code]] = await Promise.all([text(started.stderr), once(started, "exit")]);
      return code === 0 ? "" : `exit code ${code}: ${said}`;
    },
  };
};
