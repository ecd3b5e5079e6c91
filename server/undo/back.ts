import { binRooms, binUsers, hasBin, restoreFromBin } from "../bin/bin.ts";
import { roomSubject } from "../change/history.ts";
import { type Change, renewed } from "../change/organization.ts";
import type { UserRow } from "../db/tables.ts";
import { refuseField } from "../lib/refusal.ts";
import { editAccessKey } from "../organizations/access-keys.ts";
import { editOrganization } from "../organizations/settings.ts";
import { renameRecording } from "../recordings/library.ts";
import { roomOf } from "../records/rooms.ts";
import { deleteRoom } from "../rooms/delete.ts";
import { roomDoor } from "../rooms/door.ts";
import { bringDatesBack } from "../rooms/follow-schedule.ts";
import { editRoom } from "../rooms/rooms.ts";
import {
  type AccessChange,
  deleteUsers,
  endAccess,
  restoreAccess,
  setSuspension,
} from "../users/accounts.ts";
import { setRoles } from "../users/bulk.ts";
import { editUser } from "../users/edit.ts";
import { editWebhook } from "../webhooks/webhooks.ts";
import { isCreation, type UndoableEntry } from "./entries.ts";
import { type Touched, touchedBy } from "./touched.ts";

/*
 * The rules that make changes also take them back, so limits, tokens, meetings and counters follow as
 * always. An undo holds the organization's lock: if two callers take the same change back at once, the
 * second one finds that it has changed since.
 */

/** Finds the current subjects of entries. @throws Refusal if one of them is gone */
export const touch = async (
  change: Change,
  entries: readonly UndoableEntry[],
): Promise<readonly Touched[]> => {
  const touched: Touched[] = [];
  for (const entry of entries) touched.push(await touchedBy(change, entry));
  return touched;
};

const ownersOf = (joined: unknown): readonly string[] | undefined =>
  typeof joined === "string" ? joined.split(",").filter((id) => id !== "") : undefined;

/**
 * Refuses owners whose accounts are younger than the entry that names them: they only have the IDs of people who
 * were deleted since.
 *
 * @throws Refusal on `roomOwnerId`
 */
const refuseHeirs = async (
  { tx, organization }: Change,
  owners: readonly string[],
  { at }: UndoableEntry,
): Promise<void> => {
  const younger = await tx
    .selectFrom("users")
    .select("id")
    .where("organization_id", "=", organization.id)
    .where("id", "in", ["", ...owners])
    .where("created_at", ">", at)
    .execute();
  const heirs = new Set(younger.map((user) => user.id));
  const first = owners.findIndex((owner) => heirs.has(owner));
  if (first === -1) return;
  refuseField("roomOwnerId", "unknown_owner", { at: first + 1, count: owners.length });
};

const takeBack = async (change: Change, { entry, ...is }: Touched): Promise<void> => {
  const { id, kind, before } = entry;
  if (is.of === "room") {
    const { roomOwnerId, waitsForHost, ...changes } = before;
    if (typeof waitsForHost === "boolean") {
      await roomDoor(change, { roomId: id, waitsForHost });
      return;
    }
    const bringsDates = kind === "roomScheduled" || typeof before.scheduledDateTime === "string";
    // Before the edit, which otherwise sets the date alone.
    if (bringsDates) await bringDatesBack(change, is.row);
    if (kind === "roomScheduled") {
      const subject = roomSubject(is.row);
      change.happened({ kind, subject, before: entry.after, after: before });
      return;
    }
    const former = ownersOf(roomOwnerId);
    if (former) await refuseHeirs(change, former, entry);
    const owners = [...(former ?? roomOf(is.row).owners)];
    const leavesNoOwner = owners.length === 0;
    await editRoom(change, { room: id, owners, changes, ifMatch: undefined, leavesNoOwner });
    return;
  }
  if (is.of === "recording") await renameRecording(change, id, String(before.name));
  if (is.of === "webhook") {
    // A webhook that had failed becomes off. Its address is not restored: the history does not have it.
    const { state, ...fields } = before;
    const edit = { id, ...fields, ...(state ? { on: state === "on" } : {}) };
    await editWebhook(change, edit, () => false);
  }
  if (kind === "organizationEdited") await editOrganization(change, before);
  if (kind === "accessKeyEdited") await editAccessKey(change, { ...before, accessKey: id });
  if (kind === "userEdited" && !isRoleOnly(entry)) {
    await editUser(await renewed(change), { ...before, userId: id, ifMatch: undefined });
  }
};

/** Returns whether the entry changed only the role of a person, as bulk changes of roles do, too. */
const isRoleOnly = ({ kind, before }: UndoableEntry): boolean =>
  kind === "userEdited" && Object.keys(before).join() === "role";

