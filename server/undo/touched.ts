import type { BinKind } from "../../contract/bin.ts";
import type { FieldError } from "../../contract/client.ts";
import { sayNow, type UndoableKind } from "../../contract/history.ts";
import { settingsOf } from "../../contract/organization-settings.ts";
import { findAccessKey, keyFacts } from "../access/access-keys.ts";
import { findInBin } from "../bin/bin.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import type { AccessKeyRow, OrganizationRow, RoomRow, UserRow } from "../db/tables.ts";
import { allFacts, type Facts } from "../history/keep.ts";
import type { Change } from "../organization.ts";
import { findRecording } from "../recordings/library.ts";
import { refuse } from "../refusal.ts";
import { factsOf as roomFacts, roomSecrets } from "../rooms/facts.ts";
import { findRoom } from "../rooms/queries.ts";
import { roomOf } from "../rooms/stored.ts";
import { factsOf as userFacts } from "../users/facts.ts";
import { findUser } from "../users/queries.ts";

/* What the entries of a change touched, and whether that is still as they left it. */

/** An entry that can be taken back. */
export interface Entry {
  readonly number: number;
  readonly kind: UndoableKind;
  readonly id: string;
  /** The name of what was changed, as the history has it. */
  readonly name: string;
  readonly before: Facts;
  readonly after: Facts;
}

/** An entry, and what it is about, as it is now. */
export type Touched = { readonly entry: Entry } & (
  | { readonly of: "room"; readonly row: RoomRow }
  | { readonly of: "user"; readonly row: UserRow }
  | { readonly of: "accessKey"; readonly row: AccessKeyRow }
  | { readonly of: "organization"; readonly row: OrganizationRow }
  | { readonly of: "recording"; readonly row: Pick<RecordingRow, "id" | "name"> }
  /** The entry of the bin; undefined: it is not in the bin. */
  | { readonly of: "bin"; readonly inBin: string | undefined }
);

/** The secret settings that an edit set, replaced or removed. */
export const secretsOf = ({ kind, before }: Pick<Entry, "kind" | "before">): readonly string[] =>
  kind === "roomEdited" ? Object.keys(before).filter((key) => roomSecrets.has(key)) : [];

/** What was moved into the bin or out of it. */
const movedThings: { readonly [K in UndoableKind]?: BinKind } = {
  ...{ roomBinned: "room", roomUnbinned: "room", userBinned: "user", userUnbinned: "user" },
};

/** Finds what an entry is about. @throws Refusal where it is no longer there */
export const touchedBy = async (change: Change, entry: Entry): Promise<Touched> => {
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
  if (touched.of === "room") return allFacts(roomFacts(roomOf(touched.row)), roomSecrets);
  if (touched.of === "organization") return { ...settingsOf(touched.row) };
  if (touched.of === "accessKey") return keyFacts(touched.row);
  if (touched.of === "recording") return { name: touched.row.name };
  if (touched.of === "bin") return { inBin: touched.inBin !== undefined };
  const { account_suspended: accountSuspended, account_deleted: accountDeleted } = touched.row;
  return { ...userFacts(touched.row), accountSuspended, accountDeleted };
};

/** The secret settings that an entry set and later edits touched: their values are in no history. */
const touchedSecrets = async (
  { tx, organization }: Change,
  entry: Entry,
): Promise<ReadonlySet<string>> => {
  const secrets = secretsOf(entry);
  if (secrets.length === 0) return new Set();
  const later = await tx
    .selectFrom("history")
    .select("facts")
    .where("organization_id", "=", organization.id)
    .where("subject_id", "=", entry.id)
    .where("number", ">", entry.number)
    .where("kind", "=", "roomEdited")
    .execute();
  const edited = later.flatMap(({ facts }) => Object.keys(JSON.parse(facts ?? "{}").after ?? {}));
  return new Set(edited.filter((field) => secrets.includes(field)));
};

/** What is no longer as the change left it, each with its present value. */
export const changedSince = async (
  change: Change,
  all: readonly Touched[],
): Promise<readonly FieldError[]> => {
  const left = new Map<string, number>();
  for (const { entry } of all) {
    for (const field of Object.keys(entry.after)) left.set(`${entry.id} ${field}`, entry.number);
  }
  const changed: FieldError[] = [];
  for (const touched of all) {
    const { entry } = touched;
    const present = presentFacts(touched);
    const replaced = await touchedSecrets(change, entry);
    for (const [field, value] of Object.entries(entry.after)) {
      // What the same change set once more, a later entry tells.
      if (left.get(`${entry.id} ${field}`) !== entry.number) continue;
      const now = present[field] ?? null;
      if (JSON.stringify(now) === JSON.stringify(value) && !replaced.has(field)) continue;
      changed.push(
        all.length === 1
          ? { field, message: sayNow(field, now) }
          : { field: `${entry.id}.${field}`, message: sayNow(field, now, entry.name) },
      );
    }
  }
  return changed;
};
