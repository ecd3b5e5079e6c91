import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Medium } from "../../../contract/meetings/commands.ts";
import type { Database } from "../../db/open.ts";
import type { MediaEngine } from "../../media/engine.ts";
import type { Grant } from "../../media/grants.ts";
import { openQueue } from "../../media/queue.ts";
import { loadSnapshot } from "../state/snapshot.ts";
import { grantOf, without } from "./rights.ts";

/*
 * The engine cannot mute people so that they may unmute themselves. So the permission to send a source is
 * taken away and given back. The process that carries out the moderator's command does both, whichever
 * process the person is connected to.
 */

/** The pause before a grant is sent to the engine again, in milliseconds. */
const AGAIN_MS = 1_000;

/** The most requests to the engine at a time. */
const AT_ONCE = 16;

/** Stops people's media; see `mute` of `Gate`. */
export interface Muting {
  mute(meetingId: string, seatIds: readonly string[], media: readonly Medium[]): Promise<void>;
  /** Stops; the next connection restores the rest. */
  stop(): void;
}

export const openMuting = (
  database: Pick<Database, "read">,
  engine: Pick<MediaEngine, "update">,
  log: Pick<Logger, "warn">,
): Muting => {
  let stopping = false;
  const inTurn = openQueue(AT_ONCE);

  /** The current grants of people, by their seats; without seats that have no place in the engine. */
  const grantsNow = async (
    meetingId: string,
    seatIds: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, Grant>> => {
    const snapshot = await loadSnapshot(database.read, meetingId);
    if (snapshot?.meeting.media !== "livekit") return new Map();
    const seats = snapshot.seats.filter(({ id }) => seatIds.has(id));
    return new Map(seats.map((seat) => [seat.id, grantOf(snapshot, seat)]));
  };

  /** Does something for each seat, even if it fails for others. @throws the first error */
  const each = async (
    seatIds: Iterable<string>,
    act: (seatId: string) => Promise<void>,
  ): Promise<void> => {
    const done = await Promise.allSettled([...seatIds].map((id) => inTurn(() => act(id))));
    for (const one of done) if (one.status === "rejected") throw one.reason;
  };

  /** Sends people's grants to the engine, again if a grant has changed by the time the engine has it. */
  const giveBack = async (meetingId: string, seatIds: Iterable<string>): Promise<void> => {
    const waiting = new Set(seatIds);
    const sent = new Map<string, string>();
    while (!stopping && waiting.size > 0) {
      try {
        const grants = await grantsNow(meetingId, waiting);
        await each(waiting, async (seatId) => {
          const grant = grants.get(seatId);
          const text = JSON.stringify(grant);
          // Done if the engine has the current grant: the room may have been edited meanwhile.
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
        // Even after an error: the engine may have taken the source away all the same.
        await giveBack(meetingId, grants.keys());
      }
    },
    stop() {
      stopping = true;
    },
  };
};
