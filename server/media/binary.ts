import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { LIVEKIT_VERSION } from "./release.ts";

/** LiveKit's program on this machine. */
export interface Binary {
  readonly path: string;
  readonly version: string;
  /** How it was found. */
  readonly from: "LIVEKIT_SERVER" | "DATA_DIR" | "PATH";
}

/** Where to look. */
export interface SearchPaths {
  /** The path that LIVEKIT_SERVER names. */
  readonly server: string | undefined;
  readonly dataDir: string;
  /** The PATH of the environment. */
  readonly path: string;
}

export const PROGRAM = process.platform === "win32" ? "livekit-server.exe" : "livekit-server";

/** Where `parley media install` puts the program. */
export const installedPath = (dataDir: string): string => join(dataDir, "livekit", PROGRAM);

/** The version that a program reports; undefined if it does not run or is not LiveKit. */
export const engineVersion = async (path: string): Promise<string | undefined> => {
  // SIGKILL ends one that stands still, too.
  const patience = { timeout: 30_000, killSignal: "SIGKILL" } as const;
  const said = await promisify(execFile)(path, ["--version"], patience).catch(() => {});
  return /^livekit-server version (\d+\.\d+\.\d+\S*)/.exec(said?.stdout ?? "")?.[1];
};

/** Patches of one minor version take the same settings and messages. */
const isUsable = (version: string | undefined): version is string =>
  version !== undefined &&
  version.split(".").slice(0, 2).join(".") === LIVEKIT_VERSION.split(".").slice(0, 2).join(".");

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/**
 * Finds LiveKit's program: LIVEKIT_SERVER, then the installed one, then the PATH.
 *
 * @returns the program, or one sentence that says why there is none
 */
export const findBinary = async ({
  server,
  dataDir,
  path,
}: SearchPaths): Promise<Binary | string> => {
  if (server !== undefined) {
    const version = await engineVersion(server);
    if (isUsable(version)) return { path: server, version, from: "LIVEKIT_SERVER" };
    return version === undefined
      ? `LIVEKIT_SERVER is ${server}, which is not a LiveKit server that runs here.`
      : `LIVEKIT_SERVER is LiveKit ${version}; Parley needs ${LIVEKIT_VERSION}.`;
  }
  const candidates = [
    { from: "DATA_DIR", path: installedPath(dataDir) } as const,
    ...path
      .split(delimiter)
      .filter((folder) => folder !== "")
      .map((folder) => ({ from: "PATH", path: join(folder, PROGRAM) }) as const),
  ];
  const others: string[] = [];
  for (const candidate of candidates) {
    if (!(await isProgram(candidate.path))) continue;
    const version = await engineVersion(candidate.path);
    if (isUsable(version)) return { ...candidate, version };
    others.push(`${candidate.path} (${version ?? "does not run"})`);
  }
  return others.length === 0
    ? "There is no LiveKit server on this machine."
    : `There is no LiveKit ${LIVEKIT_VERSION} on this machine, only ${others.join(", ")}.`;
};
