import type { Checked, Reply } from "../../contract/kit/operation.ts";
import { peerTypes } from "../../contract/kit/plain.ts";
import { errorOf } from "../../contract/kit/reasons.ts";
import type {
  editRooms as editContract,
  findRoomsInUse,
  RefusedRooms,
} from "../../contract/rooms/bulk.ts";
import { allFacts, type Facts, firstNumber, type Happened } from "../change/history.ts";
import type { Change, Organization } from "../change/organization.ts";
import { asPart } from "../change/organization.ts";
import { asksForProof } from "../change/proof.ts";
import { Refusal, refuse } from "../lib/refusal.ts";
import { roomSecrets } from "../records/facts.ts";
import { findRoom, isOwner } from "../records/room-queries.ts";
import { roomOf } from "../records/rooms.ts";
import { editRoom } from "./rooms.ts";

/** The results for several rooms. */
interface Several {
  readonly done: string[];
  readonly refused: RefusedRooms;
  /** The number of the entry for all of them; null if every room was refused. */
  readonly entry: number | null;
}

/**
 * Applies a rule to several rooms. A refused room stays as it is, because a rule refuses before it
 * writes. The history gets one entry, of which the others are parts.
 */
export const withEach = async (
  change: Change,
  rooms: readonly string[],
  { kind, after }: { readonly kind: "roomsEdited" | "roomsDeleted"; readonly after: Facts },
  rule: (change: Change, room: string) => Promise<void>,
): Promise<Several> => {
  const parts: Happened[] = [];
  const collecting: Change = { ...change, happened: (...what) => parts.push(...what) };
  const [done, refused]: [string[], RefusedRooms] = [[], []];
  for (const room of rooms) {
    try {
      await rule(collecting, room);
      done.push(room);
    } catch (error) {
      if (!(error instanceof Refusal) || asksForProof(error)) throw error;
      const { code, message, errors } = error;
      refused.push({
        room,
        code,
        message,
        ...(errors.length > 0 && { errors: errors.map(errorOf) }),
      });
    }
  }
  if (parts.length === 0) return { done, refused, entry: null };
  const { id, name } = change.organization;
  const subject = { kind: "organization", id, name } as const;
  const entry = firstNumber(change);
  change.happened({
    kind,
    subject,
    after: allFacts({ rooms: done.length, ...after }, roomSecrets),
  });
  asPart(change, entry).happened(...parts);
  return { done, refused, entry };
};

/** Edits several rooms alike; without `owners`, each keeps its own. */
export const editRooms = async (
  change: Change,
  { rooms, owners, changes }: Checked<typeof editContract>,
  note: (text: string) => void,
): Promise<Omit<Reply<typeof editContract>, "success">> => {
  const supplied = Object.entries(changes).filter(([, value]) => value !== undefined);
  const after = {
    ...Object.fromEntries(supplied),
    ...(owners && { roomOwnerId: owners.join(",") }),
  };
  const { done: edited, ...more } = await withEach(
    change,
    rooms,
    { kind: "roomsEdited", after },
    async (one, room) => {
      const row = (await findRoom(one.tx, one.organization.id, room)) ?? refuse("room_not_found");
      const kept = owners ?? roomOf(row).owners;
      await editRoom(one, { room, owners: [...kept], changes, ifMatch: undefined }, note);
    },
  );
  return { edited, ...more };
};

/** The rooms in use that the caller sees: since when, and with how many people inside. */
export const inUse = async (
  { id, read, caller }: Organization,
  rooms: readonly string[],
): Promise<Reply<typeof findRoomsInUse>["rooms"]> => {
  const rows = await read
    .selectFrom("rooms as r")
    .innerJoin("meetings as m", "m.room_id", "r.id")
    .innerJoin("seats as s", "s.meeting_id", "m.id")
    .select(({ fn }) => [
      "r.room",
      "m.started_at as since",
      fn.countAll<number | string>().as("inside"),
    ])
    .where("r.organization_id", "=", id)
    .where("r.room", "in", rooms)
    .where("r.deleted_at", "is", null)
    .where("m.ended_at", "is", null)
    .where("m.started_at", "is not", null)
    .where("s.left_at", "is", null)
    .where("s.state", "in", ["inside", "away"])
    .where("s.role", "in", peerTypes)
    .$if(!caller.admin, (query) => query.where(isOwner(caller.userId)))
    .groupBy(["r.room", "m.started_at"])
    .execute();
  return rows.map(({ room, since, inside }) => ({
    room,
    since: since ?? "",
    inside: Number(inside),
  }));
};
