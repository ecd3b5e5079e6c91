import { join } from "node:path";
import type { TestContext } from "node:test";
import type { RecordingRow } from "../../server/db/recording-tables.ts";
import { recordingPath, recordingsFolder } from "../../server/recordings/folder.ts";
import type { Twin } from "../twins/twin.ts";
import { until } from "../world/process.ts";
import { type Beside, type Environment, startWorld } from "../world/world.ts";
import { addRecording, type Films } from "./films.ts";
import { cookieOf } from "./library.ts";
import { PREFIX, startS3 } from "./s3-server.ts";

/** A service that moves its recordings to a store, with a room. */
export const startStored = async (
  t: TestContext,
  films: Films,
  twin?: Twin,
  more: Environment = {},
) => {
  const s3 = await startS3(t);
  const environment = { ...s3.environment, LOG_LEVEL: "debug", ...more };
  const world = await startWorld(t, { environment, twin });
  const tenant = await world.tenant();
  const { ask, admin } = tenant;
  const made = await ask("createRoom", { name: "Room", roomOwnerId: admin.id });
  const room: string = made.body.roomSetting.room;
  const rowOf = (id: string): Promise<RecordingRow | undefined> =>
    world.database.read
      .selectFrom("recordings")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
  return {
    s3,
    world,
    tenant,
    room,
    rowOf,
    add: (some: Films = films, facts: Parameters<typeof addRecording>[3] = {}) =>
      addRecording({ ...world.config, change: tenant.change }, some, room, facts),
    moved: ({ id }: RecordingRow) =>
      until("it moves to the store", async () => (await rowOf(id))?.store === "s3"),
    facts: async () => (await ask("getOrganization")).body.organization.recordings,
    read: async ({ id }: RecordingRow, name: string, headers = {}) => {
      const opened = await ask("openRecording", { recordingId: id });
      const cookie = cookieOf(opened);
      const path = `/api/recording/media/${id}/${name}`;
      const answer = await fetch(world.url + path, { headers: { cookie, ...headers } });
      return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
    },
  };
};

/** The keys of its files in the store, in order. */
export const keysOf = (row: RecordingRow): string[] =>
  (JSON.parse(row.files ?? "[]") as { readonly name: string }[])
    .map(({ name }) => `${PREFIX}${recordingPath(row)}/${name}`)
    .sort();

/** Where its files are on this machine. */
export const folderOf = ({ config }: Pick<Beside, "config">, row: RecordingRow): string =>
  join(recordingsFolder(config.dataDir), recordingPath(row));
