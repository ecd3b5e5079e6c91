import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const house = fileURLToPath(new URL("..", import.meta.url));
const dist = fileURLToPath(new URL("dist", import.meta.url));
const stampFile = fileURLToPath(new URL("dist/.stamp", import.meta.url));

/** What the build is made of. */
const SOURCES = ["console/**/*", "contract/**/*", "package-lock.json"];

/** A digest over the names and contents of all sources. */
const stampOf = (): string => {
  const files = globSync(SOURCES, { cwd: house, exclude: ["console/dist"] })
    .filter((name) => statSync(`${house}/${name}`).isFile())
    .map((name) => name.split(sep).join("/"))
    .sort();
  const digest = createHash("sha256").update(process.version.split(".")[0] ?? "");
  for (const name of files) digest.update(`${name}\0`).update(readFileSync(`${house}/${name}`));
  return digest.digest("hex");
};

const squeezeBrotli = promisify(brotliCompress);
const squeezeGzip = promisify(gzip);

const COMPRESSED = /\.(?:js|css|html|svg)$/;

/** Writes .br and .gz beside every text of the build. */
const compress = async (): Promise<void> => {
  const files = globSync("**/*", { cwd: dist }).filter((name) => COMPRESSED.test(name));
  await Promise.all(
    files.map(async (name) => {
      const bytes = readFileSync(`${dist}/${name}`);
      const [brotli, gzipped] = await Promise.all([
        squeezeBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
        squeezeGzip(bytes, { level: 9 }),
      ]);
      writeFileSync(`${dist}/${name}.br`, brotli);
      writeFileSync(`${dist}/${name}.gz`, gzipped);
    }),
  );
};

/**
 * Builds the console into console/dist where it is not built, or its sources changed.
 *
 * @param options.force builds whatever the stamp says
 */
export const buildConsole = async (
  options: { force?: boolean } = {},
): Promise<{ rebuilt: boolean }> => {
  const stamp = stampOf();
  const built = existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp;
  if (built && !options.force) return { rebuilt: false };
  const started = performance.now();
  // Only a build needs Vite; a service whose console is built starts without it.
  const { build } = await import("vite");
  await build({
    configFile: fileURLToPath(new URL("vite.config.ts", import.meta.url)),
    logLevel: "warn",
  });
  await compress();
  // Last, so that a build that was interrupted is made again.
  writeFileSync(stampFile, stamp);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`console built in ${seconds} s (${relative(house, dist)})`);
  return { rebuilt: true };
};

if (import.meta.main) await buildConsole({ force: process.argv.includes("--force") });
