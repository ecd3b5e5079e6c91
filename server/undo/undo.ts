import type { FieldError } from "../../contract/client.ts";
import { isUndoable, type UndoableKind } from "../../contract/history.ts";
import { initialOrganizationSettings } from "../../contract/organization-settings.ts";
import { editAccessKey } from "../access/access-keys.ts";
import { binRooms, binUsers, restoreFromBin } from "../bin/bin.ts";
import type { HistoryRow } from "../db/history-tables.ts";
import { CONCEALED } from "../history/keep.ts";
import { keptSince } from "../history/retention.ts";
import { type Change, renewed } from "../organization.ts";
import { editOrganization } from "../organizations/settings.ts";
import { renameRecording } from "../recordings/library.ts";
import { Refusal, refuse } from "../refusal.ts";
import { editRoom } from "../rooms/rooms.ts";
import { roomOf } from "../rooms/stored.ts";
import { endAccess, restoreAccess, setSuspension, type Turn } from "../users/accounts.ts";
import { setRoles } from "../users/bulk.ts";
import { editUser } from "../users/edit.ts";
import { PLANS, reasons } from "./reasons.ts";
import { changedSince, type Entry, secretsOf, type Touched, touchedBy } from "./touched.ts";

/*
 * A change is taken back by the same rules that make changes, so limits, tokens, meetings and
 * counters follow as always. It runs under the organization's row: of two who take the same change
 * back at once, the second finds what it touched changed.
 */

const impossible = (reason: string, errors: readonly FieldError[] = []): never => {
  throw new Refusal("undo_impossible", errors, reason);
};

const entryOf = ({ number, kind, subject_id, facts }: HistoryRow): Entry => {
  if (!isUndoable(kind)) return impossible(reasons[kind]);
  if (facts === null) return impossible("What was before is erased.");
  const { name, before, after } = JSON.parse(facts);
  if (Object.keys(before).length === 0) return impossible("This edit changed nothing.");
  if (kind === "organizationEdited") {
    const isSetting = (field: string) => field in initialOrganizationSettings;
    if (!Object.keys(before).every(isSetting)) return impossible(PLANS);
  }
  // One that was not set before is taken back by removing it.
  const secrets = secretsOf({ kind, before }).filter((key) => before[key] === CONCEALED);
  if (secrets.length > 0) {
    impossible(
      "A password, a key or an address that may hold one is not kept, so this edit cannot be taken back.",
      secrets.map((field) => ({ field, message: `${field} is not kept in the history.` })),
    );
  }
  return { number, kind, id: subject_id, name, before, after };
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
    await editUser(await renewed(change), { ...before, userId: id, ifMatch: undefined });
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
  if (users.length > 0) await binUsers(change, users, (index) => users[index] ?? "");
};

/** Entries in the order in which they are taken back: of each thing one at a time, the last one first. */
const roundsOf = (entries: readonly Entry[]): readonly (readonly Entry[])[] => {
  const rounds: Entry[][] = [];
  const taken = new Map<string, number>();
  for (const entry of entries.toReversed()) {
    const round = taken.get(entry.id) ?? 0;
    taken.set(entry.id, round + 1);
    rounds[round] = [entry, ...(rounds[round] ?? [])];
  }
  return rounds;
};

/** Takes some entries back, of each thing one. */
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
  const touch = async (some: readonly Entry[]): Promise<readonly Touched[]> => {
    const touched: Touched[] = [];
    for (const entry of some) touched.push(await touchedBy(change, entry));
    return touched;
  };
  const changed = await changedSince(change, await touch(entries));
  if (changed.length > 0) {
    throw new Refusal("changed_since", changed);
  }
  // Each round finds what the one before has left.
  for (const round of roundsOf(entries)) await takeRoundBack(change, await touch(round));
  return entries.map((entry) => entry.number);
};
