import type { TestContext } from "node:test";
import { pino } from "pino";
import type { RecordingRow } from "../../server/db/recording-tables.ts";
import { uuid7 } from "../../server/lib/id.ts";
import { enter } from "../meetings/inside.ts";
import { newPlace } from "../meetings/place.ts";
import type { Twin } from "../twins/twin.ts";
import { type Environment, startWorld } from "../world/world.ts";
import { folderOf } from "./recorders.ts";
import { recordingsOf } from "./rows.ts";

const PATH = process.env.PATH ?? "";

/** A service that finds the leftovers of a recording of a dead process. */
export const leave = async (t: TestContext, twin?: Twin, more: Environment = {}) => {
  const world = await startWorld(t, { twin, environment: { PATH, ...more } });
  const { database } = world;
  const place = await newPlace(world, { enableRecording: true, recordModerator: true });
  const mo = await enter(t, { url: world.url, ask: place.asAdmin }, "r", { peerName: "Mo" });
  const { id: room_id } = await database.read
    .selectFrom("rooms")
    .select("id")
    .where("organization_id", "=", place.tenant.id)
    .executeTakeFirstOrThrow();
  const longAgo = "2020-01-01T00:00:00.000Z";
  /** @param meeting_id that of a past meeting by default */
  const left = async (more: Partial<RecordingRow>): Promise<RecordingRow> => {
    const row: RecordingRow = {
      id: uuid7(),
      organization_id: place.tenant.id,
      room_id,
      meeting_id: "over",
      name: "R",
      name_key: "r",
      type: "av",
      format: "hls",
      resolutions: '["480p"]',
      state: "active",
      automatic: false,
      continues: 0,
      started_by: null,
      started_by_name: "Mo",
      requested_at: longAgo,
      started_at: longAgo,
      ended_at: null,
      seconds: null,
      bytes: null,
      files: null,
      error: null,
      stop_asked: false,
      complete: false,
      process: "dead",
      lease_until: null,
      store: "folder",
      ...more,
    };
    await database.change(async (tx) => {
      await tx.insertInto("recordings").values(row).execute();
    });
    return row;
  };
  const expire = (row: RecordingRow, lease_until = longAgo): Promise<void> =>
    database.change(async (tx) => {
      await tx.updateTable("recordings").set({ lease_until }).where("id", "=", row.id).execute();
    });
  const stateOf = async (row: RecordingRow): Promise<RecordingRow> => {
    const rows = await recordingsOf(database, place.tenant.id);
    return rows.find(({ id }) => id === row.id) ?? row;
  };
  const folder = (row: RecordingRow) => folderOf(world.config.dataDir, row);
  const parts = { dataDir: world.config.dataDir, log: pino({ level: "silent" }) };
  return { ...place, mo, left, expire, stateOf, folder, database, parts };
};