/** Takes back changes of roles, suspensions and restorations, those of one change together. */
const takeBackTogether = async (change: Change, touched: readonly Touched[]): Promise<void> => {
  const people = touched.flatMap((one) => (one.of === "user" ? [one] : []));
  const roles = people.filter(({ entry }) => isRoleOnly(entry));
  await setRoles(
    change,
    roles.map(({ entry, row }) => ({ user: row, role: String(entry.before.role) })),
  );
  for (const [kind, action] of [
    ["userSuspended", "restore"],
    ["userRestored", "suspend"],
  ] as const) {
    const some = people.filter(({ entry }) => entry.kind === kind);
    await setSuspension(
      change,
      action,
      some.map(({ row }) => row),
    );
  }
};

/** Takes back revocations or reactivations, those of one change together, as they are counted together. */
const turnBack = async (
  change: Change,
  kind: "userRevoked" | "userReactivated",
  touched: readonly Touched[],
): Promise<void> => {
  const turns = touched.flatMap((one): AccessChange[] => {
    if (one.of !== "user" || one.entry.kind !== kind) return [];
    const { accountSuspended = one.row.account_suspended } = one.entry.before;
    return [{ user: one.row, suspended: accountSuspended === true }];
  });
  if (turns.length > 0) await (kind === "userRevoked" ? restoreAccess : endAccess)(change, turns);
};

/** Takes back moves into and out of the bin, those of one change together, as they are counted together. */
const moveBack = async (change: Change, touched: readonly Touched[]): Promise<void> => {
  const rested = touched.flatMap((one) => (one.of === "bin" ? (one.inBin ?? []) : []));
  if (rested.length > 0) await restoreFromBin(change, rested);
  const restored = (kind: UndoableEntry["kind"]) =>
    touched.filter(({ entry }) => entry.kind === kind).map(({ entry }) => entry.id);
  const [rooms, users] = [restored("roomUnbinned"), restored("userUnbinned")];
  if (rooms.length > 0) await binRooms(change, rooms);
  if (users.length > 0) await binUsers(change, users, (index) => users[index] ?? "");
};

/** Revokes and deletes people. Without a bin, the history records only that they were deleted permanently. */
const removeUsers = async (change: Change, users: readonly UserRow[]): Promise<void> => {
  const rests = hasBin(change);
  const turns = users
    .filter((user) => !user.account_deleted)
    .map((user) => ({ user, suspended: user.account_suspended }));
  const revoking: Change = rests ? change : { ...change, happened: () => {} };
  if (turns.length > 0) await endAccess(revoking, turns);
  await (rests ? binUsers : deleteUsers)(
    await renewed(change),
    users.map(({ id }) => id),
  );
};

/** Takes back creations: moves what was created into the bin, or deletes it if there is no bin. */
const removeCreated = async (change: Change, touched: readonly Touched[]): Promise<void> => {
  const created = touched.filter(({ entry }) => isCreation(entry.kind));
  const users = created.flatMap((one) => (one.of === "user" ? [one.row] : []));
  if (users.length > 0) await removeUsers(change, users);
  const rooms = created.flatMap((one) => (one.of === "room" ? [one.row.room] : []));
  if (rooms.length === 0) return;
  if (hasBin(change)) await binRooms(await renewed(change), rooms);
  else for (const room of rooms) await deleteRoom(await renewed(change), room);
};

/** Entries in the order in which they are taken back: one of each subject per round, the last one first. */
const roundsOf = (entries: readonly UndoableEntry[]): readonly (readonly UndoableEntry[])[] => {
  const rounds: UndoableEntry[][] = [];
  const taken = new Map<string, number>();
  for (const entry of entries.toReversed()) {
    const round = taken.get(entry.id) ?? 0;
    taken.set(entry.id, round + 1);
    rounds[round] = [entry, ...(rounds[round] ?? [])];
  }
  return rounds;
};

/** Takes back one entry of each subject. */
const takeRoundBack = async (change: Change, touched: readonly Touched[]): Promise<void> => {
  const numbers = new Map(touched.map(({ entry }) => [entry.id, entry.number]));
  const undoes = (id: string) => {
    const taken = numbers.get(id);
    return taken === undefined ? {} : { undoes: taken };
  };
  const undoing: Change = {
    ...change,
    happened: (...what) =>
      change.happened(...what.map((one) => ({ ...one, ...undoes(one.subject.id) }))),
  };
  for (const one of touched) await takeBack(undoing, one);
  await takeBackTogether(await renewed(undoing), touched);
  for (const kind of ["userRevoked", "userReactivated"] as const) {
    await turnBack(await renewed(undoing), kind, touched);
  }
  await moveBack(await renewed(undoing), touched);
  await removeCreated(await renewed(undoing), touched);
};

/**
 * Takes back entries whose subjects are as the entries left them: of each subject the last entry first.
 * Each round looks up the subjects as the previous round has left them.
 *
 * @throws Refusal of the rules that make such changes
 */
export const takeEntriesBack = async (
  change: Change,
  entries: readonly UndoableEntry[],
): Promise<void> => {
  const created = new Set(entries.filter(({ kind }) => isCreation(kind)).map(({ id }) => id));
  // Undoing a creation also undoes every later change of the subject.
  const counted = entries.filter(({ id, kind }) => isCreation(kind) || !created.has(id));
  for (const round of roundsOf(counted)) await takeRoundBack(change, await touch(change, round));
};
