import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findChromium as findBrowser } from "../../server/capture/programs.ts";

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

const onPath = (name: string): boolean =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));

/** System packages that tests in a folder need, and whether they are installed. */
const needed = [
  {
    package: "chromium-headless-shell",
    folder: "test/console/",
    isHere: () => findChromium() !== undefined,
  },
  {
    package: "chromium-headless-shell",
    folder: "test/meetings/browser",
    isHere: () => findChromium() !== undefined,
  },
  {
    package: "chromium-headless-shell",
    folder: "test/live/browser",
    isHere: () => findChromium() !== undefined,
  },
  ...["test/live/browser", "test/transcription/engine"].flatMap((folder) => [
    { package: "espeak-ng", folder, isHere: () => onPath("espeak-ng") },
    { package: "pocketsphinx", folder, isHere: () => onPath("pocketsphinx_continuous") },
    {
      package: "pocketsphinx-en-us",
      folder,
      isHere: () => existsSync("/usr/share/pocketsphinx/model/en-us"),
    },
  ]),
  {
    package: "redis-server",
    folder: "test/meetings/engine-cluster",
    isHere: () => withoutRedis() === false,
  },
  { package: "ffmpeg", folder: "test/live/", isHere: () => onPath("ffmpeg") },
  ...["test/live/", "test/http/proxies"].map((folder) => ({
    package: "nginx-light",
    folder,
    isHere: () => onPath("nginx"),
  })),
  {
    package: "libnginx-mod-rtmp",
    folder: "test/live/",
    isHere: () => existsSync(RTMP_MODULE),
  },
  {
    package: "chromium-headless-shell",
    folder: "test/capture/",
    isHere: () => findChromium() !== undefined,
  },
  { package: "ffmpeg", folder: "test/capture/", isHere: () => onPath("ffmpeg") },
  {
    package: "chromium-headless-shell",
    folder: "test/recordings/",
    isHere: () => findChromium() !== undefined,
  },
  { package: "ffmpeg", folder: "test/recordings/", isHere: () => onPath("ffmpeg") },
  { package: "openssl", folder: "test/", isHere: () => onPath("openssl") },
  { package: "strace", folder: "test/faults/", isHere: () => onPath("strace") },
  {
    package: "libfaketime",
    folder: "test/faults/clock",
    isHere: () => findFakeClock() !== undefined,
  },
] as const;

/** Waits for another run of the package manager instead of failing because of it. */
const WAIT = ["-o", "DPkg::Lock::Timeout=600"];

/** Repairs what an interrupted run has left half done; then the package lists, then the packages. */
const steps = (packages: readonly string[]): readonly (readonly string[])[] => [
  ["dpkg", "--configure", "-a"],
  ["apt-get", ...WAIT, "update"],
  ["apt-get", ...WAIT, "--fix-broken", "install", "-y"],
  ["apt-get", ...WAIT, "install", "-y", ...packages],
];

/**
 * Installs what the test files need and the system lacks, once before they run, if possible: on Debian and
 * its derivatives, as root. Prints the output if that fails.
 */
export const installPrograms = (files: readonly string[]): void => {
  const missing = needed.filter(
    ({ folder, isHere }) => files.some((file) => file.startsWith(folder)) && !isHere(),
  );
  if (missing.length === 0) return;
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !onPath("apt-get")) return;
  const packages = [...new Set(missing.map((one) => one.package))];
  console.log(`Installing ${packages.join(" and ")} …`);
  const said = steps(packages).map(([program = "", ...args]) => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", env });
    return `$ ${[program, ...args].join(" ")} (${error?.message ?? status})\n${stdout}${stderr}`;
  });
  if (missing.some(({ isHere }) => !isHere())) console.log(said.join("\n"));
};
