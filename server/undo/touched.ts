import { settingsOf } from "../../contract/kit/organization-settings.ts";
import { type FieldReason, wrong } from "../../contract/kit/reasons.ts";
import type { BinKind } from "../../contract/organization/bin.ts";
import { findAccessKey, keyFacts } from "../access/access-keys.ts";
import { findInBin } from "../bin/bin.ts";
import { allFacts, type Facts } from "../change/history.ts";
import type { Change } from "../change/organization.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import type { AccessKeyRow, OrganizationRow, RoomRow, UserRow } from "../db/tables.ts";
import type { WebhookRow } from "../db/webhook-tables.ts";
import { refuse } from "../lib/refusal.ts";
import { findRecording } from "../recordings/library.ts";
import { roomFacts, roomSecrets, userFacts } from "../records/facts.ts";
import { findRoom } from "../records/room-queries.ts";
import { roomOf } from "../records/rooms.ts";
import { findSchedule, scheduleFacts, seriesOf } from "../records/schedules.ts";
import { findUser } from "../records/user-queries.ts";
import { inviteesOf } from "../rooms/follow-schedule.ts";
import { findWebhook, webhookFacts, webhookSecrets } from "../webhooks/webhooks.ts";
import { isCreation, secretsOf, type UndoableEntry } from "./entries.ts";

/* The subjects of entries, and whether they are still as the entries left them. */

/** An entry and the current state of its subject. */
export type Touched = { readonly entry: UndoableEntry } & (
  | { readonly of: "room"; readonly row: RoomRow }
  | { readonly of: "user"; readonly row: UserRow }
  | { readonly of: "accessKey"; readonly row: AccessKeyRow }
  | { readonly of: "organization"; readonly row: OrganizationRow }
  | { readonly of: "webhook"; readonly row: WebhookRow }
  | { readonly of: "recording"; readonly row: Pick<RecordingRow, "id" | "name"> }
  /** The ID of its entry in the bin; undefined if it is not in the bin. */
  | { readonly of: "bin"; readonly inBin: string | undefined }
);

/** The kind of subject that an entry moved into the bin or out of it. */
const movedThings: { readonly [K in UndoableEntry["kind"]]?: BinKind } = {
  roomBinned: "room",
  roomUnbinned: "room",
  userBinned: "user",
  userUnbinned: "user",
};

/**
 * Returns whether an entry names this room or person: a younger one only has the ID of one that was deleted
 * since.
 */
const isNamedBy = <T extends { readonly created_at: string }>(
  { at }: UndoableEntry,
  thing: T | undefined,
): thing is T => thing !== undefined && thing.created_at <= at;

/** Finds the subject of an entry. @throws Refusal if it is gone */
export const touchedBy = async (change: Change, entry: UndoableEntry): Promise<Touched> => {
  const { tx, organization, caller } = change;
  const moved = movedThings[entry.kind];
  if (moved !== undefined) {
    const resting = await findInBin(change, moved, entry.id);
    const find = moved === "room" ? findRoom : findUser;
    const thing = resting ?? (await find(tx, organization.id, entry.id));
    if (!isNamedBy(entry, thing)) return refuse("not_in_bin");
    return { entry, of: "bin", inBin: resting?.id };
  }
  if (entry.kind === "recordingEdited") {
    const row = await findRecording(tx, { id: organization.id, caller }, entry.id);
    return { entry, of: "recording", row };
  }
  if (entry.kind === "webhookEdited") {
    return { entry, of: "webhook", row: await findWebhook(tx, organization.id, entry.id) };
  }
  if (["roomEdited", "roomCreated", "roomScheduled"].includes(entry.kind)) {
    const row = await findRoom(tx, organization.id, entry.id);
    return isNamedBy(entry, row) ? { entry, of: "room", row } : refuse("room_not_found");
  }
  if (entry.kind === "organizationEdited") return { entry, of: "organization", row: organization };
  if (entry.kind === "accessKeyEdited") {
    return { entry, of: "accessKey", row: await findAccessKey({ tx, organization }, entry.id) };
  }
  const row = await findUser(tx, organization.id, entry.id);
  return isNamedBy(entry, row) ? { entry, of: "user", row } : refuse("user_not_found");
};

/** How a room or person has been used since it was created. */
const useOf = async ({ tx, organization }: Change, touched: Touched): Promise<Facts> => {
  if (!isCreation(touched.entry.kind)) return {};
  if (touched.of === "room") {
    const { meetings } = await tx
      .selectFrom("meetings")
      .select(({ fn }) => fn.countAll<number | string>().as("meetings"))
      .where("room_id", "=", touched.row.id)
      .executeTakeFirstOrThrow();
    return { meetings: Number(meetings) };
  }
  const { id } = touched.entry;
  const { rooms } = await tx
    .selectFrom("room_owners")
    .select(({ fn }) => fn.countAll<number | string>().as("rooms"))
    .where("user_id", "=", id)
    .executeTakeFirstOrThrow();
  const acted = await tx
    .selectFrom("history")
    .select("number")
    .where("organization_id", "=", organization.id)
    .where("actor_id", "=", id)
    .where("actor_kind", "=", "user")
    .limit(1)
    .executeTakeFirst();
  return { rooms: Number(rooms), hasActed: acted !== undefined };
};

