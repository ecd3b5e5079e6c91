import type { BinKind } from "../../contract/bin.ts";
import type { FieldError } from "../../contract/client.ts";
import { type HistoryKind, isUndoable, sayNow, type UndoableKind } from "../../contract/history.ts";
import { initialOrganizationSettings, settingsOf } from "../../contract/organization-settings.ts";
import { editAccessKey, findAccessKey, keyFacts } from "../access/access-keys.ts";
import { binRooms, binUsers, findInBin, restoreFromBin } from "../bin/bin.ts";
import type { HistoryRow } from "../db/history-tables.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import type { AccessKeyRow, OrganizationRow, RoomRow, UserRow } from "../db/tables.ts";
import type { Facts } from "../history/keep.ts";
import { keptSince } from "../history/retention.ts";
import type { Change } from "../organization.ts";
import { editOrganization } from "../organizations/settings.ts";
import { findRecording, renameRecording } from "../recordings/library.ts";
import { Refusal, refuse } from "../refusal.ts";
import { factsOf as roomFacts, roomSecrets } from "../rooms/facts.ts";
import { findRoom } from "../rooms/queries.ts";
import { editRoom } from "../rooms/rooms.ts";
import { roomOf } from "../rooms/stored.ts";
import { endAccess, restoreAccess, setSuspension, type Turn } from "../users/accounts.ts";
import { setRoles } from "../users/bulk.ts";
import { editUser } from "../users/edit.ts";
import { factsOf as userFacts } from "../users/facts.ts";
import { findUser } from "../users/queries.ts";

/*
 * A change is taken back by the same rules that make changes, so limits, tokens, meetings and
 * counters follow as always. It runs under the organization's row: of two who take the same change
 * back at once, the second finds what it touched changed.
 */

const PLANS = "Organizations and plans are the operator's.";

/** Why entries of the other kinds are not taken back. */
const reasons: Readonly<Record<Exclude<HistoryKind, UndoableKind>, string>> = {
  roomCreated: "Creating a room is not undone by deleting it. Delete the room instead.",
  roomDeleted: "The room was deleted for good.",
  roomLinkRenewed: "The former link is not kept. Renew it again instead.",
  handOverStopped: "Nothing was changed. Hand the rooms over to somebody else instead.",
  userCreated: "Creating a person is not undone by deleting them. Revoke the person instead.",
  userDeleted: "The person was deleted for good.",
  passwordReset: "The former password is not kept.",
  passwordChanged: "The former password is not kept.",
  userExported: "What was exported has left.",
  signedIn: "A sign-in changed nothing that could be taken back.",
  signInRefused: "A sign-in changed nothing that could be taken back.",
  signedOut: "A session that has ended stays ended.",
  recordingStarted: "What was recorded is not undone. Delete the recording instead.",
  recordingStopped: "A recording that was stopped is not resumed. Start another one instead.",
  recordingDeleted: "The recording was deleted for good.",
  recordingShared: "Sharing is not undone here. End the link instead.",
  recordingUnshared: "The former link is not kept. Share the recording again instead.",
  transcriptDeleted: "The transcript was deleted for good.",
  accessKeyCreated: "Creating an access key is not undone by removing it. Remove the key instead.",
  accessKeyRemoved: "The secret of a removed access key is not kept.",
  webhookCreated: "Creating a webhook is not undone by removing it. Remove the webhook instead.",
  webhookEdited: "Edits of webhooks are not taken back. Edit the webhook again instead.",
  webhookSecretRotated: "The secret of before the rotation ends. Rotate it again instead.",
  webhookSwitchedOff: "A webhook that was switched off is not undone here. Switch it on instead.",
  webhookRemoved: "The secret of a removed webhook is not kept.",
  organizationCreated: PLANS,
  organizationExported: "What was exported has left.",
  imported: "An import is taken back line by line, from the entries of its people and rooms.",
};

/** An entry that can be taken back. */
interface Entry {
  readonly number: number;
  readonly kind: UndoableKind;
  readonly id: string;
  readonly before: Facts;
  readonly after: Facts;
}

