import assert from "node:assert/strict";
import { pino } from "pino";
import type { RunRow } from "../../server/db/live-tables.ts";
import type { Database } from "../../server/db/open.ts";
import { uuid7 } from "../../server/lib/id.ts";
import { Runner, type Running } from "../../server/live/runner.ts";
import { openCaptureQueue } from "../../server/meetings/captures/queue.ts";
import { Hub } from "../../server/socket/hub.ts";
import type { Scope } from "../world/empty-database.ts";

/** An operation that a test carries out. */
export interface CarriedOut {
  /** The first live stream or transcription that it has taken. */
  readonly running: Promise<Running>;
  /** Ends it by itself, for this reason. */
  end(error: string | null): void;
  readonly runner: Runner;
  /** Where it learns of changes of the meeting. */
  readonly hub: Pick<Hub, "follow">;
}

/** A process that takes live streams or transcriptions, and carries them out as the test directs. */
export const carryOut = (t: Scope, database: Database, topic: RunRow["topic"]): CarriedOut => {
  const hub = new Hub({
    database,
    processId: uuid7(),
    mediaOf: () => ({ type: "direct", url: null, iceServers: [] }),
    onError: (error) => assert.fail(String(error)),
  });
  const running = Promise.withResolvers<Running>();
  const over = Promise.withResolvers<string | null>();
  const runner = new Runner(database, {
    queue: openCaptureQueue(database, 1, [topic]),
    topic,
    hub,
    processId: uuid7(),
    canRun: () => true,
    log: pino({ level: "silent" }),
    carryOut: (given) => {
      running.resolve(given);
      given.signal.addEventListener("abort", () => over.resolve(null));
      return over.promise;
    },
  });
  t.after(async () => {
    await runner.stop();
    await hub.stop();
  });
  return { running: running.promise, end: over.resolve, runner, hub };
};
