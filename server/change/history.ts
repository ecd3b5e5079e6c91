import { hash, randomBytes } from "node:crypto";
import type { HistoryKind } from "../../contract/history/history.ts";
import { CONCEALED } from "../../contract/kit/secrets.ts";
import type { HistoryRow } from "../db/history-tables.ts";
import { piecesOf } from "../db/pieces.ts";
import { prepared } from "../db/prepared.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import type { OrganizationRow, RoomRow, UserRow } from "../db/tables.ts";
import { fold } from "../lib/fold.ts";
import { uuid7 } from "../lib/id.ts";
import type { Caller, ChangeContext } from "./context.ts";

/*
 * The history is written in the change that it describes, under the organization's row. Each entry
 * carries the digest of the one before, and the row has the digest of the last: an entry that is
 * removed, added or altered behind the service's back breaks the chain (0031). The chain covers
 * digests of the data about people, not the texts, so that these can be erased.
 */

/** Settings by their names. */
export type Facts = Readonly<Record<string, unknown>>;

/** Something that happened in a change. */
export interface Happened {
  readonly kind: HistoryKind;
  readonly subject: {
    readonly kind: HistoryRow["subject_kind"];
    readonly id: string;
    readonly name: string;
    /** The room ID of the interface, for everything that belongs to a room. */
    readonly room?: string;
  };
  /** The actor, if that is not the caller: somebody in a meeting, or the person who requested it. */
  readonly by?: Pick<Caller, "userId" | "name"> & Partial<Pick<Caller, "accessKey" | "isService">>;
  /** Only what changed (`changedFacts`); omitted: there was nothing before, or it is not kept. */
  readonly before?: Facts;
  readonly after?: Facts;
  /** The number of the entry that this takes back. */
  readonly undoes?: number;
  /** The number of the entry that stands for the whole of which this is a part. */
  readonly partOf?: number | null;
}

/** A person as the history names them. */
export const userSubject = ({ id, name }: Pick<UserRow, "id" | "name">): Happened["subject"] => ({
  kind: "user",
  id,
  name,
});

/** A room as the history names it. */
export const roomSubject = ({
  room,
  name,
}: Pick<RoomRow, "room" | "name">): Happened["subject"] => ({
  kind: "room",
  id: room,
  name,
  room,
});

/** A recording as the history names it, with the room ID of its room. */
export const recordingSubject = ({
  id,
  name,
  room,
}: Pick<RecordingRow, "id" | "name"> & Pick<RoomRow, "room">): Happened["subject"] => ({
  kind: "recording",
  id,
  name,
  room,
});

/** Returns whether a setting has a value; an empty text or list is none. */
const isSet = (value: unknown): boolean => String(value ?? "") !== "";

const conceal = (facts: Facts, secrets: ReadonlySet<string>): Facts =>
  Object.fromEntries(
    Object.entries(facts).map(([key, value]) => [
      key,
      secrets.has(key) && isSet(value) ? CONCEALED : value,
    ]),
  );

/** All facts, without their secrets. */
export const allFacts = (facts: Facts, secrets: ReadonlySet<string> = new Set()): Facts =>
  conceal(facts, secrets);

/** The facts that differ, as they were and as they are, without their secrets. */
export const changedFacts = (
  before: Facts,
  after: Facts,
  secrets: ReadonlySet<string> = new Set(),
): { readonly before: Facts; readonly after: Facts } => {
  const keys = Object.keys({ ...before, ...after }).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  const pick = (facts: Facts) => Object.fromEntries(keys.map((key) => [key, facts[key] ?? null]));
  return { before: conceal(pick(before), secrets), after: conceal(pick(after), secrets) };
};

const actorOf = ({
  userId,
  accessKey,
  admin,
  isService,
}: Caller): Pick<HistoryRow, "actor_kind" | "actor_id"> => {
  if (userId !== null) return { actor_kind: "user", actor_id: userId };
  if (accessKey !== null) return { actor_kind: "accessKey", actor_id: accessKey };
  if (isService) return { actor_kind: "service", actor_id: null };
  return { actor_kind: admin ? "operator" : "anyone", actor_id: null };
};

