import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Cluster, MediaConfig } from "../config/media.ts";
import { makeFolder } from "../lib/folders.ts";
import { isAlive } from "../lib/processes.ts";
import { STILL_MS, Watchdog } from "../lib/watch.ts";
import { callRoomService } from "./api.ts";
import { openCluster } from "./cluster.ts";
import type { MediaEngine } from "./engine.ts";
import { KEY_NAME, mediaFolder, openKey } from "./key.ts";
import { livekitConfig, type Ports } from "./livekit-config.ts";
import { followLog } from "./log.ts";
import { freeTcpPort, freeUdpPort } from "./ports.ts";
import { adopt, type Engine, end, kill, launch } from "./process.ts";
import {
  engineProcessName,
  isEngineOf,
  readRunning,
  removeRunning,
  writeRunning,
} from "./running.ts";

/** The bytes of a file; 0 where there is none. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** The dependencies of LiveKit's process. */
export interface LivekitOptions {
  /** The path of its program (`findBinary`). */
  readonly program: string;
  readonly dataDir: string;
  readonly media: Pick<MediaConfig, "udpPort" | "tcpPort" | "address" | "stunUrls">;
  readonly log: Logger;
}

const READY_MS = 30_000;
const LONGEST_PAUSE_MS = 30_000;
/** After a run of this length, the pause before the next start begins small again. */
const GOOD_RUN_MS = 60_000;

/** Waits until LiveKit answers its API; false if it ended or did not get ready in time. */
const isReady = async (cluster: Cluster, engine: Engine): Promise<boolean> => {
  const deadline = performance.now() + READY_MS;
  while (!engine.hasEnded() && performance.now() < deadline) {
    const answered = await callRoomService(cluster, "ListRooms", {}).catch(() => undefined);
    if (answered !== undefined) return !engine.hasEnded();
    await sleep(20);
  }
  return false;
};

/** Kills an engine that no longer answers its API: then another one is started. */
const watchAnswers = (cluster: Cluster, engine: Engine, log: Logger): Watchdog => {
  let answers = 0;
  return new Watchdog({
    stillMs: STILL_MS.engine,
    sign: async () => {
      await callRoomService(cluster, "ListRooms", { names: [""] });
      answers += 1;
      return String(answers);
    },
    onStill: () => {
      log.error({ pid: engine.pid }, "the media engine no longer answers, and is ended");
      kill(engine);
    },
  });
};

/**
 * A LiveKit server that runs as a child process of this service, reachable on loopback only except
 * for its media ports. If an earlier run of the service left one behind, it is taken over, so its
 * meetings go on; with other settings, it is ended.
 */
export const startLivekit = ({ program, dataDir, media, log }: LivekitOptions): MediaEngine => {
  let cluster: Cluster | undefined;
  let engine: Engine | undefined;
  const stopping = new AbortController();
  let supervision: Promise<void> = Promise.resolve();
  const logFile = join(mediaFolder(dataDir), "livekit.log");
  const made = createHash("sha256")
    .update(JSON.stringify([program, media]))
    .digest("hex");
  const at = (ports: Ports, secret: string): Cluster => ({
    url: `http://127.0.0.1:${ports.http}`,
    key: KEY_NAME,
    secret,
  });

  const takeOver = async (secret: string): Promise<Engine | undefined> => {
    const left = await readRunning(dataDir);
    if (left === undefined || !isAlive(left.pid)) return undefined;
    if (!(await isEngineOf(dataDir, left.pid))) return undefined;
    const found = adopt(left.pid);
    const answers = await callRoomService(at(left.ports, secret), "ListRooms", {}).catch(() => {});
    if (answers !== undefined && left.made === made) {
      cluster = at(left.ports, secret);
      log.info({ pid: left.pid }, "the media engine that was left running is taken over");
      return found;
    }
    log.info({ pid: left.pid }, "a media engine with other settings was left running and is ended");
    await end(found);
    return undefined;
  };

  const startNew = async (secret: string): Promise<Engine> => {
    const { udpPort, tcpPort } = media;
    const ports: Ports = {
      http: await freeTcpPort(),
      udp: udpPort === 0 ? await freeUdpPort() : udpPort,
      tcp: tcpPort === 0 ? await freeTcpPort() : tcpPort,
    };
    const config = livekitConfig(media, ports, { key: KEY_NAME, secret });
    const started = await launch({
      program,
      name: engineProcessName(dataDir),
      config,
      log: logFile,
    });
    try {
      await writeRunning(dataDir, { pid: started.pid, ports, made });
    } catch (error) {
      // Nobody would know of it, and it would keep its ports.
      await end(started);
      throw error;
    }
    if (await isReady(at(ports, secret), started)) cluster = at(ports, secret);
    else await end(started);
    return started;
  };

  /** One run of LiveKit, until it ends. */
  const run = async (ready: () => void): Promise<string> => {
    await makeFolder(mediaFolder(dataDir));
    const secret = await openKey(dataDir);
    const running = await takeOver(secret);
    const logged = running ? await sizeOf(logFile) : 0;
    engine = running ?? (await startNew(secret));
    const endLog = followLog(logFile, log, logged);
    if (cluster !== undefined) ready();
    const watch = cluster && watchAnswers(cluster, engine, log);
    // A stop during the start found no process to end.
    if (stopping.signal.aborted) await end(engine);
    const how = await engine.ended;
    watch?.stop();
    engine = undefined;
    cluster = undefined;
    await endLog();
    await removeRunning(dataDir);
    return how;
  };

  const supervise = async (ready: () => void): Promise<void> => {
    for (let pause = 0; !stopping.signal.aborted; ) {
      const began = performance.now();
      const how = await run(ready).catch((error: unknown) => {
        log.error({ err: error }, "the media engine cannot be started");
        return "not started";
      });
      if (stopping.signal.aborted) break;
      if (performance.now() - began > GOOD_RUN_MS) pause = 0;
      log.error(`the media engine ended (${how}); it is started again in ${pause / 1000} s`);
      ready();
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
      pause = Math.min(pause === 0 ? 500 : pause * 2, LONGEST_PAUSE_MS);
    }
  };

  return {
    ...openCluster(() => cluster),
    start: () =>
      new Promise((ready) => {
        supervision = supervise(ready);
      }),
    async stop() {
      stopping.abort();
      if (engine !== undefined) await end(engine);
      await supervision;
    },
  };
};
