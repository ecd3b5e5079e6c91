import type { Logger } from "pino";
import type { Database } from "../db/open.ts";
import type { MediaEngine } from "../media/engine.ts";
import type { Gate } from "./gate.ts";

/*
 * The seats decide: people in the media engine without one are removed. That happens only
 * where something was lost: a process died between a dial and its answer, or the engine was away.
 */

const LOOK_MS = 1_000;
const RECONCILE_MS = 15_000;

/** Removes people without a seat from the engine, and meetings that are over. */
export const reconcile = async (
  database: Database,
  engine: Pick<MediaEngine, "list" | "close">,
  { remove }: Pick<Gate, "remove">,
): Promise<void> => {
  // The engine first: the people in its list had a seat before.
  const listed = await engine.list();
  const ids = [...listed.keys()];
  if (ids.length === 0) return;
  const [open, seats] = await Promise.all([
    database.read
      .selectFrom("meetings")
      .select("id")
      .where("id", "in", ids)
      .where("ended_at", "is", null)
      .execute(),
    database.read
      .selectFrom("seats")
      .select("id")
      .where("meeting_id", "in", ids)
      .where("left_at", "is", null)
      .execute(),
  ]);
  const running = new Set(open.map(({ id }) => id));
  const seated = new Set(seats.map(({ id }) => id));
  for (const [meetingId, people] of listed) {
    if (!running.has(meetingId)) await engine.close(meetingId);
    else for (const id of people) if (!seated.has(id)) await remove(meetingId, id);
  }
};

/** A media engine that is watched. */
export interface EngineWatch {
  /** Whether the engine answered a moment ago. */
  isReady(): boolean;
  stop(): Promise<void>;
}

/** Looks every second whether the engine answers, and reconciles when it comes back and now and then. */
export const watchEngine = (
  database: Database,
  engine: Pick<MediaEngine, "health" | "list" | "close">,
  gate: Pick<Gate, "remove">,
  log: Pick<Logger, "warn">,
): EngineWatch => {
  let ready = false;
  let reconciled = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    const { ok } = await engine.health();
    if (!ok) reconciled = Number.NEGATIVE_INFINITY;
    ready = ok;
    if (!ok || performance.now() - reconciled < RECONCILE_MS) return;
    await reconcile(database, engine, gate);
    reconciled = performance.now();
  };
  const lookSoon = (): void => {
    looking ??= look()
      .catch((err: unknown) => log.warn({ err }, "the media engine is reconciled later"))
      .finally(() => {
        looking = undefined;
      });
  };
  lookSoon();
  const timer = setInterval(lookSoon, LOOK_MS).unref();
  return {
    isReady: () => ready,
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
};
