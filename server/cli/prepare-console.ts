import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const source = new URL("../../console/build.ts", import.meta.url);
const dist = fileURLToPath(new URL("../../console/dist", import.meta.url));

const isBuilt = (): boolean => existsSync(`${dist}/index.html`);

/** Returns whether a build is needed and possible, with sources and build tool. */
const isToBuild = async (): Promise<boolean> => {
  if (!existsSync(source)) return false;
  try {
    import.meta.resolve("vite");
  } catch {
    return false;
  }
  const { isCurrent }: { isCurrent(): boolean } = await import(source.href);
  return !isCurrent();
};

/**
 * Builds the console in a separate process, whose memory is free afterwards.
 *
 * @returns the error, in one line
 */
const build = async (say: (line: string) => void): Promise<string | undefined> => {
  say("Building the console, which takes some seconds.");
  const args = [fileURLToPath(source)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  // Undefined without a free file descriptor; `once` below then throws.
  child.stderr?.setEncoding("utf8").on("data", (piece: string) => {
    errors = (errors + piece).slice(0, 10_000);
  });
  try {
    const [code] = (await once(child, "close")) as [number | null];
    if (code === 0) return undefined;
  } catch (error) {
    errors = String(error);
  }
  const lines = errors.split("\n").map((line) => line.trim());
  return lines.find((line) => /error/i.test(line)) ?? lines.find(Boolean) ?? "no reason given";
};

/**
 * The console's folder, built if it is missing or older than its sources; undefined if there is
 * none to serve.
 */
export const prepareConsole = async (say: (line: string) => void): Promise<string | undefined> => {
  if (await isToBuild()) {
    const problem = await build(say);
    if (problem !== undefined) {
      const what = isBuilt() ? "an older build of it is served" : "Parley starts without it";
      say(`The console could not be built (${problem}); ${what}. Run "npm run build".`);
    }
  }
  return isBuilt() ? dist : undefined;
};
