import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Cluster } from "../../server/config/media.ts";
import { callRoomService } from "../../server/media/api.ts";
import { openCluster } from "../../server/media/cluster.ts";
import { KEY_NAME } from "../../server/media/key.ts";
import { livekitConfig } from "../../server/media/livekit-config.ts";
import { freeTcpPort, freeUdpPort } from "../../server/media/ports.ts";
import { type Engine, end, launch } from "../../server/media/process.ts";
import { enginePath } from "../run/engine.ts";
import type { Scope } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import type { SharedEngine } from "./engine.ts";

/** Two LiveKit servers that share a Redis; a service knows only the first. */
export interface TwoNodes extends SharedEngine {
  /** Assigns a meeting that nobody has entered yet to the second server. */
  give(meetingId: string): Promise<void>;
  /** Kills the second one (SIGKILL). */
  kill(): Promise<void>;
}

/** Starts a Redis on loopback without persistence. @returns its port */
const startRedis = async (t: Scope): Promise<number> => {
  const port = await freeTcpPort();
  const settings = { port, bind: "127.0.0.1", save: "", appendonly: "no" };
  const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const redis = spawn("redis-server", words, { cwd: tmpdir(), stdio: "ignore" });
  await once(redis, "spawn");
  t.after(() => redis.kill("SIGKILL"));
  await until("Redis answers", async () =>
    redisSays(port, "PING").then(
      (said) => said === "PONG",
      () => false,
    ),
  );
  return port;
};

const redisSays = async (port: number, ...words: string[]): Promise<string> =>
  (await promisify(execFile)("redis-cli", ["-p", String(port), ...words])).stdout.trim();

/** @param listsFromNodes whether the node of a meeting answers lists, instead of Redis */
export const startTwoNodes = async (t: Scope, listsFromNodes: boolean): Promise<TwoNodes> => {
  const folder = await mkdtemp(join(tmpdir(), "parley-cluster-"));
  const running: Engine[] = [];
  t.after(async () => {
    for (const node of running) await end(node);
    await rm(folder, { recursive: true, force: true });
  });
  const redis = await startRedis(t);
  const key = { key: KEY_NAME, secret: "0123456789abcdef".repeat(4) };
  const start = async (name: string) => {
    const ports = { http: await freeTcpPort(), udp: await freeUdpPort(), tcp: "off" as const };
    const config = {
      ...JSON.parse(livekitConfig({ address: "127.0.0.1", stunUrls: [] }, ports, key)),
      redis: { address: `127.0.0.1:${redis}` },
      api: { enable_psrpc_for_get_list_participants: listsFromNodes },
    };
    const node = await launch({
      program: enginePath,
      name,
      config: JSON.stringify(config),
      log: join(folder, name),
    });
    running.push(node);
    const cluster: Cluster = { url: `http://127.0.0.1:${ports.http}`, ...key };
    const engine = openCluster(() => cluster);
    await until("a node answers", async () => (await engine.health()).ok);
    return { ...node, cluster, engine };
  };
  const second = await start("second.log");
  // The only meeting so far.
  const node_id = await redisSays(redis, "HKEYS", "nodes");
  const { cluster, engine } = await start("first.log");
  return {
    engine,
    environment: {
      LIVEKIT_URL: cluster.url,
      LIVEKIT_API_KEY: key.key,
      LIVEKIT_API_SECRET: key.secret,
    },
    inside: async (meetingId) => (await engine.list()).get(meetingId) ?? new Set(),
    give: async (name) => {
      await callRoomService(cluster, "CreateRoom", { name, node_id });
    },
    kill: async () => {
      process.kill(second.pid, "SIGKILL");
      await second.ended;
    },
  };
};
