import { sql } from "kysely";
import type { Queries } from "../../change/organization.ts";
import type { RunRow } from "../../db/live-tables.ts";
import { now } from "../../db/now.ts";
import type { Database } from "../../db/open.ts";
import { prepared } from "../../db/prepared.ts";

/*
 * Recordings, live streams and transcriptions take a hidden browser each. A process has a limited
 * number of places for them (RECORDERS). Captures that find no place wait, and get one in the order in
 * which they were requested, whatever their kind.
 */

/** The purpose of a place. */
export type CaptureTopic = "recording" | RunRow["topic"];

/**
 * When the recording was first requested: one that continues after an interruption keeps its turn. A
 * room has one recording at a time, so the chain began with the latest one that continues none.
 */
const firstAsked = sql<string>`coalesce((
  select max(former.requested_at) from recordings as former
  where former.room_id = recordings.room_id and former.meeting_id = recordings.meeting_id
    and former.requested_at <= recordings.requested_at and former.continues = 0
), recordings.requested_at)`;

/** No process has it, and it does not wait for its next try. */
const isDue = sql<boolean>`(lease_until is null or lease_until <= ${now()})`;

/** Not a parameter: a kept plan would not use the index of these states. */
const isQueued = sql<boolean>`state = 'queued'`;

interface Waiting {
  readonly id: string;
  readonly organization_id: string;
  readonly meeting_id: string;
  readonly since: string;
  readonly topic: CaptureTopic;
}

/**
 * Everything that waits for a place, in its order: recordings that are queued, and runs that no living
 * process has.
 */
const askWaiting = prepared<null, Record<never, never>, Waiting>((db) =>
  db
    .selectFrom(
      db
        .selectFrom("recordings")
        .select(["id", "organization_id", "meeting_id", firstAsked.as("since")])
        .select(sql<CaptureTopic>`'recording'`.as("topic"))
        .where(isQueued)
        .where(isDue)
        .unionAll(
          db
            .selectFrom("runs")
            .select(["id", "organization_id", "meeting_id", "requested_at as since"])
            .select(sql<CaptureTopic>`topic`.as("topic"))
            .where("ended_at", "is", null)
            .where(isDue),
        )
        .as("waiting"),
    )
    .selectAll()
    .orderBy("since")
    .orderBy("id"),
);

const listWaiting = (db: Queries): Promise<readonly Waiting[]> => askWaiting(db, null, {});

/** How many captures of all organizations run, how many wait for a place, and for how long the first one. */
export const captureState = async (db: Queries) => {
  const waiting = await listWaiting(db);
  const { recordings, runs, at } = await db
    .selectNoFrom(({ selectFrom, fn }) => [
      selectFrom("recordings")
        .select(fn.countAll<number | string>().as("count"))
        .where("state", "in", ["queued", "starting", "active"])
        .as("recordings"),
      selectFrom("runs")
        .select(fn.countAll<number | string>().as("count"))
        .where("ended_at", "is", null)
        .as("runs"),
      now().as("at"),
    ])
    .executeTakeFirstOrThrow();
  const [first] = waiting;
  return {
    running: Number(recordings) + Number(runs) - waiting.length,
    waiting: waiting.length,
    oldestSeconds: first ? (Date.parse(at) - Date.parse(first.since)) / 1000 : 0,
  };
};

/** How many captures wait ahead of this one. */
export const countBefore = async (db: Queries, id: string): Promise<number> =>
  Math.max(
    0,
    (await listWaiting(db)).findIndex((one) => one.id === id),
  );

/** A place, and the capture whose turn it is. */
export interface Turn {
  readonly id: string;
  readonly organization_id: string;
  /** Gives the place back. */
  leave(): void;
}

/** The places of one process. */
export interface CaptureQueue {
  /** Takes a place; undefined where none is free, nothing waits, or it is the turn of another topic. */
  take(topic: CaptureTopic): Promise<Turn | undefined>;
  /** Shows the meetings that wait how many are ahead of them now. */
  moveUp(): Promise<void>;
}

/**
 * Opens the places of this process.
 *
 * @param most how many there are
 * @param topics what it can carry out: anything else waits for another process, and blocks nothing here
 */
export const openCaptureQueue = (
  { read, announcements }: Pick<Database, "read" | "announcements">,
  most: number,
  topics: readonly CaptureTopic[],
): CaptureQueue => {
  let taken = 0;
  return {
    async take(topic) {
      if (taken >= most) return undefined;
      // Before any query: two calls at once must not get the same place.
      taken += 1;
      let isHeld = true;
      const leave = (): void => {
        if (isHeld) taken -= 1;
        isHeld = false;
      };
      try {
        const first = (await listWaiting(read)).find((one) => topics.includes(one.topic));
        if (first?.topic === topic) {
          return { id: first.id, organization_id: first.organization_id, leave };
        }
      } catch (error) {
        leave();
        throw error;
      }
      leave();
      return undefined;
    },
    async moveUp() {
      const meetings = (await listWaiting(read)).map(({ meeting_id }) => meeting_id);
      announcements.announce(meetings);
    },
  };
};
