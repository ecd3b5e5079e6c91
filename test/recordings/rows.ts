import type { Change } from "../../server/change/organization.ts";
import type { Database } from "../../server/db/open.ts";
import type { RecordingRow } from "../../server/db/recording-tables.ts";
import { uuid7 } from "../../server/lib/id.ts";
import type { ConsoleService } from "../console/service.ts";

/**
 * Adds a process that can record but takes nothing, so recordings wait. Its row survives every check of which
 * processes are alive.
 */
export const addRecorder = (database: Pick<Database, "change">): Promise<void> =>
  database.change(async (tx) => {
    await tx
      .insertInto("processes")
      .values({ id: uuid7(), alive_at: "9999-01-01T00:00:00.000Z", recorders: 1, records: true })
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

/** Changes a recording directly in the database. */
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
  { change }: Pick<ConsoleService, "change">,
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

/** A recording in the database, without files to play. @returns its ID */
export const addRecordingRow = async (
  { tx, organization, now }: Change,
  roomId: string,
): Promise<string> => {
  const { id: room_id } = await tx
    .selectFrom("rooms")
    .select("id")
    .where("organization_id", "=", organization.id)
    .where("room", "=", roomId)
    .executeTakeFirstOrThrow();
  const id = uuid7();
  await tx
    .insertInto("recordings")
    .values({
      id,
      organization_id: organization.id,
      room_id,
      meeting_id: uuid7(),
      name: "A recording",
      name_key: "a recording",
      type: "av",
      format: "hls",
      resolutions: '["480p"]',
      state: "ready",
      automatic: false,
      started_by: null,
      started_by_name: "",
      requested_at: now,
      started_at: now,
      ended_at: now,
      seconds: 1,
      bytes: 0,
      files: "[]",
      error: null,
      stop_asked: false,
      process: null,
      lease_until: null,
      store: "folder",
    })
    .execute();
  return id;
};
