import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storePath } from "../run/store.ts";
import type { Scope } from "../world/empty-database.ts";
import { filesBelow } from "../world/files.ts";
import { freePort } from "../world/free-port.ts";
import { until } from "../world/process.ts";
import type { Environment } from "../world/world.ts";

/** A real S3 server with one bucket. */
export interface S3Server {
  readonly environment: Environment;
  /** The keys of the objects in the bucket, and of incomplete uploads. */
  keys(): string[];
  /** The file that contains an object. */
  fileOf(key: string): string;
  /** Nobody answers any more, until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** It stands still: it takes connections, and answers nothing. */
  freeze(): void;
  thaw(): void;
}

const ACCESS = "parley-tests";
/** A secret that must not appear in any log. */
export const SECRET = "SENTINEL-of-the-secret-access-key";
const BUCKET = "recordings";
export const PREFIX = "kept/";

export const startS3 = async (t: Scope): Promise<S3Server> => {
  const folder = mkdtempSync(join(tmpdir(), "parley-s3-"));
  const data = join(folder, "data");
  const sidecar = join(folder, "facts");
  mkdirSync(join(data, BUCKET), { recursive: true });
  mkdirSync(sidecar);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let end = async (): Promise<void> => {};
  let signal = (_signal: NodeJS.Signals): void => {};
  const start = async (): Promise<void> => {
    const child = spawn(
      storePath,
      ["--port", `127.0.0.1:${port}`, "--quiet", "posix", "--sidecar", sidecar, data],
      {
        env: { ...process.env, ROOT_ACCESS_KEY_ID: ACCESS, ROOT_SECRET_ACCESS_KEY: SECRET },
        stdio: "ignore",
      },
    );
    const gone = once(child, "close");
    signal = (name) => void child.kill(name);
    end = async () => {
      child.kill("SIGKILL");
      await gone;
    };
    await until("the store answers", async () => {
      const answer = await fetch(url).catch(() => undefined);
      await answer?.body?.cancel();
      return answer !== undefined;
    });
  };
  await start();
  t.after(async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    environment: {
      S3_ENDPOINT: url,
      S3_BUCKET: BUCKET,
      S3_PREFIX: PREFIX,
      S3_ACCESS_KEY_ID: ACCESS,
      S3_SECRET_ACCESS_KEY: SECRET,
    },
    keys: () => filesBelow(join(data, BUCKET)),
    fileOf: (key) => join(data, BUCKET, key),
    stop: () => end(),
    start,
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
  };
};
