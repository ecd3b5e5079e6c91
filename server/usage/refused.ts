import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { RoomRow } from "../db/tables.ts";
import { uuid7 } from "../lib/id.ts";
import { startLooks } from "../lib/looks.ts";
import { roomOf } from "../records/rooms.ts";

/** How often counts are stored. A process that dies loses the ones since. */
const STORE_MS = 5_000;

/** Counts joins that find no free seat. */
export interface RefusedSeats {
  count(room: Pick<RoomRow, "id">): void;
  /** Stores the counts. */
  stop(): Promise<void>;
}

/**
 * Starts counting joins that find no free seat. A crowd before a full room must not wait for the
 * organization's row, so they are counted in memory and stored at intervals.
 */
export const countRefusedJoins = (
  database: Database,
  onError: (error: unknown) => void,
): RefusedSeats => {
  let counts = new Map<string, number>();

  const store = async (): Promise<void> => {
    const stored = counts;
    counts = new Map();
    try {
      await database.change(async (tx) => {
        for (const [roomId, seats] of stored) {
          const room = await tx
            .selectFrom("rooms")
            .select(["organization_id", "record", "extras"])
            .where("id", "=", roomId)
            .executeTakeFirst();
          if (room === undefined) continue;
          const { organization_id } = room;
          await tx
            .insertInto("usage_refused")
            .values({
              id: uuid7(),
              organization_id,
              room_id: roomId,
              at: now(),
              seats,
              room_type: roomOf(room).roomType,
            })
            .execute();
        }
      });
    } catch (error) {
      for (const [roomId, seats] of stored) counts.set(roomId, (counts.get(roomId) ?? 0) + seats);
      throw error;
    }
  };

  const looks = startLooks({
    everyMs: STORE_MS,
    look: async () => {
      if (counts.size > 0) await store();
    },
    onError,
  });
  return {
    count({ id }) {
      counts.set(id, (counts.get(id) ?? 0) + 1);
    },
    async stop() {
      await looks.stop();
      if (counts.size > 0) await store().catch(onError);
    },
  };
};
