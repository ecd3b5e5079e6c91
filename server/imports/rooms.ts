import type { operations } from "../../contract/index.ts";
import type { Checked } from "../../contract/kit/operation.ts";
import type { Change } from "../change/organization.ts";
import { refuseField } from "../lib/refusal.ts";
import { roomFacts } from "../records/facts.ts";
import { findRoom } from "../records/room-queries.ts";
import { recordOf, roomOf } from "../records/rooms.ts";
import { createRoom, editRoom } from "../rooms/rooms.ts";
import { type Done, differing, imported } from "./lines.ts";
import { findByEmail } from "./people.ts";
import type { Given } from "./sheets/given.ts";

/** The inputs of importing rooms, besides their lines. */
export interface RoomTools {
  readonly check: {
    readonly createRoom: (raw: unknown) => Promise<Checked<(typeof operations)["createRoom"]>>;
    readonly editRoom: (raw: unknown) => Promise<Checked<(typeof operations)["editRoom"]>>;
  };
}

/** The owners' IDs; a line may name owners by email. */
const ownersById = async (change: Change, owners: unknown): Promise<unknown> => {
  if (typeof owners !== "string" || !owners.includes("@")) return owners;
  const ids: string[] = [];
  for (const owner of owners.split(",").map((one) => one.trim())) {
    const found = owner.includes("@") ? await findByEmail(change, owner) : undefined;
    if (owner.includes("@") && found === undefined) {
      refuseField("roomOwnerId", "unknown_email", { email: owner });
    }
    ids.push(found?.id ?? owner);
  }
  return ids.join(",");
};

/**
 * Carries out a line about a room, by the rules that create and edit.
 *
 * @throws Refusal of these rules, or of a field
 */
export const importRoom = async (
  change: Change,
  { roomOwnerId, ...given }: Given,
  { check }: RoomTools,
): Promise<Done> => {
  const owners = await ownersById(change, roomOwnerId);
  const named = owners === undefined ? {} : { roomOwnerId: owners };
  const { room: id, ...fields } = { ...given, ...named } as Given;
  const { tx, organization } = change;
  const found =
    id === undefined ? undefined : await findRoom(tx, organization.id, String(id).trim());
  if (found === undefined) {
    const record = await createRoom(
      change,
      await check.createRoom({ ...imported(given), ...named }),
    );
    return { outcome: "created", id: JSON.parse(record).room };
  }
  const facts = roomFacts(roomOf({ ...found, record: recordOf(found) }));
  const changes = differing(fields, facts);
  if (Object.keys(changes).length === 0) return { outcome: "same", id: found.room };
  const edit = await check.editRoom({
    roomOwnerId: facts.roomOwnerId,
    ...changes,
    room: found.room,
  });
  await editRoom(change, { ...edit, ifMatch: undefined });
  return { outcome: "changed", id: found.room };
};
