import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, relative, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = fileURLToPath(new URL("dist", import.meta.url));
/** The folder of a build until it replaces the previous one. */
const next = fileURLToPath(new URL("../.cache/console-next", import.meta.url));
const lock = fileURLToPath(new URL("../.cache/console-lock", import.meta.url));
const stampFile = fileURLToPath(new URL("dist/.stamp", import.meta.url));

/** The sources of the build. */
const SOURCES = ["console/**/*", "contract/**/*", "languages/**/*", "package-lock.json"];

/** A digest of the names and contents of all sources. */
const stampOf = (): string => {
  const files = globSync(SOURCES, { cwd: root, exclude: ["console/dist"] })
    .filter((name) => statSync(`${root}/${name}`).isFile())
    .map((name) => name.split(sep).join("/"))
    .sort();
  const digest = createHash("sha256").update(process.version.split(".")[0] ?? "");
  for (const name of files) digest.update(`${name}\0`).update(readFileSync(`${root}/${name}`));
  return digest.digest("hex");
};

const squeezeBrotli = promisify(brotliCompress);
const squeezeGzip = promisify(gzip);

/** The highest, 11, takes twice as long for 2 % less, and each start after an upgrade from source waits for it. */
const BROTLI_QUALITY = 10;

const COMPRESSED = /\.(?:js|css|html|svg)$/;

/** Writes .br and .gz beside every text file of the build. */
const compress = async (): Promise<void> => {
  const files = globSync("**/*", { cwd: next }).filter((name) => COMPRESSED.test(name));
  await Promise.all(
    files.map(async (name) => {
      const bytes = readFileSync(`${next}/${name}`);
      const [brotli, gzipped] = await Promise.all([
        squeezeBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
        squeezeGzip(bytes, { level: 9 }),
      ]);
      writeFileSync(`${next}/${name}.br`, brotli);
      writeFileSync(`${next}/${name}.gz`, gzipped);
    }),
  );
};

const isBuilt = (stamp: string): boolean =>
  existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp;

/** Returns whether the console is built from its current sources. Reads them all, which takes a moment. */
export const isCurrent = (): boolean => isBuilt(stampOf());

const TOUCH_MS = 5_000;
/** A lock that was not touched for this long belongs to a killed process. */
const STALE_MS = 120_000;

/** Allows one build at a time: two processes that start together would overwrite each other's files. */
const locked = async <T>(run: () => Promise<T>): Promise<T> => {
  mkdirSync(dirname(lock), { recursive: true });
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - since > STALE_MS) rmSync(lock, { recursive: true, force: true });
      await sleep(100);
    }
  }
  // A build takes minutes on a busy machine.
  const touching = setInterval(() => {
    const now = new Date();
    utimesSync(lock, now, now);
  }, TOUCH_MS);
  try {
    return await run();
  } finally {
    clearInterval(touching);
    rmSync(lock, { recursive: true, force: true });
  }
};

/**
 * Builds the console into console/dist if it is not built, or if its sources have changed.
 *
 * @param options.force builds in any case
 */
export const buildConsole = async (
  options: { readonly force?: boolean } = {},
): Promise<{ readonly rebuilt: boolean }> => {
  const stamp = stampOf();
  if (isBuilt(stamp) && !options.force) return { rebuilt: false };
  return locked(async () => {
    if (isBuilt(stamp) && !options.force) return { rebuilt: false };
    const started = performance.now();
    // Only a build needs Vite; a service whose console is built starts without it.
    const { build } = await import("vite");
    await build({
      configFile: fileURLToPath(new URL("vite.config.ts", import.meta.url)),
      logLevel: "warn",
      build: { outDir: next, emptyOutDir: true },
    });
    // Alone: other pages load it by its name.
    await build({
      configFile: false,
      logLevel: "warn",
      publicDir: false,
      build: {
        lib: {
          entry: fileURLToPath(new URL("embed/kit.ts", import.meta.url)),
          formats: ["es"],
          fileName: () => "embed.js",
        },
        outDir: next,
        emptyOutDir: false,
        target: "es2022",
        minify: true,
        reportCompressedSize: false,
      },
    });
    await compress();
    writeFileSync(`${next}/.stamp`, stamp);
    rmSync(dist, { recursive: true, force: true });
    renameSync(next, dist);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`console built in ${seconds} s (${relative(root, dist)})`);
    return { rebuilt: true };
  });
};

if (import.meta.main) await buildConsole({ force: process.argv.includes("--force") });
