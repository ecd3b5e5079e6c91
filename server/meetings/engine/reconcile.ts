import type { Logger } from "pino";
import type { Database } from "../../db/open.ts";
import { startLooks } from "../../lib/looks.ts";
import { isOnNoNode, type MediaEngine } from "../../media/engine.ts";
import { AWAY_MS } from "../doors/claim-seat.ts";
import type { Gate } from "./gate.ts";

/*
 * Removes people without a seat from the media engine. There are some only after a failure: a process
 * died between a dial and its answer, or the engine could not be reached.
 *
 * Also removes people whose signaling nobody relays. The engine keeps them as long as their media
 * connection lives, and no change of the room or of their role would affect what they send and receive.
 * With their tickets they come back through the gate.
 */

const LOOK_MS = 1_000;
const RECONCILE_MS = 15_000;
/** The texts that are logged after a failure. */
const LATER = "the media engine is reconciled later";

/** Seats in the engine whose signaling nobody relays: the number of their connection, and since when. */
export type Unrelayed = Map<string, { readonly connection: number; readonly since: number }>;

/**
 * Removes people without a seat from the engine, people whose signaling has not been relayed for a while,
 * and meetings that are over. What the engine fails to do keeps nothing else from being done.
 *
 * @param unrelayed what the previous call found; this call updates it
 * @param graceMs how long somebody may be without signaling, in milliseconds
 * @returns the first failure of the engine to do what it was asked; undefined if there is none
 * @throws Error if the engine's list or the database cannot be read
 */
export const reconcile = async (
  database: Database,
  engine: Pick<MediaEngine, "list" | "close" | "remove">,
  gate: Pick<Gate, "remove">,
  unrelayed: Unrelayed,
  graceMs = AWAY_MS,
): Promise<unknown> => {
  // The engine first: everybody in its list took a seat before the query for seats.
  const listed = await engine.list();
  const ids = [...listed.keys()];
  if (ids.length === 0) return undefined;
  const [open, seats] = await Promise.all([
    database.read
      .selectFrom("meetings")
      .select("id")
      .where("id", "in", ids)
      .where("ended_at", "is", null)
      .execute(),
    database.read
      .selectFrom("seats")
      .select(["id", "media_process", "media_connection as connection"])
      .where("meeting_id", "in", ids)
      .where("left_at", "is", null)
      .execute(),
  ]);
  const running = new Set(open.map(({ id }) => id));
  const seated = new Map(seats.map((seat) => [seat.id, seat]));
  for (const id of unrelayed.keys()) {
    if (seated.get(id)?.media_process !== null) unrelayed.delete(id);
  }
  const isUnrelayed = (id: string, connection: number): boolean => {
    const noted = unrelayed.get(id);
    if (noted?.connection === connection) return performance.now() - noted.since >= graceMs;
    unrelayed.set(id, { connection, since: performance.now() });
    return false;
  };
  let failure: unknown;
  const note = (error: unknown): void => {
    failure ??= error;
  };
  /** Ignores that a person's node has died: the engine lists such people until the meeting ends. */
  const noteIfNoGhost = (error: unknown): void => {
    if (!isOnNoNode(error)) note(error);
  };
  const removeIfAstray = async (meetingId: string, id: string): Promise<void> => {
    const seat = seated.get(id);
    if (seat === undefined) await gate.remove(meetingId, id).catch(noteIfNoGhost);
    else if (seat.media_process === null && isUnrelayed(id, seat.connection)) {
      // Look again: since the seats were read, removals may have taken seconds.
      const still = await database.read
        .selectFrom("seats")
        .select("id")
        .where("id", "=", id)
        .where("media_process", "is", null)
        .where("media_connection", "=", seat.connection)
        .executeTakeFirst();
      if (still !== undefined) await engine.remove(meetingId, id).catch(noteIfNoGhost);
    }
  };
  for (const [meetingId, people] of listed) {
    if (!running.has(meetingId)) await engine.close(meetingId).catch(note);
    else {
      // All at once: each removal of a person whose node has died takes 3 s.
      await Promise.all(people.values().map((id) => removeIfAstray(meetingId, id)));
    }
  }
  return failure;
};

/** Watches the media engine. */
export interface EngineWatch {
  /** Returns whether the engine answered a moment ago. */
  isReady(): boolean;
  /** The seats of a meeting to which media can flow; none while the engine does not answer. */
  connected(meetingId: string): Promise<ReadonlySet<string>>;
  stop(): Promise<void>;
}

/** Checks every second whether the engine answers; reconciles when it comes back, and every 15 seconds. */
export const watchEngine = (
  database: Database,
  engine: Pick<MediaEngine, "health" | "list" | "connected" | "close" | "remove">,
  gate: Pick<Gate, "remove">,
  log: Pick<Logger, "warn">,
): EngineWatch => {
  let ready = false;
  let reconciled = Number.NEGATIVE_INFINITY;
  const unrelayed: Unrelayed = new Map();

  const look = async (): Promise<void> => {
    const { ok } = await engine.health();
    if (!ok) {
      reconciled = Number.NEGATIVE_INFINITY;
      unrelayed.clear();
    }
    ready = ok;
    if (!ok || performance.now() - reconciled < RECONCILE_MS) return;
    const err = await reconcile(database, engine, gate, unrelayed);
    reconciled = performance.now();
    if (err !== undefined) log.warn({ err }, LATER);
  };
  const { stop } = startLooks({
    everyMs: LOOK_MS,
    look,
    onError: (err) => {
      // Starts the wait over: nobody can come back while the database cannot be reached.
      unrelayed.clear();
      log.warn({ err }, LATER);
    },
  });
  return {
    isReady: () => ready,
    async connected(meetingId) {
      if (!ready) return new Set();
      try {
        return await engine.connected(meetingId);
      } catch (err) {
        log.warn({ err }, "who is connected to the media engine is not known");
        return new Set();
      }
    },
    stop,
  };
};
