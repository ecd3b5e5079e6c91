import { randomBytes } from "node:crypto";
import type { Checked } from "../../contract/kit/operation.ts";
import type {
  createRecordingLink,
  LinkRight,
  RecordingLink,
} from "../../contract/recordings/links.ts";
import type { Accepted } from "../access/tokens.ts";
import { recordingSubject } from "../change/history.ts";
import type { Change, Organization, Queries } from "../change/organization.ts";
import { now } from "../db/now.ts";
import type { RecordingLinkRow, RecordingRow } from "../db/recording-tables.ts";
import { digestOf } from "../lib/digest.ts";
import { DAY_MS } from "../lib/durations.ts";
import { uuid7 } from "../lib/id.ts";
import { refuse } from "../lib/refusal.ts";
import { findRecording, knownRecordings } from "./library.ts";

const present = (row: RecordingLinkRow, maker: string | null | undefined): RecordingLink => ({
  linkId: row.id,
  recordingId: row.recording_id,
  allows: row.allows,
  createdBy: maker ?? "",
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
});

/**
 * Makes a link that plays a recording: a code of 256 random bits, stored as its digest.
 *
 * @throws Refusal `recording_not_found`, `recording_not_ready`
 */
export const createLink = async (
  { tx, organization, caller, happened }: Change,
  { recordingId, days, allows }: Checked<typeof createRecordingLink>,
): Promise<{ readonly link: RecordingLink; readonly code: string }> => {
  const viewer = { id: organization.id, caller };
  const { id, name, room, state } = await findRecording(tx, viewer, recordingId);
  if (state !== "ready") refuse("recording_not_ready");
  happened({
    kind: "recordingShared",
    subject: recordingSubject({ id, name, room }),
    after: { days, allows },
  });
  const code = randomBytes(32).toString("base64url");
  const maker = await tx
    .selectFrom("users")
    .select("name")
    .where("id", "=", caller.userId)
    .executeTakeFirst();
  const row = await tx
    .insertInto("recording_links")
    .values({
      id: uuid7(),
      digest: digestOf(code),
      recording_id: id,
      organization_id: organization.id,
      created_by: caller.userId,
      created_at: now(),
      expires_at: now(days * DAY_MS),
      revoked_at: null,
      allows,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { link: present(row, maker?.name), code };
};

/**
 * The links of a recording that have not expired, including revoked ones, newest first.
 *
 * @throws Refusal `recording_not_found`
 */
export const listLinks = async (
  organization: Organization,
  recordingId: string,
): Promise<RecordingLink[]> => {
  const { read } = organization;
  const { id } = await findRecording(read, organization, recordingId);
  const rows = await read
    .selectFrom("recording_links as l")
    .leftJoin("users as u", "u.id", "l.created_by")
    .selectAll("l")
    .select("u.name as maker")
    .where("l.recording_id", "=", id)
    .where("l.expires_at", ">", now())
    .orderBy("l.created_at", "desc")
    .orderBy("l.id", "desc")
    .execute();
  return rows.map(({ maker, ...row }) => present(row, maker));
};

/** Revokes a link, unless it was revoked before. @throws Refusal `recording_link_not_found` */
export const revokeLink = async (
  { tx, organization, caller, happened }: Change,
  linkId: string,
): Promise<void> => {
  const found = await knownRecordings(tx, { id: organization.id, caller })
    .innerJoin("recording_links as l", "l.recording_id", "c.id")
    .select(["l.id", "l.revoked_at", "c.id as recording_id", "c.name", "r.room"])
    .where("l.id", "=", linkId)
    .executeTakeFirst();
  if (found === undefined) return refuse("recording_link_not_found");
  if (found.revoked_at !== null) return;
  const subject = recordingSubject({ ...found, id: found.recording_id });
  happened({ kind: "recordingUnshared", subject });
  await tx
    .updateTable("recording_links")
    .set({ revoked_at: now() })
    .where("id", "=", found.id)
    .execute();
};

/** A recording that a link plays. */
export interface LinkedRecording {
  readonly recording: RecordingRow;
  readonly expiresAt: string;
  readonly allows: LinkRight;
}

/**
 * Finds what a code plays now.
 *
 * @param accepted `even expired` while a file is sent, which may take longer than the link lasts
 * @throws Refusal `recording_link_not_found`, `link_ended`
 */
export const findLinked = async (
  db: Queries,
  code: string,
  accepted: Accepted = "living",
): Promise<LinkedRecording> => {
  const found = await db
    .selectFrom("recording_links as l")
    .innerJoin("recordings as c", "c.id", "l.recording_id")
    .innerJoin("rooms as r", "r.id", "c.room_id")
    .selectAll("c")
    .select(["l.expires_at", "l.revoked_at", "l.allows", now().as("currentTime")])
    .where("l.digest", "=", digestOf(code))
    .where("r.deleted_at", "is", null)
    .executeTakeFirst();
  if (found === undefined) return refuse("recording_link_not_found");
  const { expires_at: expiresAt, revoked_at, allows, currentTime, ...recording } = found;
  const isExpired = accepted === "living" && expiresAt <= currentTime;
  if (revoked_at !== null || isExpired) return refuse("link_ended");
  return { recording, expiresAt, allows };
};