/** An entry, and what it is about, as it is now. */
type Touched = { readonly entry: Entry } & (
  | { readonly of: "room"; readonly row: RoomRow }
  | { readonly of: "user"; readonly row: UserRow }
  | { readonly of: "accessKey"; readonly row: AccessKeyRow }
  | { readonly of: "organization"; readonly row: OrganizationRow }
  | { readonly of: "recording"; readonly row: Pick<RecordingRow, "id" | "name"> }
  /** The entry of the bin; undefined: it is not in the bin. */
  | { readonly of: "bin"; readonly inBin: string | undefined }
);

const impossible = (reason: string, errors: readonly FieldError[] = []): never => {
  throw new Refusal("undo_impossible", errors, reason);
};

const entryOf = ({ number, kind, subject_id, facts }: HistoryRow): Entry => {
  if (!isUndoable(kind)) return impossible(reasons[kind]);
  if (facts === null) return impossible("What was before is erased.");
  const { before, after } = JSON.parse(facts);
  if (Object.keys(before).length === 0) return impossible("This edit changed nothing.");
  if (kind === "organizationEdited") {
    const isSetting = (field: string) => field in initialOrganizationSettings;
    if (!Object.keys(before).every(isSetting)) return impossible(PLANS);
  }
  const secrets =
    kind === "roomEdited" ? Object.keys(before).filter((key) => roomSecrets.has(key)) : [];
  if (secrets.length > 0) {
    impossible(
      "A password or key that was set or replaced is not kept, so this edit cannot be taken back.",
      secrets.map((field) => ({ field, message: `${field} is not kept in the history.` })),
    );
  }
  return { number, kind, id: subject_id, before, after };
};

/** What was moved into the bin or out of it. */
const movedThings: { readonly [K in UndoableKind]?: BinKind } = {
  ...{ roomBinned: "room", roomUnbinned: "room", userBinned: "user", userUnbinned: "user" },
};

/** All entries of the change of which this is one: they stand together. */
const entriesWith = async (change: Change, number: number): Promise<readonly Entry[]> => {
  const { tx, organization } = change;
  const entries = tx.selectFrom("history").where("organization_id", "=", organization.id);
  const named = await entries.selectAll().where("number", "=", number).executeTakeFirst();
  // One that is due to be removed may be the rest of a change.
  const since = keptSince(change);
  if (named === undefined || (since !== undefined && named.at < since)) {
    return refuse("entry_not_found");
  }
  const others = entries.select("number").where("change_id", "!=", named.change_id).limit(1);
  const before = await others
    .where("number", "<", number)
    .orderBy("number", "desc")
    .executeTakeFirst();
  const behind = await others.where("number", ">", number).orderBy("number").executeTakeFirst();
  const rows = await entries
    .selectAll()
    .where("number", ">", before?.number ?? 0)
    .$if(behind !== undefined, (query) => query.where("number", "<", behind?.number ?? 0))
    .orderBy("number")
    .execute();
  return rows.map(entryOf);
};

const touchedBy = async (change: Change, entry: Entry): Promise<Touched> => {
  const { tx, organization, caller } = change;
  const moved = movedThings[entry.kind];
  if (moved !== undefined) {
    const inBin = await findInBin(change, moved, entry.id);
    const find = moved === "room" ? findRoom : findUser;
    if (inBin === undefined && !(await find(tx, organization.id, entry.id))) refuse("not_in_bin");
    return { entry, of: "bin", inBin };
  }
  if (entry.kind === "recordingEdited") {
    const row = await findRecording(tx, { id: organization.id, caller }, entry.id);
    return { entry, of: "recording", row };
  }
  if (entry.kind === "roomEdited") {
    const row = (await findRoom(tx, organization.id, entry.id)) ?? refuse("room_not_found");
    return { entry, of: "room", row };
  }
  if (entry.kind === "organizationEdited") return { entry, of: "organization", row: organization };
  if (entry.kind === "accessKeyEdited") {
    return { entry, of: "accessKey", row: await findAccessKey({ tx, organization }, entry.id) };
  }
  const row = (await findUser(tx, organization.id, entry.id)) ?? refuse("user_not_found");
  return { entry, of: "user", row };
};

/** What the history tells of a thing, as it is now. */
const presentFacts = (touched: Touched): Facts => {
  if (touched.of === "room") return roomFacts(roomOf(touched.row));
  if (touched.of === "organization") return { ...settingsOf(touched.row) };
  if (touched.of === "accessKey") return keyFacts(touched.row);
  if (touched.of === "recording") return { name: touched.row.name };
  if (touched.of === "bin") return { inBin: touched.inBin !== undefined };
  const { account_suspended: accountSuspended, account_deleted: accountDeleted } = touched.row;
  return { ...userFacts(touched.row), accountSuspended, accountDeleted };
};

