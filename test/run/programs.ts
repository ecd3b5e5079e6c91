import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findChromium as findBrowser } from "../../server/capture/programs.ts";
import { type Need, needed } from "./head.ts";

/** The path of the system's Chromium, if it has one. */
export const findChromium = (): string | undefined =>
  findBrowser({ chromium: process.env.CHROMIUM, path: process.env.PATH ?? "" });

/** The path of libfaketime, which gives a program another time, if the system has it. */
export const findFakeClock = (): string | undefined =>
  globSync([
    "/usr/lib/*/faketime/libfaketimeMT.so.1",
    "/usr/{lib,lib64,local/lib}/faketime/libfaketimeMT.so.1",
  ])[0];

const RTMP_MODULE = "/usr/lib/nginx/modules/ngx_rtmp_module.so";

/** Why a test with a real receiver of live streams is skipped; false if it is installed. */
export const withoutReceiver = (): string | false =>
  onPath("nginx") && existsSync(RTMP_MODULE) && onPath("ffmpeg")
    ? false
    : "nginx with its RTMP module, or ffmpeg, is not installed";

/** Why a test with nginx as a proxy is skipped; false if it is installed. */
export const withoutNginx = (): string | false =>
  onPath("nginx") ? false : "nginx is not installed";

/** Why a test with HAProxy is skipped; false if it is installed. */
export const withoutHaproxy = (): string | false =>
  onPath("haproxy") ? false : "haproxy is not installed";

/** Why a test with PgBouncer is skipped; false if it is installed. */
export const withoutPgbouncer = (): string | false =>
  onPath("pgbouncer") ? false : "pgbouncer is not installed";

/** Why a test with a real speech engine is skipped; false if it is installed. */
export const withoutSpeech = (): string | false =>
  onPath("pocketsphinx_continuous") && onPath("espeak-ng")
    ? false
    : "pocketsphinx or espeak-ng is not installed";

/** Why a test with several nodes of the media engine is skipped; false if Redis is installed. */
export const withoutRedis = (): string | false =>
  onPath("redis-server") && onPath("redis-cli") ? false : "Redis is not installed";

/**
 * Why a test with coturn is skipped; false if it is installed. It is not installed automatically, because its
 * service would then run permanently.
 */
export const withoutTurn = (): string | false =>
  onPath("turnserver") ? false : "coturn is not installed";

/** Returns whether a program of this name is installed. */
export const onPath = (name: string): boolean =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));

/** System packages, what test files say when they need them, and whether they are installed. */
const packages: readonly {
  readonly package: string;
  /** Every test file needs it if nothing is said. */
  readonly need?: Need;
  readonly isHere: () => boolean;
}[] = [
  {
    package: "chromium-headless-shell",
    need: "browser",
    isHere: () => findChromium() !== undefined,
  },
  { package: "espeak-ng", need: "speech", isHere: () => onPath("espeak-ng") },
  { package: "pocketsphinx", need: "speech", isHere: () => onPath("pocketsphinx_continuous") },
  {
    package: "pocketsphinx-en-us",
    need: "speech",
    isHere: () => existsSync("/usr/share/pocketsphinx/model/en-us"),
  },
  { package: "redis-server", need: "redis", isHere: () => withoutRedis() === false },
  { package: "ffmpeg", need: "ffmpeg", isHere: () => onPath("ffmpeg") },
  { package: "nginx-light", need: "nginx", isHere: () => onPath("nginx") },
  { package: "haproxy", need: "haproxy", isHere: () => onPath("haproxy") },
  { package: "pgbouncer", need: "pgbouncer", isHere: () => onPath("pgbouncer") },
  { package: "libnginx-mod-rtmp", need: "rtmp", isHere: () => existsSync(RTMP_MODULE) },
  { package: "openssl", isHere: () => onPath("openssl") },
  { package: "buildah", need: "buildah", isHere: () => onPath("buildah") },
  { package: "mmdebstrap", need: "buildah", isHere: () => onPath("mmdebstrap") },
  { package: "runc", need: "buildah", isHere: () => onPath("runc") },
  { package: "strace", need: "strace", isHere: () => onPath("strace") },
  {
    package: "libfaketime",
    need: "libfaketime",
    isHere: () => findFakeClock() !== undefined,
  },
];

/** Waits for another run of the package manager instead of failing because of it. */
const WAIT = ["-o", "DPkg::Lock::Timeout=600"];

/** Repairs what an interrupted run has left half done; then the package lists, then the packages. */
const steps = (names: readonly string[]): readonly (readonly string[])[] => [
  ["dpkg", "--configure", "-a"],
  ["apt-get", ...WAIT, "update"],
  ["apt-get", ...WAIT, "--fix-broken", "install", "-y"],
  ["apt-get", ...WAIT, "install", "-y", ...names],
];

/**
 * Installs what the test files need and the system lacks, once before they run, if possible: on Debian and
 * its derivatives, as root. Prints the output if that fails.
 */
export const installPrograms = (files: readonly string[]): void => {
  const missing = packages.filter(
    ({ need, isHere }) => (need === undefined || needed(files, need)) && !isHere(),
  );
  if (missing.length === 0) return;
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !onPath("apt-get")) return;
  const names = missing.map((one) => one.package);
  console.log(`Installing ${names.join(" and ")} …`);
  const said = steps(names).map(([program = "", ...args]) => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", env });
    return `$ ${[program, ...args].join(" ")} (${error?.message ?? status})\n${stdout}${stderr}`;
  });
  if (missing.some(({ isHere }) => !isHere())) console.log(said.join("\n"));
};