/** The number that the first entry of a change gets. */
export const firstNumber = ({ organization }: Pick<ChangeContext, "organization">): number =>
  organization.history_number + 1;

/**
 * A text that can be erased, and its digest. The text has a salt, so that the digest reveals nothing
 * about it.
 */
const erasable = (content: object): { readonly text: string; readonly digest: string } => {
  const text = JSON.stringify({ ...content, salt: randomBytes(16).toString("base64url") });
  return { text, digest: hash("sha256", text) };
};

/** The content that the digest of an entry covers, in addition to the entry before. */
export type ChainedEntry = Omit<
  HistoryRow,
  "organization_id" | "who" | "facts" | "actor_key" | "subject_key" | "room" | "digest"
>;

/** The digest of an entry. */
export const linkOf = (before: string, entry: ChainedEntry): string =>
  hash(
    "sha256",
    JSON.stringify([
      before,
      entry.number,
      entry.at,
      entry.kind,
      entry.change_id,
      entry.actor_kind,
      entry.actor_id,
      entry.subject_kind,
      entry.subject_id,
      entry.who_digest,
      entry.facts_digest,
      // Only where there is one: entries from before 0009 and 0016 keep their digests.
      ...(entry.undoes === null && entry.part_of === null ? [] : [entry.undoes]),
      ...(entry.part_of === null ? [] : [entry.part_of]),
    ]),
  );

const insertEntry = prepared<null, HistoryRow, never>((tx, _, row) =>
  tx.insertInto("history").values(row),
);

interface End {
  readonly id: string;
  readonly number: number;
  readonly digest: string;
}
const moveEnd = prepared<null, End, never>((tx, _, { id, number, digest }) =>
  tx
    .updateTable("organizations")
    .set({ history_number: number, history_digest: digest })
    .where("id", "=", id),
);

/** The most rows of one statement: SQLite takes 32,766 values. */
const PIECE = 500;

/**
 * Sends the entries of the history that say what happened in a change.
 *
 * @returns where the history ends now
 */
export const keepHistory = (
  {
    tx,
    send,
    organization,
    caller,
    now,
    address,
  }: Pick<ChangeContext, "tx" | "send" | "caller" | "now" | "address"> & {
    readonly organization: Pick<OrganizationRow, "id" | "history_number" | "history_digest">;
  },
  happened: readonly Happened[],
): Pick<OrganizationRow, "history_number" | "history_digest"> => {
  if (happened.length === 0) return organization;
  const change_id = uuid7();
  let { history_number: number, history_digest: digest } = organization;
  const rows = happened.map(({ kind, subject, by, ...more }): HistoryRow => {
    number += 1;
    const { before = null, after = null, undoes = null, partOf: part_of = null } = more;
    const actor = by === undefined ? caller : { ...caller, ...by };
    const who = erasable({ name: actor.name, address: actor.isService ? null : address });
    const { name, room } = subject;
    const facts = erasable({ name, room, before, after });
    const row = {
      organization_id: organization.id,
      at: now,
      change_id,
      number,
      kind,
      undoes,
      part_of,
      ...actorOf(actor),
      actor_key: fold(actor.name),
      who: who.text,
      who_digest: who.digest,
      subject_kind: subject.kind,
      subject_id: subject.id,
      facts: facts.text,
      facts_digest: facts.digest,
      subject_key: fold(name),
      room: room ?? null,
    };
    digest = linkOf(digest, row);
    return { ...row, digest };
  });
  if (rows.length === 1 && rows[0]) send(insertEntry.statement(tx, null, rows[0]));
  else {
    for (const piece of piecesOf(rows, PIECE)) {
      send(tx.insertInto("history").values(piece).compile());
    }
  }
  send(moveEnd.statement(tx, null, { id: organization.id, number, digest }));
  return { history_number: number, history_digest: digest };
};
