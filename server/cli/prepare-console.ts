import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../../console/build.ts", import.meta.url));
const dist = fileURLToPath(new URL("../../console/dist", import.meta.url));

/** Checking an existing build takes less. */
const LOOK_MS = 1_500;

const isBuilt = (): boolean => existsSync(`${dist}/index.html`);

/** Whether this installation can build: the sources are there, and so is the tool. */
const canBuild = (): boolean => {
  if (!existsSync(source)) return false;
  try {
    import.meta.resolve("vite");
    return true;
  } catch {
    return false;
  }
};

/**
 * Builds the console in a process of its own, whose memory is gone afterwards.
 *
 * @returns what went wrong, in one line
 */
const build = async (say: (line: string) => void): Promise<string | undefined> => {
  const child = spawn(process.execPath, [source], { stdio: ["ignore", "ignore", "pipe"] });
  const told = setTimeout(
    () => say("Preparing the console: it is built where its sources changed."),
    LOOK_MS,
  );
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    errors = (errors + piece).slice(0, 10_000);
  });
  try {
    const [code] = (await once(child, "close")) as [number | null];
    if (code === 0) return undefined;
  } catch (error) {
    errors = String(error);
  } finally {
    clearTimeout(told);
  }
  const lines = errors.split("\n").map((line) => line.trim());
  return lines.find((line) => /error/i.test(line)) ?? lines.find(Boolean) ?? "no reason given";
};

/**
 * The folder of the console, built where it is not or its sources changed; undefined where there
 * is none to serve.
 */
export const prepareConsole = async (say: (line: string) => void): Promise<string | undefined> => {
  if (canBuild()) {
    const problem = await build(say);
    if (problem !== undefined) {
      const what = isBuilt() ? "an older build of it is served" : "Parley starts without it";
      say(`The console could not be built (${problem}); ${what}. Run "npm run build".`);
    }
  }
  return isBuilt() ? dist : undefined;
};
