import { existsSync } from "node:fs";
import { type MortalEngine, startMortalEngine } from "../../test/meetings/engine.ts";
import { openSignaling } from "../../test/meetings/rush.ts";
import { enginePath, installEngine } from "../../test/run/engine.ts";
import { type Ask, askAs } from "../../test/world/ask.ts";
import { freePort } from "../../test/world/free-port.ts";
import { until } from "../../test/world/process.ts";
import type { Bench, Served } from "../bench.ts";
import type { DatabaseName } from "../dataset.ts";

/** A person with a seat. */
export interface Seat {
  readonly peerId: string;
  readonly ticket: string;
}

/** A service with its media engine and rooms. */
export interface MeetingPlace {
  readonly url: string;
  /** The media engine, without the gate. */
  readonly engine: MortalEngine["engine"];
  /** Sends a request as an administrator. */
  readonly ask: Ask;
  readonly servicePid: () => number;
  readonly enginePid: () => number;
  /** Creates a room. @returns the code of its link */
  room(settings: Readonly<Record<string, unknown>> & { readonly room?: string }): Promise<string>;
  /** Edits the settings of a room created here. */
  edit(room: string, settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** Takes a seat as a guest. */
  join(code: string, peerType: string): Promise<Seat>;
  joinAsAdmin(room: string): Promise<Seat>;
  /** Starts another process on the same database and engine (PostgreSQL); the caller ends it. */
  second(): Promise<Served>;
  /** The seats of everybody in the engine. */
  inside(): Promise<ReadonlySet<string>>;
  /**
   * Takes this number of viewers' seats and connects their signaling, a few at a time. @returns a function
   * that closes the connections
   */
  view(code: string, people: number): Promise<() => void>;
  /** Kills the service (SIGKILL) and starts it again. */
  killService(): Promise<void>;
  /** Kills the engine (SIGKILL) and starts it again. */
  killEngine(): Promise<void>;
  stop(): Promise<void>;
}

/** The number of connections that LiveKit accepts at once. */
const AT_ONCE = 16;

let rooms = 0;

/**
 * Starts a service with a media engine.
 *
 * @throws Error if LiveKit is missing and cannot be installed
 */
export const openMeetingPlace = async (
  bench: Bench,
  database: DatabaseName,
): Promise<MeetingPlace> => {
  installEngine();
  if (!existsSync(enginePath)) throw new Error('"parley media install" did not work here.');
  const dataset = await bench.dataset(database, "small");
  await bench.release(dataset);
  const ends: (() => unknown)[] = [];
  const engine = await startMortalEngine({ after: (end) => void ends.push(end) });
  // A target that fails leaves no engine behind.
  const kill = (): void => void process.kill(engine.pid(), "SIGKILL");
  process.once("exit", kill);
  ends.unshift(() => process.off("exit", kill));
  const environment = {
    ...engine.environment,
    PORT: String(await freePort()),
    // Where the capture programs are found.
    PATH: process.env.PATH ?? "",
    ALLOWED_NETWORKS: "loopback",
    RECORDERS: "2",
    // Guests of one address may not come and go without end.
    TRUST_PROXY: "loopback",
  };
  let service = await bench.start(dataset, { environment });
  const { url } = service;
  const ask = askAs(url, dataset.tokens[0]);
  const open = askAs(url, undefined);

  const joinAs = async (by: Ask, asked: object): Promise<Seat> => {
    const { status, body } = await by("joinRoom", { peerName: "Bench", ...asked });
    if (status !== 200) throw new Error(`joinRoom answered ${status}: ${JSON.stringify(body)}`);
    return { peerId: body.peer.peerId, ticket: body.ticket };
  };
  const join: MeetingPlace["join"] = (roomId, peerType) => joinAs(open, { roomId, peerType });
  const [roomOwnerId] = dataset.ownerIds;
  const place: MeetingPlace = {
    url,
    engine: engine.engine,
    ask,
    join,
    joinAsAdmin: (roomId) => joinAs(ask, { roomId }),
    second: () => bench.start(dataset, { environment: { ...environment, PORT: "0" } }),
    inside: async () =>
      new Set([...(await engine.engine.list()).values()].flatMap((ids) => [...ids])),
    servicePid: () => service.pid,
    enginePid: engine.pid,
    async room({ room = `meeting-${process.pid}-${rooms + 1}`, ...settings }) {
      rooms += 1;
      const made = await ask("createRoom", {
        name: room,
        room,
        roomOwnerId,
        roomPermaLink: true,
        ...settings,
      });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      return (await ask("getRoomLink", { roomId: room })).body.code;
    },
    async edit(room, settings) {
      const edited = await ask("editRoom", { room, roomOwnerId, ...settings });
      if (edited.status !== 200) throw new Error(JSON.stringify(edited.body));
    },
    async view(code, people) {
      const sockets: { terminate(): void }[] = [];
      let waiting = people;
      const come = async (): Promise<void> => {
        while (waiting > 0) {
          waiting -= 1;
          const { ticket } = await join(code, "viewer");
          const socket = await openSignaling(url, ticket);
          if (typeof socket === "number") throw new Error(`The gate answered ${socket}.`);
          sockets.push(socket);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, come));
      return () => {
        for (const socket of sockets) socket.terminate();
      };
    },
    async killService() {
      process.kill(service.pid, "SIGKILL");
      await service.stop();
      service = await bench.start(dataset, { environment });
    },
    killEngine: engine.kill,
    async stop() {
      await service.stop();
      for (const end of ends) await end();
    },
  };
  const first = await place.room({ noOfParticipants: 2 });
  await until("the engine is found", async () => {
    const { status } = await open("joinRoom", { roomId: first, peerName: "Bench" });
    return status !== 503;
  });
  return place;
};
