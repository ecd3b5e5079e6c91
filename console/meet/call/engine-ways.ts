import type { Room } from "livekit-client";
import type { Peer } from "../../../contract/meetings/socket.ts";
import { newWay, stateOf, type Way, type WayState, wayAfter } from "./way.ts";

/** How often it is looked, in milliseconds. */
const EVERY = 2_000;
/** Sound that is on comes more often than this, in milliseconds, even if nobody speaks. */
const LONGEST_PAUSE = 5_000;

/** The sound that has come from somebody: how many packets, and when the last one. */
interface Arrived {
  readonly packets: number;
  readonly at: number;
}

/** Returns whether the client's connections with the engine carry media: none of them has broken off. */
const carries = ({ state, engine }: Room): boolean =>
  state === "connected" &&
  [engine.pcManager?.publisher, engine.pcManager?.subscriber].every((transport) =>
    ["connected", "new", undefined].includes(transport?.getConnectionState()),
  );

/** How many packets have come on each track. */
const packetsOf = async ({ engine }: Room): Promise<ReadonlyMap<string, number>> => {
  const { publisher, subscriber } = engine.pcManager ?? {};
  const reports = await Promise.all([publisher?.getStats(), subscriber?.getStats()]);
  const stats = reports.flatMap((report) => [...(report?.values() ?? [])]);
  return new Map(
    stats.flatMap(({ type, trackIdentifier, packetsReceived }) =>
      type === "inbound-rtp" ? [[trackIdentifier, packetsReceived]] : [],
    ),
  );
};

interface Options {
  /** The connection with the engine; undefined between two of them. */
  readonly room: () => Room | undefined;
  /** The people inside. */
  readonly peers: () => readonly Peer[];
  readonly onChange: () => void;
}

/** Follows whether media come through the engine: for this person at all, and from each other one. */
export class EngineWays {
  readonly #options: Options;
  readonly #timer: ReturnType<typeof setInterval>;
  #own = newWay(performance.now());
  #ways = new Map<string, Way>();
  #arrived = new Map<string, Arrived>();
  #told = "";

  constructor(options: Options) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#watch(), EVERY);
  }

  /** The state of this person's own connection with the engine. */
  own(): WayState {
    return stateOf(this.#own, performance.now());
  }

  /** The state of the way by which a person's media arrive. */
  of(peerId: string): WayState {
    return stateOf(this.#ways.get(peerId) ?? newWay(performance.now()), performance.now());
  }

  /**
   * Returns whether a person's sound arrives: only then is the engine's last report of their volume valid.
   */
  hears(peerId: string): boolean {
    return this.#own.isUp && this.#missedSince(peerId, performance.now()) === undefined;
  }

  /** Looks at the connections; also called when the client has said that they have changed. */
  look(): void {
    const { room: current, peers, onChange } = this.#options;
    const room = current();
    const time = performance.now();
    const isUp = room !== undefined && carries(room);
    this.#own = wayAfter(this.#own, isUp, time);
    const ways = peers().map((peer): [string, Way] => {
      const before = this.#ways.get(peer.peerId) ?? newWay(time);
      const isThere = room?.remoteParticipants.get(peer.peerId)?.isActive === true;
      const missed = this.#missedSince(peer.peerId, time);
      return [
        peer.peerId,
        wayAfter(before, isUp && isThere && missed === undefined, missed ?? time),
      ];
    });
    this.#ways = new Map(ways);
    const states = JSON.stringify([this.own(), ways.map(([peerId]) => this.of(peerId))]);
    if (states === this.#told) return;
    this.#told = states;
    onChange();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #watch(): Promise<void> {
    // A connection that is just being closed may not be counted.
    await this.#count().catch(() => {});
    this.look();
  }

  /**
   * Since when no sound has come from a person with the microphone on; undefined if not for long.
   */
  #missedSince(peerId: string, time: number): number | undefined {
    const { at = time } = this.#arrived.get(peerId) ?? {};
    return time - at >= LONGEST_PAUSE ? at : undefined;
  }

  /** Counts the sound that has come from those who have it on. */
  async #count(): Promise<void> {
    const { room: current, peers } = this.#options;
    const room = current();
    if (room === undefined) return;
    const packets = await packetsOf(room);
    const time = performance.now();
    const heard = peers().filter(({ audio }) => audio);
    this.#arrived = new Map(
      heard.map(({ peerId }) => {
        const { audioTrackPublications } = room.remoteParticipants.get(peerId) ?? {};
        const tracks = [...(audioTrackPublications?.values() ?? [])].map(({ track }) => track);
        const sum = tracks.reduce(
          (total, track) => total + (packets.get(track?.mediaStreamTrack.id ?? "") ?? 0),
          0,
        );
        const before = this.#arrived.get(peerId);
        return [peerId, before?.packets === sum ? before : { packets: sum, at: time }];
      }),
    );
  }
}
