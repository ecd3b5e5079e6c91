import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Medium } from "../../contract/meeting-commands.ts";
import type { Database } from "../db/open.ts";
import type { MediaEngine } from "../media/engine.ts";
import type { Grant } from "../media/grants.ts";
import { openQueue } from "../media/queue.ts";
import { grantOf, without } from "./rights.ts";
import { loadSnapshot } from "./snapshot.ts";

/*
 * The engine knows no "mute, and let them unmute": a source is taken away and given back. The process
 * that carries out the moderator's command does both, wherever the person is connected.
 */

/** The pause before a grant is sent to the engine again, in milliseconds. */
const AGAIN_MS = 1_000;

/** Few enough requests at a time for the engine. */
const AT_ONCE = 16;

/** What ends people's media; see `Gate`. */
export interface Muting {
  mute(meetingId: string, seatIds: readonly string[], media: readonly Medium[]): Promise<void>;
  /** What is not given back yet is given back by the next connection. */
  stop(): void;
}

export const openMuting = (
  database: Pick<Database, "read">,
  engine: Pick<MediaEngine, "update">,
  log: Pick<Logger, "warn">,
): Muting => {
  let stopping = false;
  const inTurn = openQueue(AT_ONCE);

  /** What people may send now, by their seats; without those who have none in the engine. */
  const grantsNow = async (
    meetingId: string,
    seatIds: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, Grant>> => {
    const snapshot = await loadSnapshot(database.read, meetingId);
    if (snapshot?.meeting.media !== "livekit") return new Map();
    const seats = snapshot.seats.filter(({ id }) => seatIds.has(id));
    return new Map(seats.map((seat) => [seat.id, grantOf(snapshot, seat)]));
  };

  /** Does something for each, as far as that goes. @throws the first error */
  const each = async (
    seatIds: Iterable<string>,
    act: (seatId: string) => Promise<void>,
  ): Promise<void> => {
    const done = await Promise.allSettled([...seatIds].map((id) => inTurn(() => act(id))));
    for (const one of done) if (one.status === "rejected") throw one.reason;
  };

  /** Tells the engine what people may send, until that is still so once it has agreed. */
  const giveBack = async (meetingId: string, seatIds: Iterable<string>): Promise<void> => {
    const waiting = new Set(seatIds);
    const sent = new Map<string, string>();
    while (!stopping && waiting.size > 0) {
      try {
        const grants = await grantsNow(meetingId, waiting);
        await each(waiting, async (seatId) => {
          const grant = grants.get(seatId);
          const text = JSON.stringify(grant);
          // The room may have been edited meanwhile, and the engine may have that grant already.
          const isSo = grant === undefined || text === sent.get(seatId);
          if (isSo || !(await engine.update(meetingId, seatId, grant))) waiting.delete(seatId);
          else sent.set(seatId, text);
        });
      } catch (err) {
        log.warn({ err }, "the media engine lets somebody send again later");
        await sleep(AGAIN_MS, undefined, { ref: false });
      }
    }
  };

  return {
    async mute(meetingId, seatIds, media) {
      const grants = await grantsNow(meetingId, new Set(seatIds));
      try {
        await each(grants.keys(), async (seatId) => {
          const grant = grants.get(seatId);
          if (grant) await engine.update(meetingId, seatId, without(grant, media));
        });
      } finally {
        // Also where it did not answer: it may have taken the source away.
        await giveBack(meetingId, grants.keys());
      }
    },
    stop() {
      stopping = true;
    },
  };
};
