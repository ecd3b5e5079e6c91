import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { test } from "node:test";
import type { TrackSource } from "@livekit/protocol";
import { openCluster } from "../../server/media/cluster.ts";
import type { MediaEngine } from "../../server/media/engine.ts";
import { KEY_NAME, openKey } from "../../server/media/key.ts";
import { livekitConfig } from "../../server/media/livekit-config.ts";
import { freeTcpPort, freeUdpPort } from "../../server/media/ports.ts";
import { end, launch } from "../../server/media/process.ts";
import { readRunning } from "../../server/media/running.ts";
import { type Client, enter as connect, join } from "../media/gate.ts";
import { ownEngine } from "../media/world.ts";
import { enginePath, noEngine } from "../run/engine.ts";
import type { Scope } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import type { Environment, World } from "../world/world.ts";
import { enter, type Somebody } from "./inside.ts";
import { newPlace } from "./place.ts";

/** A media engine that several services share, and the settings for finding it. */
export interface SharedEngine {
  readonly engine: MediaEngine;
  readonly environment: Environment;
  /** A meeting's seats that are in the engine. */
  inside(meetingId: string): Promise<ReadonlySet<string>>;
}

export const startEngine = async (t: Scope): Promise<SharedEngine> => {
  const { engine, dataDir } = await ownEngine();
  t.after(async () => {
    await engine.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  await engine.start();
  const running = await readRunning(dataDir);
  return {
    engine,
    environment: {
      LIVEKIT_URL: `http://127.0.0.1:${running?.ports.http}`,
      LIVEKIT_API_KEY: KEY_NAME,
      LIVEKIT_API_SECRET: await openKey(dataDir),
    },
    inside: async (meetingId) => (await engine.list()).get(meetingId) ?? new Set(),
  };
};

/** The engine of all tests in a file, and why they are skipped if there is none. */
export const startEngineOfFile = async () => {
  const engine = noEngine ? undefined : await startEngine({ after: (end) => test.after(end) });
  return {
    skip: { skip: noEngine },
    engine,
    /** The engine, for a test that is not skipped. */
    shared: (): SharedEngine => {
      if (engine === undefined) throw new Error("There is no media engine.");
      return engine;
    },
  };
};

/** An engine that is killed and comes back at the same address, like a LiveKit that somebody else runs. */
export interface MortalEngine extends Pick<SharedEngine, "engine" | "environment"> {
  pid(): number;
  /** Kills it (SIGKILL), and starts it again. Resolves once it answers. */
  kill(): Promise<void>;
}

export const startMortalEngine = async (t: Scope): Promise<MortalEngine> => {
  const folder = await mkdtemp(joinPath(tmpdir(), "parley-media-"));
  const ports = { http: await freeTcpPort(), udp: await freeUdpPort(), tcp: "off" as const };
  const key = { key: KEY_NAME, secret: "0123456789abcdef".repeat(4) };
  const config = livekitConfig({ address: "127.0.0.1", stunUrls: [] }, ports, key);
  const url = `http://127.0.0.1:${ports.http}`;
  const engine = openCluster(() => ({ url, ...key }));
  const start = async () => {
    const started = await launch({
      program: enginePath,
      name: "livekit-server",
      config,
      log: joinPath(folder, "livekit.log"),
    });
    await until("the engine answers", async () => (await engine.health()).ok);
    return started;
  };
  let running = await start();
  t.after(async () => {
    await end(running);
    await rm(folder, { recursive: true, force: true });
  });
  return {
    engine,
    environment: {
      LIVEKIT_URL: url,
      LIVEKIT_API_KEY: key.key,
      LIVEKIT_API_SECRET: key.secret,
    },
    pid: () => running.pid,
    async kill() {
      process.kill(running.pid, "SIGKILL");
      await running.ended;
      running = await start();
    },
  };
};

const gateOf = (url: string) => ({
  url: url.replace(/^http/, "ws"),
  relay: { path: "/api/meeting/rtc/v1" },
});

/** Connects a ticket as LiveKit's browser client does. @throws Error if it is refused */
export const connectMedia = (url: string, ticket: string): Promise<Client> =>
  connect(gateOf(url), ticket);

/** Tries to connect a ticket. @returns the status where it is refused */
export const tryMedia = (url: string, ticket: string): Promise<Client | number> =>
  join(gateOf(url), ticket);

/** The status that tells a client why its ticket was refused. */
export const validate = async (url: string, ticket: string): Promise<number> =>
  (await fetch(`${url}/api/meeting/rtc/v1/validate?access_token=${ticket}`)).status;

/** A service that has found its engine, and a room. */
export const begin = async (here: World | undefined, settings: object = {}) => {
  if (here === undefined) throw new Error("There is no media engine.");
  const place = await newPlace(here, settings);
  const { url } = here;
  await until("the engine is found", async () => {
    const { status } = await place.asAdmin("joinRoom", { roomId: "r" });
    return status === 200;
  });
  const guest = (t: Scope, peerName: string, at = url) =>
    enter(t, { url: at, ask: here.open }, place.code, { peerName });
  return {
    ...place,
    url,
    guest,
    moderator: (t: Scope) => enter(t, { url, ask: place.asAdmin }, "r"),
  };
};

/** The ID of the meeting that a person is in. */
export const meetingOf = ({ view }: Somebody): string => view?.meeting.meetingId ?? "";

/** The sources that a person may publish, according to the engine's last message. */
export const sourcesOf = ({ messages }: Client, seat: string): readonly TrackSource[] | undefined =>
  messages
    .flatMap((message) => {
      if (message.case === "join") return message.value.participant ?? [];
      return message.case === "update" ? message.value.participants : [];
    })
    .findLast(({ identity, permission }) => identity === seat && permission !== undefined)
    ?.permission?.canPublishSources;
