import type { Database } from "../../server/db/open.ts";
import type { RecordingRow } from "../../server/db/recording-tables.ts";
import { uuid7 } from "../../server/id.ts";
import type { House } from "../console/service.ts";

/**
 * Lets a process be there that can record and takes nothing: recordings wait. Its row outlives every look
 * at which processes are alive.
 */
export const addRecorder = (database: Pick<Database, "change">): Promise<void> =>
  database.change(async (tx) => {
    await tx
      .insertInto("processes")
      .values({ id: uuid7(), alive_at: "9999-01-01T00:00:00.000Z", recorders: 1 })
      .execute();
  });

/** The recordings of an organization as they are stored, the oldest first. */
export const recordingsOf = (
  database: Database,
  organizationId: string,
): Promise<readonly RecordingRow[]> =>
  database.read
    .selectFrom("recordings")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .orderBy("requested_at")
    .orderBy("id")
    .execute();

/** Changes a recording beside the service. */
export const setRecording = (
  database: Database,
  id: string,
  update: Partial<RecordingRow>,
): Promise<void> =>
  database.change(async (tx) => {
    await tx.updateTable("recordings").set(update).where("id", "=", id).execute();
  });

/** The recordings of a room, the oldest first. */
export const recordingsIn = (
  { change }: Pick<House, "change">,
  roomId: string,
): Promise<readonly RecordingRow[]> =>
  change(({ tx, organization }) =>
    tx
      .selectFrom("recordings")
      .innerJoin("rooms", "rooms.id", "recordings.room_id")
      .selectAll("recordings")
      .where("rooms.organization_id", "=", organization.id)
      .where("rooms.room", "=", roomId)
      .orderBy("requested_at")
      .orderBy("recordings.id")
      .execute(),
  );