/** The dates that a room has now, as the history says them. */
const datesNow = async ({ tx }: Change, { id }: RoomRow): Promise<Facts> => {
  const row = await findSchedule(tx, id);
  if (row === undefined) return scheduleFacts(undefined, 0);
  return scheduleFacts(seriesOf(row), (await inviteesOf(tx, id)).length);
};

/** The current values of the fields that the history keeps of a subject. */
const currentFacts = async (change: Change, touched: Touched): Promise<Facts> => {
  if (touched.of === "room") {
    const facts = allFacts(roomFacts(roomOf(touched.row)), roomSecrets);
    const { waits_for_host: waitsForHost } = touched.row;
    const dates = touched.entry.kind === "roomScheduled" && (await datesNow(change, touched.row));
    return { ...facts, waitsForHost, ...dates, ...(await useOf(change, touched)) };
  }
  if (touched.of === "organization") return { ...settingsOf(touched.row) };
  if (touched.of === "accessKey") return keyFacts(touched.row);
  if (touched.of === "webhook") return allFacts(webhookFacts(touched.row), webhookSecrets);
  if (touched.of === "recording") return { name: touched.row.name };
  if (touched.of === "bin") return { inBin: touched.inBin !== undefined };
  const { account_suspended: accountSuspended, account_deleted: accountDeleted } = touched.row;
  const facts = { ...userFacts(touched.row), accountSuspended, accountDeleted };
  return { ...facts, ...(await useOf(change, touched)) };
};

/** The fields that later edits of the same subject have set, according to the history. */
const setLater = async (
  { tx, organization }: Change,
  { of, id, number }: UndoableEntry,
  whole?: number,
): Promise<ReadonlySet<string>> => {
  const later = await tx
    .selectFrom("history")
    .select("facts")
    .where("organization_id", "=", organization.id)
    .where("subject_kind", "=", of)
    .where("subject_id", "=", id)
    .where("number", ">", number)
    .$if(whole !== undefined, (query) => query.where("part_of", "=", whole ?? 0))
    .execute();
  const fields = later.flatMap(({ facts }) => Object.keys(JSON.parse(facts ?? "{}").after ?? {}));
  return new Set(fields);
};

/** The fields that are no longer as an entry left them, with their current values. */
const changedFields = async (
  change: Change,
  touched: Touched,
): Promise<readonly (readonly [field: string, now: unknown])[]> => {
  const { entry } = touched;
  const current = await currentFacts(change, touched);
  const secrets = secretsOf(entry);
  // The history has no values of secrets, so any later edit of one counts as a change.
  const replaced = secrets.length > 0 ? await setLater(change, entry) : new Set();
  return Object.entries(entry.after).flatMap(([field, value]) => {
    const now = current[field] ?? null;
    const isSame = JSON.stringify(now) === JSON.stringify(value ?? null);
    return isSame && !(secrets.includes(field) && replaced.has(field)) ? [] : [[field, now]];
  });
};

/** A field of an entry's subject that has changed since. */
export interface Changed extends FieldReason {
  readonly id: string;
}

/** A changed field as answers show it. */
export const presentChanged = ({ field, reason: why }: Changed): FieldReason => ({
  field,
  reason: why,
});

/**
 * The fields that are no longer as the entries left them, with their current values.
 *
 * @param isPart whether more entries are taken back than these: then a field is named with its subject
 * @param whole the number of the whole whose later entries will be taken back before these
 */
export const changedSince = async (
  change: Change,
  all: readonly Touched[],
  { isPart = false, whole }: { readonly isPart?: boolean; readonly whole?: number } = {},
): Promise<readonly Changed[]> => {
  const left = new Map<string, number>();
  for (const { entry } of all) {
    for (const field of Object.keys(entry.after))
      left.set(`${entry.of} ${entry.id} ${field}`, entry.number);
  }
  const changed: Changed[] = [];
  for (const touched of all) {
    const { of, id, number, name } = touched.entry;
    const isAlone = all.length === 1 && !isPart;
    // If the same change set a field several times, its last entry counts.
    const fields = (await changedFields(change, touched)).filter(
      ([field]) => left.get(`${of} ${id} ${field}`) === number,
    );
    if (fields.length === 0) continue;
    const later = whole === undefined ? undefined : await setLater(change, touched.entry, whole);
    for (const [field, now] of fields) {
      if (later?.has(field)) continue;
      changed.push(
        isAlone
          ? { id, ...wrong(field, "is_now", { what: field, now }) }
          : { id, ...wrong(`${id}.${field}`, "is_now", { what: field, now, of: name }) },
      );
    }
  }
  return changed;
};