/** What is no longer as the entry left it, each with its present value. */
const changedSince = (
  touched: Touched,
  nameOf: (field: string) => string,
): readonly FieldError[] => {
  const present = presentFacts(touched);
  return Object.entries(touched.entry.after).flatMap(([field, left]) => {
    const value = present[field] ?? null;
    if (JSON.stringify(value) === JSON.stringify(left)) return [];
    return [{ field: nameOf(field), message: sayNow(nameOf(field), value) }];
  });
};

const ownersOf = (joined: unknown): readonly string[] | undefined =>
  typeof joined === "string" ? joined.split(",").filter((id) => id !== "") : undefined;

const takeBack = async (change: Change, { entry, ...is }: Touched): Promise<void> => {
  const { id, kind, before } = entry;
  if (is.of === "room") {
    const { roomOwnerId, ...changes } = before;
    const owners = ownersOf(roomOwnerId) ?? roomOf(is.row).owners;
    await editRoom(change, { room: id, owners: [...owners], changes, ifMatch: undefined });
    return;
  }
  if (is.of === "recording") await renameRecording(change, id, String(before.name));
  if (kind === "organizationEdited") await editOrganization(change, before);
  if (kind === "accessKeyEdited") await editAccessKey(change, { ...before, accessKey: id });
  if (kind === "userEdited" && !isRoleOnly(entry)) {
    await editUser(change, { ...before, userId: id, ifMatch: undefined });
  }
};

/** Whether only the role of a person was changed, perhaps together with others. */
const isRoleOnly = ({ kind, before }: Entry): boolean =>
  kind === "userEdited" && Object.keys(before).join() === "role";

/** Takes changes of roles, suspensions and their opposites back, those of a change at once. */
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

/** Takes revocations or reactivations back, those of a change at once: they count together. */
const turnBack = async (
  change: Change,
  kind: UndoableKind,
  touched: readonly Touched[],
): Promise<void> => {
  const turns = touched.flatMap((one): Turn[] => {
    if (one.of !== "user" || one.entry.kind !== kind) return [];
    const { accountSuspended = one.row.account_suspended } = one.entry.before;
    return [{ user: one.row, suspended: accountSuspended === true }];
  });
  if (turns.length > 0) await (kind === "userRevoked" ? restoreAccess : endAccess)(change, turns);
};

/** Takes moves into the bin and out of it back, those of a change at once: they count together. */
const moveBack = async (change: Change, touched: readonly Touched[]): Promise<void> => {
  const rested = touched.flatMap((one) => (one.of === "bin" ? (one.inBin ?? []) : []));
  if (rested.length > 0) await restoreFromBin(change, rested);
  const restored = (kind: UndoableKind) =>
    touched.filter(({ entry }) => entry.kind === kind).map(({ entry }) => entry.id);
  const [rooms, users] = [restored("roomUnbinned"), restored("userUnbinned")];
  if (rooms.length > 0) await binRooms(change, rooms);
  if (users.length > 0) await binUsers(change, users);
};

/**
 * Takes a change back from one of its entries, with all of its entries, if nothing that they
 * touched has changed since. The new entries name those that they take back.
 *
 * @returns the numbers of the entries that were taken back
 * @throws Refusal `entry_not_found`, `undo_impossible`, `changed_since` with each field and its
 *   present value, and whatever the rules that make such changes refuse
 */
export const undoChange = async (
  change: Change,
  { number }: { readonly number: number },
): Promise<readonly number[]> => {
  const entries = await entriesWith(change, number);
  const touched: Touched[] = [];
  for (const entry of entries) touched.push(await touchedBy(change, entry));
  const changed = touched.flatMap((one) =>
    changedSince(one, (field) => (touched.length === 1 ? field : `${one.entry.id}.${field}`)),
  );
  if (changed.length > 0) {
    throw new Refusal("changed_since", changed);
  }
  const numbers = new Map(entries.map((entry) => [entry.id, entry.number]));
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
  await takeBackTogether(undoing, touched);
  for (const kind of ["userRevoked", "userReactivated"] as const) {
    await turnBack(undoing, kind, touched);
  }
  await moveBack(undoing, touched);
  return entries.map((entry) => entry.number);
};
