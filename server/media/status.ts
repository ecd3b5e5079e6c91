import type { Cluster, MediaConfig } from "../config/media.ts";
import { isAlive } from "../lib/processes.ts";
import { findBinary } from "./binary.ts";
import { openCluster } from "./cluster.ts";
import { KEY_NAME, openKey } from "./key.ts";
import { readRunning } from "./running.ts";

/** The carrier of the media of meetings on this machine. */
export interface EngineStatus {
  readonly engine: "cluster" | "child" | "none";
  /** The address of a cluster, or the path of the program; null where there is none. */
  readonly where: string | null;
  readonly version: string | null;
  /** True if it answers now. */
  readonly running: boolean;
  /** How many people it has, also those without media; null if it does not answer. */
  readonly people: number | null;
  /** One sentence. */
  readonly found: string;
}

const peopleIn = async (cluster: Cluster): Promise<number> =>
  (await openCluster(() => cluster).list()).values().reduce((people, { size }) => people + size, 0);

/** Reports which carrier a service with these settings uses, and whether it runs. Changes nothing. */
export const engineStatus = async (media: MediaConfig, dataDir: string): Promise<EngineStatus> => {
  if (media.cluster !== undefined) {
    const where = media.cluster.url;
    const people = await peopleIn(media.cluster).catch((error: Error) => error.message);
    const running = typeof people === "number";
    const found = running ? `LiveKit at ${where} carries ${people} people.` : `${where}: ${people}`;
    return {
      engine: "cluster",
      where,
      version: null,
      running,
      people: running ? people : null,
      found,
    };
  }
  const binary = await findBinary({ server: media.server, dataDir, path: media.path });
  if (typeof binary === "string") {
    return {
      engine: "none",
      where: null,
      version: null,
      running: false,
      people: null,
      found: binary,
    };
  }
  const { path, version } = binary;
  const left = await readRunning(dataDir);
  let people: number | null = null;
  if (left !== undefined && isAlive(left.pid)) {
    const url = `http://127.0.0.1:${left.ports.http}`;
    people = await peopleIn({ url, key: KEY_NAME, secret: await openKey(dataDir) }).catch(
      () => null,
    );
  }
  const now = people === null ? "does not run" : `carries ${people} people`;
  return {
    engine: "child",
    where: path,
    version,
    running: people !== null,
    people,
    found: `LiveKit ${version} (${path}) ${now}.`,
  };
};
