import { type ExecFileException, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { enginePath } from "../run/engine.ts";
import { onPath } from "../run/programs.ts";
import type { Scope } from "../world/empty-database.ts";
import { seccompOf } from "./seccomp.ts";

/*
 * Images by Debian's buildah, which needs no daemon, and containers by runc, with which Docker and containerd run
 * theirs. They share the network of this process.
 */

const root = fileURLToPath(new URL("../..", import.meta.url));
const MIRROR = "http://deb.debian.org/debian";
/** Where Debian's machines keep certificates of their own authorities. */
const AUTHORITIES = "/usr/local/share/ca-certificates";
/** As in Debian's own images: no manuals and no translations. */
const WITHOUT = [
  "/usr/share/man/*",
  "/usr/share/doc/*",
  "/usr/share/locale/*",
  "/usr/share/info/*",
];
const USUAL_PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The longest time of one step: less than that after which the run ends a silent file (run/file.ts). */
const MOST_MS = 540_000;
/** How many lines of a program's output say where it failed. */
const LAST_LINES = 30;

/**
 * Runs a program.
 *
 * @returns its output
 * @throws Error with its last lines, if it fails or takes too long
 */
export const execute = async (
  program: string,
  words: readonly string[],
  more: NodeJS.ProcessEnv = {},
): Promise<string> => {
  const env = { ...process.env, BUILDAH_ISOLATION: "chroot", ...more };
  const options = { maxBuffer: 1 << 28, timeout: MOST_MS, env };
  try {
    return (await promisify(execFile)(program, words, options)).stdout.trim();
  } catch (error) {
    const { killed, stdout = "", stderr = "" } = error as Partial<ExecFileException>;
    const last = `${stdout}\n${stderr}`.trim().split("\n").slice(-LAST_LINES).join("\n");
    const how = killed ? `did not end within ${MOST_MS / 1_000} s` : "failed";
    throw new Error(`${program} ${words.join(" ")} ${how}:\n${last}`, { cause: error });
  }
};

/** Why a test that builds images is skipped; false if it can run here. */
export const withoutBuildah = async (): Promise<string | false> => {
  if (process.getuid?.() !== 0) return "building images needs root";
  const missing = ["buildah", "mmdebstrap", "runc"].find((program) => !onPath(program));
  if (missing !== undefined) return `${missing} is not installed`;
  const signal = AbortSignal.timeout(30_000);
  const isNear = await fetch(`${MIRROR}/dists/trixie/InRelease`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
  return isNear ? false : "Debian's packages cannot be fetched";
};

/** An image's description of itself. */
interface ImageConfig {
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly Env?: readonly string[];
  readonly User?: string;
  readonly WorkingDir?: string;
  readonly Labels?: Readonly<Record<string, string>>;
  readonly Healthcheck?: { readonly Test: readonly string[] };
}

/** How a container differs from its image. */
export interface ContainerOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Folders and files of this machine, by their paths in the container; folders become its user's. */
  readonly volumes?: Readonly<Record<string, string>>;
  readonly tmpfs?: readonly string[];
  /** True if its first process forwards signals, as Docker's own does. */
  readonly init?: boolean;
  /** The words after the entry point. */
  readonly command?: readonly string[];
  /** Its user: a name, or numbers of user and group joined by a colon. */
  readonly user?: string;
  /** The rights that it keeps, of none. */
  readonly rights?: readonly string[];
  /** The file of a profile for seccomp, as Docker reads it. */
  readonly seccomp?: string;
  /** How its health is checked. */
  readonly check?: readonly string[];
  /** Names of other containers, which are all on this machine's loopback. */
  readonly names?: readonly string[];
}

/** A container, whose root is read-only. */
export interface Container {
  /** Its output so far. */
  said(): string;
  hasEnded(): boolean;
  /** Runs a command in it. @returns its exit code and output */
  run(...command: readonly string[]): Promise<{ readonly code: number; readonly said: string }>;
  isHealthy(): Promise<boolean>;
  /** Sends a signal to its first process, once. @returns the exit code */
  end(signal?: NodeJS.Signals): Promise<number>;
}

/** The containers of a store. */
export interface Containers {
  configOf(image: string): Promise<ImageConfig>;
  start(image: string, options?: ContainerOptions): Promise<Container>;
}

/** A store of images and containers. */
export interface Images extends Containers {
  readonly folder: string;
  /** Makes Debian under the name that deploy/Dockerfile uses, on which all others are built. */
  makeBase(): Promise<void>;
  /** Builds a target of deploy/Dockerfile. @returns the name of the image */
  build(target: string): Promise<string>;
  /** Builds an image from the text of a Dockerfile. @returns its name */
  buildText(name: string, dockerfile: string): Promise<string>;
  /** The megabytes of an image on a disk. */
  sizeOf(image: string): Promise<number>;
}

/** The numbers of a user, who may be given by name, as the image has it. */
const userOf = (place: string, user: string): { readonly uid: number; readonly gid: number } => {
  const [name = "", group = ""] = user.split(":");
  const lines = readFileSync(join(place, "etc/passwd"), "utf8").split("\n");
  const [, , uid = name, gid = group || name] =
    lines.map((line) => line.split(":")).find(([known]) => known === name) ?? [];
  return { uid: Number(uid), gid: Number(gid) };
};

/** The configuration of runc: a container as Docker makes it, without rights and without a network of its own. */
const bundleOf = (
  place: string,
  hosts: string,
  image: ImageConfig,
  { environment = {}, volumes = {}, tmpfs = [], rights = [], ...given }: ContainerOptions,
) => {
  const { uid, gid } = userOf(place, given.user ?? image.User ?? "0");
  const kept = rights.map((right) => `CAP_${right}`);
  const mount = (destination: string, type: string, source: string, ...options: string[]) => ({
    destination,
    type,
    source,
    options,
  });
  return {
    ociVersion: "1.0.2",
    process: {
      args: [
        ...(given.init ? ["tini", "--"] : []),
        ...(image.Entrypoint ?? []),
        ...(given.command ?? image.Cmd ?? []),
      ],
      env: [
        ...[USUAL_PATH, ...(image.Env ?? [])],
        ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      ],
      cwd: image.WorkingDir || "/",
      user: { uid, gid },
      noNewPrivileges: true,
      capabilities: { bounding: kept, effective: kept, permitted: kept },
    },
    root: { path: place, readonly: true },
    mounts: [
      mount("/proc", "proc", "proc"),
      mount("/dev", "tmpfs", "tmpfs", "nosuid", "mode=755"),
      mount("/dev/pts", "devpts", "devpts", "newinstance", "ptmxmode=0666"),
      mount("/dev/shm", "tmpfs", "shm", "nosuid", "nodev", "mode=1777"),
      mount("/sys", "sysfs", "sysfs", "nosuid", "nodev", "ro"),
      mount("/etc/hosts", "bind", hosts, "bind", "ro"),
      ...tmpfs.map((path) => mount(path, "tmpfs", "tmpfs", "nosuid", "nodev", "mode=1777")),
      ...Object.entries(volumes).map(([path, from]) => mount(path, "bind", from, "rbind", "rw")),
    ],
    linux: {
      namespaces: ["pid", "ipc", "uts", "mount"].map((type) => ({ type })),
      ...(given.seccomp !== undefined && { seccomp: seccompOf(given.seccomp) }),
    },
  };
};

const buildahIn =
  (folder: string) =>
  (...words: readonly string[]): Promise<string> =>
    execute("buildah", [
      ...["--root", join(folder, "root"), "--runroot", join(folder, "run")],
      ...words,
    ]);

/** Starts containers of a store; they end with the test. */
export const openContainers = (t: Scope, folder: string): Containers => {
  const buildah = buildahIn(folder);
  const running: Container[] = [];
  t.after(() => Promise.all(running.map((container) => container.end("SIGKILL"))));
  const configOf: Containers["configOf"] = async (image) =>
    JSON.parse(await buildah("inspect", "--type", "image", image)).Docker.config;
  return {
    configOf,
    start: async (image, given = {}) => {
      const config = await configOf(image);
      const place = await buildah("mount", await buildah("from", "--pull-never", image));
      const bundle = await mkdtemp(join(folder, "bundle-"));
      const hosts = join(bundle, "hosts");
      await writeFile(hosts, `127.0.0.1 localhost ${(given.names ?? []).join(" ")}\n`);
      const wanted = bundleOf(place, hosts, config, given);
      const { uid, gid } = wanted.process.user;
      for (const path of Object.values(given.volumes ?? {})) {
        if (statSync(path).isDirectory()) chownSync(path, uid, gid);
      }
      await writeFile(join(bundle, "config.json"), JSON.stringify(wanted));
      const name = bundle.split("-").at(-1) ?? "";
      const runc = (...words: readonly string[]) => {
        const child = spawn("runc", ["--root", join(folder, "runc"), ...words]);
        let said = "";
        for (const stream of [child.stdout, child.stderr]) {
          stream.setEncoding("utf8").on("data", (text: string) => {
            said += text;
          });
        }
        const ended = once(child, "close").then(([code]) => Number(code));
        return { said: () => said, ended };
      };
      const main = runc("run", "--bundle", bundle, name);
      let ended = false;
      void main.ended.then(() => {
        ended = true;
      });
      const run: Container["run"] = async (...command) => {
        const beside = runc("exec", name, ...command);
        return { code: await beside.ended, said: beside.said() };
      };
      const made: Container = {
        said: main.said,
        hasEnded: () => ended,
        run,
        isHealthy: async () => {
          const [, ...check] = given.check ?? config.Healthcheck?.Test ?? [];
          return (await run(...check)).code === 0;
        },
        end: async (signal = "SIGTERM") => {
          if (!ended) await runc("kill", name, signal).ended;
          return main.ended;
        },
      };
      running.push(made);
      return made;
    },
  };
};

/** A store of images for one file. It begins empty, and is removed with everything in it. */
export const openImages = async (t: Scope): Promise<Images> => {
  // On the disk: it takes several gigabytes, and what tests write elsewhere may be in memory.
  const folder = await mkdtemp(join(root, ".cache/images-"));
  const buildah = buildahIn(folder);
  const containers = openContainers(t, folder);
  t.after(async () => {
    await buildah("umount", "--all");
    await buildah("rm", "--all");
    await execute("umount", [join(folder, "root/overlay")]).catch(() => {});
    await rm(folder, { recursive: true, force: true });
  });

  const makeBase = async (): Promise<void> => {
    const tar = join(folder, "debian.tar");
    const options = WITHOUT.map((path) => `--dpkgopt=path-exclude=${path}`);
    const copyrights = "--dpkgopt=path-include=/usr/share/doc/*/copyright";
    await execute("mmdebstrap", [
      ...["--variant=minbase", ...options, copyrights],
      ...["trixie", tar, MIRROR],
    ]);
    const debian = await buildah("from", "scratch");
    await buildah("add", "--quiet", debian, tar, "/");
    if (existsSync(AUTHORITIES)) await buildah("add", "--quiet", debian, AUTHORITIES, AUTHORITIES);
    await buildah("commit", "--rm", debian, "docker.io/library/debian:trixie-slim");
    await rm(tar);
  };

  const build = async (name: string, ...words: readonly string[]): Promise<string> => {
    await buildah("build", "--format", "docker", "--layers", "--tag", name, ...words);
    return name;
  };

  return {
    ...containers,
    folder,
    makeBase,
    build: (target) =>
      build(
        `parley:${target}`,
        // The LiveKit of the tests: its release is not fetched again.
        ...["--volume", `${join(enginePath, "../..")}:/engine:ro`],
        ...["--target", target, "--file", join(root, "deploy/Dockerfile"), root],
      ),
    buildText: async (name, dockerfile) => {
      const context = await mkdtemp(join(folder, "context-"));
      await writeFile(join(context, "Dockerfile"), dockerfile);
      return build(name, context);
    },
    sizeOf: async (image) => {
      const [{ size }] = JSON.parse(await buildah("images", "--json", image));
      const [number, unit] = size.split(" ");
      return Number(number) * (unit === "GB" ? 1000 : 1);
    },
  };
};
