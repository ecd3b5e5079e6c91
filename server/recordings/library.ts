import type { Checked } from "../../contract/kit/operation.ts";
import type { listRecordings as listContract } from "../../contract/recordings/library.ts";
import type { RecordingRecord } from "../../contract/recordings/record.ts";
import { changedFacts, recordingSubject } from "../change/history.ts";
import type { Change, Organization, Queries } from "../change/organization.ts";
import { contains } from "../db/dialect.ts";
import { utcOf } from "../db/now.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import { fold, termOf } from "../lib/fold.ts";
import { refuse } from "../lib/refusal.ts";
import { addErasures, storesOf } from "../meetings/captures/erasures.ts";
import { presentRecording } from "../meetings/captures/recordings.ts";
import { isOwner } from "../records/room-queries.ts";
import { recordingPath } from "./folder.ts";

/** The organization, and the caller who views its recordings. */
export type Viewer = Pick<Organization, "id" | "caller">;

/** The recordings that a caller may know: those of existing rooms that the caller may see. */
export const knownRecordings = (db: Queries, { id, caller }: Viewer, owner?: string) => {
  const owners = [...(caller.admin ? [] : [caller.userId]), ...(owner ? [owner] : [])];
  return owners.reduce(
    (query, userId) => query.where(isOwner(userId)),
    db
      .selectFrom("recordings as c")
      .innerJoin("rooms as r", "r.id", "c.room_id")
      .where("c.organization_id", "=", id)
      .where("r.deleted_at", "is", null),
  );
};

/** A recording with the fields of its room that an answer has. */
type Known = RecordingRow & { readonly room: string; readonly room_name: string };

const present = ({ room, room_name, ...row }: Known): RecordingRecord =>
  presentRecording(row, { room, name: room_name });

/**
 * A recording that the caller may know.
 *
 * @throws Refusal `recording_not_found`
 */
export const findRecording = async (
  db: Queries,
  viewer: Viewer,
  recordingId: string,
): Promise<Known> =>
  (await knownRecordings(db, viewer)
    .selectAll("c")
    .select(["r.room", "r.name as room_name"])
    .where("c.id", "=", recordingId)
    .executeTakeFirst()) ?? refuse("recording_not_found");

/** One recording. @throws Refusal `recording_not_found` */
export const fetchRecording = async (
  organization: Organization,
  recordingId: string,
): Promise<RecordingRecord> =>
  present(await findRecording(organization.read, organization, recordingId));

/** One page of the recordings, newest first. */
export const listRecordings = async (
  organization: Organization,
  { page, limit, roomId, userFilter, state, from, to, search }: Checked<typeof listContract>,
): Promise<{ readonly recordings: RecordingRecord[]; readonly total: number }> => {
  const term = termOf(search);
  const db = search === "" ? organization.read : organization.scan;
  const asked = knownRecordings(db, organization, userFilter)
    .$if(roomId !== undefined, (query) => query.where("r.room", "=", roomId ?? ""))
    .$if(state !== undefined, (query) => query.where("c.state", "=", state ?? "ready"))
    .$if(from !== undefined, (query) => query.where("c.started_at", ">=", utcOf(from)))
    .$if(to !== undefined, (query) => query.where("c.started_at", "<", utcOf(to)))
    .$if(search !== "", (query) =>
      query.where(({ or }) =>
        or([contains(db, "c.name_key", term), contains(db, "r.name_key", term)]),
      ),
    );
  const { total } = await asked
    .select(({ fn }) => fn.countAll<number | string>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await asked
    .selectAll("c")
    .select(["r.room", "r.name as room_name"])
    .orderBy("c.requested_at", "desc")
    .orderBy("c.id", "desc")
    .limit(limit)
    .offset(Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER))
    .execute();
  return { recordings: rows.map(present), total: Number(total) };
};

/** Gives a recording another name. @throws Refusal `recording_not_found` */
export const renameRecording = async (
  { tx, organization, caller, happened }: Change,
  recordingId: string,
  name: string,
): Promise<RecordingRecord> => {
  const viewer = { id: organization.id, caller };
  const { id, name: former, room } = await findRecording(tx, viewer, recordingId);
  happened({
    kind: "recordingEdited",
    subject: recordingSubject({ id, name, room }),
    ...changedFacts({ name: former }, { name }),
  });
  const named = { name, name_key: fold(name) };
  await tx.updateTable("recordings").set(named).where("id", "=", id).execute();
  return present(await findRecording(tx, viewer, id));
};

/** Returns whether a recording has its final result: it plays, or has failed. */
const hasResult = ({ state }: Pick<RecordingRow, "state">): boolean =>
  state === "ready" || state === "failed";

/**
 * Deletes a recording with its links; the keeper erases its files.
 *
 * @throws Refusal `recording_not_found`, `recording_running`
 */
export const deleteRecording = async (change: Change, recordingId: string): Promise<void> => {
  const viewer = { id: change.organization.id, caller: change.caller };
  const row = await findRecording(change.tx, viewer, recordingId);
  if (!hasResult(row)) refuse("recording_running");
  await removeRecording(change, row);
};

/** Removes the row of a recording that has ended, and adds its erasure. */
export const removeRecording = async (
  { tx, happened, leaveWork }: Pick<Change, "tx" | "happened" | "leaveWork">,
  row: RecordingRow & { readonly room: string },
): Promise<void> => {
  happened({ kind: "recordingDeleted", subject: recordingSubject(row) });
  const folder = { organizationId: row.organization_id, path: recordingPath(row) };
  await addErasures(tx, folder, storesOf(row), row.lease_until);
  leaveWork("erasures");
  await tx.deleteFrom("recordings").where("id", "=", row.id).execute();
};
