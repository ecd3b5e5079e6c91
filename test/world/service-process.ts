import { spawn } from "node:child_process";
import { once } from "node:events";
import { devNull } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "./free-port.ts";
import type { Running } from "./service.ts";

const door = fileURLToPath(new URL("../../parley.js", import.meta.url));

/** A service that is not ready by then will not be. */
const readyWithin = 300_000;

/**
 * Starts a service as people do, `parley start`, and waits until it is ready.
 *
 * @throws Error with what it printed, where it ends or does not get ready.
 */
export const startProcess = async (env: Readonly<Record<string, string>>): Promise<Running> => {
  const port = env.PORT === "0" ? String(await freePort()) : (env.PORT ?? "");
  const child = spawn(process.execPath, [door, "start"], {
    // So that it ends with this process (see parley.js), and reads no settings of this machine.
    env: {
      PATH: process.env.PATH,
      PARLEY_ENV_FILE: devNull,
      npm_lifecycle_event: "test",
      ...env,
      PORT: port,
    },
    cwd: env.DATA_DIR,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const finish = async (signal: NodeJS.Signals) => {
    if (hasEnded()) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  const url = `${env.TLS_CERT ? "https" : "http"}://127.0.0.1:${port}`;
  const deadline = Date.now() + readyWithin;
  while (!(await isReady(url))) {
    if (hasEnded() || Date.now() > deadline) {
      await finish("SIGKILL");
      throw new Error(`The service did not get ready. It said:\n${said}`);
    }
    await sleep(50);
  }
  return {
    url,
    pid: child.pid,
    made: firstStartIn(said),
    logs: () => said,
    signal: (name) => void child.kill(name),
    kill: () => finish("SIGKILL"),
    end: () => finish("SIGTERM"),
  };
};

const isReady = async (url: string): Promise<boolean> => {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) }).catch(
    () => {},
  );
  await answer?.body?.cancel();
  return answer?.status === 200;
};

/** The access key in the block that the first start prints once. */
const firstStartIn = (said: string): Running["made"] => {
  const accessKey = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d+-\d+/.exec(said)?.[0];
  const secretAccessKey = /\b[0-9a-f]{64}\b/.exec(said)?.[0];
  return accessKey && secretAccessKey ? { accessKey, secretAccessKey } : undefined;
};
