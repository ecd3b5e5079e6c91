import { createHash } from "node:crypto";
import { chmod, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder } from "../lib/durable.ts";
import { makeFolder } from "../lib/folders.ts";
import { engineVersion, installedPath, PROGRAM } from "./binary.ts";
import { buildWithGo } from "./build.ts";
import { type Archive, archives, LIVEKIT_VERSION } from "./release.ts";
import { unpackFile } from "./unpack.ts";

/** The engine cannot be installed; its message says what to do. */
export class InstallError extends Error {
  override readonly name = "InstallError";
}

export interface InstallOptions {
  readonly dataDir: string;
  /** For Go: PATH, HOME and its own variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Undefined if there is none for this machine. */
  readonly archive?: Archive | undefined;
  /** Called with the bytes downloaded so far, and the total. */
  readonly onProgress?: (done: number, of: number) => void;
  /** Shows one line to the person who waits. */
  readonly say?: (line: string) => void;
}

export interface Installed {
  readonly path: string;
  readonly version: string;
  readonly from: "release" | "go" | "there already";
}

/** The archive for this machine. */
export const ownArchive = (): Archive | undefined =>
  archives[`${process.platform}-${process.arch}`];

const STALLED_MS = 60_000;

/**
 * Fetches an archive, and checks its size and sum.
 *
 * @returns undefined if it cannot be fetched
 * @throws InstallError if the size or sum is wrong
 */
const fetchArchive = async (
  { url, bytes, sha256 }: Archive,
  onProgress: (done: number, of: number) => void,
): Promise<Buffer | undefined> => {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), STALLED_MS);
  const pieces: Uint8Array[] = [];
  let done = 0;
  try {
    const response = await fetch(url, { signal: stalled.signal });
    if (!response.ok || response.body === null) return undefined;
    for await (const piece of response.body) {
      timer.refresh();
      pieces.push(piece);
      done += piece.length;
      if (done > bytes) break;
      onProgress(done, bytes);
    }
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
  const archive = Buffer.concat(pieces);
  if (done !== bytes) {
    const found = done > bytes ? `more than ${bytes}` : String(done);
    throw new InstallError(`${url} has ${found} bytes, not ${bytes}. Nothing was installed.`);
  }
  const sum = createHash("sha256").update(archive).digest("hex");
  if (sum !== sha256) {
    throw new InstallError(
      `${url} has the SHA-256 sum ${sum}, not ${sha256}: it is not the file that this Parley was made for. Nothing was installed.`,
    );
  }
  return archive;
};

const withoutRelease = (): string =>
  process.platform === "darwin"
    ? 'There is no archive for macOS. Run "brew install livekit": Parley finds it on the PATH.'
    : process.platform === "win32"
      ? `Parley does not install LiveKit on Windows. Unpack livekit_${LIVEKIT_VERSION}_windows_amd64.zip from its release page and set LIVEKIT_SERVER to livekit-server.exe.`
      : `There is no archive for ${process.platform} on ${process.arch}. Build LiveKit ${LIVEKIT_VERSION} and set LIVEKIT_SERVER to it.`;

/** Puts the program in `staged`, from the release or built by Go. */
const stage = async (staged: string, options: InstallOptions): Promise<Installed["from"]> => {
  const { archive, environment, say = () => {}, onProgress = () => {} } = options;
  if (archive !== undefined) {
    say(`Downloading LiveKit ${LIVEKIT_VERSION} from ${archive.url}`);
    const packed = await fetchArchive(archive, onProgress);
    if (packed !== undefined) {
      const program = unpackFile(packed, "livekit-server");
      if (program === undefined) throw new InstallError(`${archive.url} has no livekit-server.`);
      await writeFile(staged, program);
      return "release";
    }
    say("The download failed; trying Go.");
  }
  const problem = await buildWithGo(staged, environment, say);
  if (problem === undefined) return "go";
  throw new InstallError(
    archive === undefined
      ? `${withoutRelease()} (${problem})`
      : `${archive.url} cannot be downloaded, and LiveKit cannot be built here: ${problem} Fetch the file on another machine, unpack it, and set LIVEKIT_SERVER to livekit-server.`,
  );
};

/**
 * Installs the pinned LiveKit in the data folder: staged beside its place, then renamed, so a
 * partial program never has the final name.
 *
 * @throws InstallError
 */
export const installEngine = async (options: InstallOptions): Promise<Installed> => {
  const path = installedPath(options.dataDir);
  if ((await engineVersion(path)) === LIVEKIT_VERSION) {
    return { path, version: LIVEKIT_VERSION, from: "there already" };
  }
  await makeFolder(dirname(path));
  const folder = await mkdtemp(join(dirname(path), "install-"));
  try {
    const staged = join(folder, PROGRAM);
    const from = await stage(staged, options);
    await chmod(staged, 0o755);
    const version = await engineVersion(staged);
    if (version !== LIVEKIT_VERSION) {
      throw new InstallError(
        `The program says that it is ${version ?? "nothing that runs here"}, not LiveKit ${LIVEKIT_VERSION}. Nothing was installed.`,
      );
    }
    await rename(staged, path);
    await syncFolder(dirname(path));
    return { path, version, from };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
