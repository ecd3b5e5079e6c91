import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Medium } from "../../contract/meeting-commands.ts";
import type { Database } from "../db/open.ts";
import type { MediaEngine } from "../media/engine.ts";
import type { Grant } from "../media/grants.ts";
import { grantOf, without } from "./rights.ts";
import { loadSnapshot } from "./snapshot.ts";

/*
 * The engine knows no "mute, and let them unmute": a source is taken away and given back. The process
 * that carries out the moderator's command does both, wherever the person is connected.
 */

/** The pause before the engine is told again what somebody may send, in milliseconds. */
const AGAIN_MS = 1_000;

/** What ends somebody's media; see `Gate`. */
export interface Muting {
  mute(meetingId: string, seatId: string, media: readonly Medium[]): Promise<void>;
  /** What is not given back yet is given back by the next connection. */
  stop(): void;
}

export const openMuting = (
  database: Pick<Database, "read">,
  engine: Pick<MediaEngine, "update">,
  log: Pick<Logger, "warn">,
): Muting => {
  let stopping = false;

  const grantNow = async (meetingId: string, seatId: string): Promise<Grant | undefined> => {
    const snapshot = await loadSnapshot(database.read, meetingId);
    const seat = snapshot?.seats.find(({ id }) => id === seatId);
    if (snapshot?.meeting.media !== "livekit" || seat === undefined) return undefined;
    return grantOf(snapshot, seat);
  };

  /** Tells the engine what somebody may send, until that is still so once it has agreed. */
  const giveBack = async (meetingId: string, seatId: string): Promise<void> => {
    let told: string | undefined;
    while (!stopping) {
      try {
        const grant = await grantNow(meetingId, seatId);
        const text = JSON.stringify(grant);
        // The room may have been edited meanwhile, and the engine been told of it before.
        if (grant === undefined || text === told) return;
        if (!(await engine.update(meetingId, seatId, grant))) return;
        told = text;
      } catch (err) {
        log.warn({ err }, "the media engine lets somebody send again later");
        await sleep(AGAIN_MS, undefined, { ref: false });
      }
    }
  };

  return {
    async mute(meetingId, seatId, media) {
      const grant = await grantNow(meetingId, seatId);
      if (grant === undefined) return;
      try {
        await engine.update(meetingId, seatId, without(grant, media));
      } finally {
        // Also where it did not answer: it may have taken the source away.
        await giveBack(meetingId, seatId);
      }
    },
    stop() {
      stopping = true;
    },
  };
};
