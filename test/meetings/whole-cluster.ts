import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCluster } from "../../server/media/cluster.ts";
import { KEY_NAME } from "../../server/media/key.ts";
import { livekitConfig } from "../../server/media/livekit-config.ts";
import { freeTcpPort, freeUdpPort } from "../../server/media/ports.ts";
import { end, launch } from "../../server/media/process.ts";
import { enginePath } from "../run/engine.ts";
import { startPostgres } from "../run/postgres.ts";
import type { Scope } from "../world/empty-database.ts";
import { freePort } from "../world/free-port.ts";
import { openHouse } from "../world/house.ts";
import { isReady, type Process, startProcess, until } from "../world/process.ts";

/** A part of a cluster, which a test kills and starts again. */
export interface Part {
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again and waits until it serves. */
  start(): Promise<void>;
}

/** A program that is started again with the same words. */
const startPart = async (
  t: Scope,
  [program, ...words]: readonly [string, ...string[]],
  serves: () => Promise<boolean>,
): Promise<Part> => {
  let kill: Part["kill"] = async () => {};
  const start = async (): Promise<void> => {
    const child = spawn(program, words, { cwd: tmpdir(), stdio: "ignore" });
    const gone = once(child, "exit");
    kill = async (signal = "SIGKILL") => {
      child.kill(signal);
      await gone;
    };
    await until(`${program} serves`, serves);
  };
  t.after(() => kill());
  await start();
  return { kill: (signal) => kill(signal), start };
};

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    async (answer) => {
      await answer.body?.cancel();
      return answer.ok;
    },
    () => false,
  );

/** The HAProxy sample of deploy/ with two services, and LiveKit's two nodes beside them. */
const proxyConfig = async (at: {
  readonly services: readonly number[];
  readonly nodes: readonly number[];
  readonly meet: number;
  readonly media: number;
}): Promise<string> => {
  const sample = await readFile(new URL("../../deploy/haproxy.cfg", import.meta.url), "utf8");
  const [, name = "", , options = ""] =
    /^\tserver (\w+) (127\.0\.0\.1:3000) (.*)$/m.exec(sample) ?? [];
  const lines = (ports: readonly number[]) =>
    ports.map((port, n) => `\tserver ${name}${n + 1} 127.0.0.1:${port} ${options}`).join("\n");
  const text = sample
    .replace("log /dev/log local0", "log stdout format raw local0 emerg")
    .replace("bind :80", `bind 127.0.0.1:${at.meet}`)
    .replace(/^\tbind :443.*\n/m, "")
    .replace(/^\thttp-request redirect scheme.*\n/m, "")
    .replace(/^\tserver .*$/m, lines(at.services));
  const media = [
    "listen media",
    `\tbind 127.0.0.1:${at.media}`,
    "\toption httpchk GET /",
    lines(at.nodes),
  ];
  return `${text}\n${media.join("\n")}\n`;
};

/** Everything that a meeting needs, twice, on this machine. */
export const startCluster = async (t: Scope) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-whole-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres();
  t.after(() => postgres.stop());
  const redisPort = await freeTcpPort();
  const redis = await startPart(
    t,
    ["redis-server", "--port", `${redisPort}`, "--bind", "127.0.0.1", "--save", ""],
    async () => {
      const ping = spawn("redis-cli", ["-p", `${redisPort}`, "PING"], { stdio: "ignore" });
      return (await once(ping, "exit"))[0] === 0;
    },
  );
  const key = { key: KEY_NAME, secret: "0123456789abcdef".repeat(4) };
  const startNode = async (name: string) => {
    const ports = { http: await freeTcpPort(), udp: await freeUdpPort(), tcp: "off" as const };
    const config = JSON.stringify({
      ...JSON.parse(livekitConfig({ address: "127.0.0.1", stunUrls: [] }, ports, key)),
      redis: { address: `127.0.0.1:${redisPort}` },
    });
    const cluster = { url: `http://127.0.0.1:${ports.http}`, ...key };
    const begin = () => launch({ program: enginePath, name, config, log: join(folder, name) });
    let node = await begin();
    t.after(() => end(node));
    const engine = openCluster(() => cluster);
    const serves = () => until(`${name} serves`, async () => (await engine.health()).ok);
    await serves();
    const part: Part = {
      kill: async (signal = "SIGKILL") => {
        process.kill(node.pid, signal);
        await node.ended;
      },
      start: async () => {
        node = await begin();
        await serves();
      },
    };
    return { ...part, port: ports.http };
  };
  const nodes = [await startNode("node-1"), await startNode("node-2")] as const;
  const [meet, media] = [await freePort(), await freePort()];
  const services = [await freePort(), await freePort()] as const;
  const url = `http://127.0.0.1:${meet}`;
  const house = await openHouse(t, {
    server: postgres,
    environment: {
      PUBLIC_URL: url,
      TRUST_PROXY: "loopback",
      LIVEKIT_URL: `http://127.0.0.1:${media}`,
      LIVEKIT_API_KEY: key.key,
      LIVEKIT_API_SECRET: key.secret,
      RECORDERS: "0",
      LOG_LEVEL: "warn",
    },
  });
  const config = join(folder, "haproxy.cfg");
  await writeFile(
    config,
    await proxyConfig({ services, nodes: nodes.map((n) => n.port), meet, media }),
  );
  const startService = async (port: number): Promise<Part> => {
    const begin = () => startProcess(t, { ...house.environment, PORT: String(port) });
    let service: Process = await begin();
    return {
      kill: async (signal = "SIGKILL") => void (await service.end(signal)),
      start: async () => {
        service = await begin();
      },
    };
  };
  const parley = [await startService(services[0]), await startService(services[1])] as const;
  const proxy = await startPart(t, ["haproxy", "-db", "-f", config], () =>
    answers(`${url}/healthz`),
  );
  await until("the service is ready behind the proxy", () => isReady(url));
  return {
    url,
    house,
    parley,
    nodes,
    redis,
    proxy,
    postgres: { kill: () => postgres.crash(), start: () => postgres.start() } as Part,
  };
};
