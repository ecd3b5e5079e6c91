import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import type { MediaEngine } from "../../server/media/engine.ts";
import type * as Livekit from "../../server/media/livekit.ts";
import { readRunning } from "../../server/media/running.ts";
import { enginePath } from "../run/engine.ts";
import { importFrom, type Twin } from "../twins/twin.ts";
import { until as untilHolds } from "../world/process.ts";

/** A separate media engine for a test, on loopback and free ports. */
export interface OwnEngine {
  readonly engine: MediaEngine;
  readonly dataDir: string;
  /** Its lines in Parley's log. */
  readonly lines: string[];
  pid(): Promise<number>;
}

export interface OwnEngineOptions {
  /** The data folder of an earlier engine. */
  readonly dataDir?: string;
  readonly address?: string | undefined;
  readonly program?: string;
  readonly twin?: Twin;
}

/** Creates an engine; `start` and `stop` control it. */
export const ownEngine = async (options: OwnEngineOptions = {}): Promise<OwnEngine> => {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "parley-media-")));
  const lines: string[] = [];
  const address = "address" in options ? options.address : "127.0.0.1";
  const { startLivekit } = await importFrom<typeof Livekit>(options.twin, "media/livekit.ts");
  const engine = startLivekit({
    program: options.program ?? enginePath,
    dataDir,
    media: { udpPort: 0, tcpPort: "off", address, stunUrls: [] },
    log: pino({ level: "trace", base: null }, { write: (line: string) => void lines.push(line) }),
  });
  return {
    engine,
    dataDir,
    lines,
    async pid() {
      const running = await until(() => readRunning(dataDir));
      return running.pid;
    },
  };
};

/**
 * Waits for what happens, and returns it. @throws Error after a time that is long for anything that tests
 * wait for
 */
export const until = async <T>(look: () => Promise<T | undefined | false>): Promise<T> => {
  let found: T | undefined | false;
  await untilHolds(`${look}`, async () => {
    found = await look();
    return found !== undefined && found !== false;
  });
  return found as T;
};
