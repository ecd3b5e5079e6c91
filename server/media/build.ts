import { spawn } from "node:child_process";
import { once } from "node:events";
import { rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { GO_PACKAGE, LIVEKIT_VERSION } from "./release.ts";

const SAY_EVERY_MS = 15_000;

/** The environment variables that Go gets: none of Parley's secrets is among them. */
const GO_READS =
  /^(PATH|HOME|USERPROFILE|LOCALAPPDATA|SYSTEMROOT|T?E?MP(DIR)?|XDG_.*|GO[A-Z].*|CC|SSL_CERT_.*|(NO|HTTPS?|ALL)_PROXY)$/i;

/**
 * Builds LiveKit with Go, which fetches the source through its own proxy and checks its sums.
 * Takes about two minutes of processor time and a gigabyte of Go's caches.
 *
 * @param staged the path that gets the program
 * @param environment Go's: PATH, HOME and its own variables
 * @returns why it cannot be built; undefined when it was
 */
export const buildWithGo = async (
  staged: string,
  environment: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
): Promise<string | undefined> => {
  const folder = dirname(staged);
  const child = spawn("go", ["install", "-trimpath", "-ldflags=-s -w", GO_PACKAGE], {
    cwd: folder,
    // On macOS, LiveKit needs C to read the processor load.
    env: {
      ...Object.fromEntries(Object.entries(environment).filter(([name]) => GO_READS.test(name))),
      GOBIN: folder,
      GOFLAGS: "",
      CGO_ENABLED: process.platform === "darwin" ? "1" : "0",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  let downloads = 0;
  // Undefined if there was no file descriptor left; `once` below then throws.
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    downloads += text.match(/^go: downloading/gm)?.length ?? 0;
    said = (said + text).slice(-2_000);
  });
  const began = performance.now();
  const progress = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1_000);
    say(`Building LiveKit ${LIVEKIT_VERSION} with Go: ${downloads} packages, ${seconds} s so far`);
  }, SAY_EVERY_MS);
  try {
    say(`Building LiveKit ${LIVEKIT_VERSION} with Go; this takes some minutes.`);
    const [code] = await once(child, "close");
    if (code === 0) {
      const made = join(folder, process.platform === "win32" ? "server.exe" : "server");
      await rename(made, staged);
      return undefined;
    }
    return `Go failed: ${said.trim().split("\n").at(-1) ?? `exit code ${code}`}.`;
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isMissing) return "Go is not installed.";
    throw error;
  } finally {
    clearInterval(progress);
  }
};
