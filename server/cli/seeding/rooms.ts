import type { Insertable } from "kysely";
import type { Room } from "../../../contract/rooms/record.ts";
import type { Change } from "../../change/organization.ts";
import type { NewRoom, RoomOwnersTable } from "../../db/tables.ts";
import { uuid7 } from "../../lib/id.ts";
import { refuse } from "../../lib/refusal.ts";
import { roomColumnsOf } from "../../records/rooms.ts";
import { type Dice, redrawn } from "./dice.ts";
import { type Inserter, inserter, leftOut } from "./insert.ts";
import type { OwnersOf } from "./owners.ts";
import { drawSettings } from "./room-settings.ts";
import { timesOf } from "./times.ts";
import { sites, topics } from "./words/rooms.ts";

export interface RoomSeeding {
  /** Draws the properties of rooms. */
  readonly dice: Dice;
  /** Draws numbers that must be free: drawing one again changes nothing else. */
  readonly numbers: Dice;
  readonly total: number;
  /** In milliseconds since 1970. */
  readonly currentTime: number;
  readonly ownersOf: OwnersOf;
  /** The people who create rooms, besides access keys. */
  readonly creators: readonly string[];
  /** How many rooms of each name there are so far. */
  readonly named: Map<string, number>;
  readonly insertRooms: Inserter<NewRoom>;
  readonly insertOwners: Inserter<Insertable<RoomOwnersTable>>;
}

/** "Quarterly review 417": each name counts its rooms. */
const drawName = ({ dice, named }: RoomSeeding): string => {
  const topic = dice.pick(topics);
  const stem = dice.happens(0.2) ? `${topic} ${dice.pick(sites)}` : topic;
  const number = (named.get(stem) ?? 0) + 1;
  named.set(stem, number);
  return `${stem} ${number}`;
};

interface Drawn {
  readonly id: string;
  readonly createdBy: string | null;
  readonly room: Room;
}

const drawRoom = (index: number, seeding: RoomSeeding): Drawn => {
  const { dice, numbers, currentTime, creators, ownersOf } = seeding;
  const { created, updated } = timesOf(dice, { ...seeding, index });
  return {
    id: uuid7(),
    createdBy: dice.happens(0.5) ? dice.pick(creators) : null,
    room: {
      ...drawSettings(dice, currentTime),
      name: drawName(seeding),
      room: numbers.digits(10),
      owners: ownersOf(dice, index),
      roomStatus: "free",
      totalCallTime: 0,
      createdAt: created,
      updatedAt: updated,
    },
  };
};

export const roomInserter = () =>
  inserter<NewRoom>("rooms", [
    ...(["id", "organization_id", "room", "name", "name_key"] as const),
    ...([
      "order_key",
      "type",
      "state",
      "planned_at",
      "use_key",
      "created_by",
      "created_at",
    ] as const),
    ...(["updated_at", "deleted_at", "form", "record", "extras"] as const),
  ]);

export const ownerInserter = () =>
  inserter<Insertable<RoomOwnersTable>>("room_owners", [
    ...(["user_id", "room_id", "organization_id"] as const),
  ]);

/** More taken numbers in a row than could happen by chance. */
const TRIES = 20;

/** Draws the rooms from one index up to, but not including, another. */
export const drawRooms = (from: number, to: number, seeding: RoomSeeding): readonly Drawn[] =>
  Array.from({ length: to - from }, (_, at) => drawRoom(from + at, seeding));

/**
 * Adds rooms that were drawn.
 *
 * @returns how many owners they have together
 * @throws Refusal `room_limit`
 */
export const addRooms = async (
  { tx, organization }: Change,
  rooms: readonly Drawn[],
  { numbers, insertRooms, insertOwners }: RoomSeeding,
): Promise<number> => {
  const { id: organization_id, max_rooms, used_rooms } = organization;
  const used = used_rooms + rooms.length;
  if (max_rooms !== null && used > max_rooms) refuse("room_limit");
  let left = rooms;
  for (let tries = 0; left.length > 0; tries += 1) {
    if (tries === TRIES) throw new Error(`No free room ID was found in ${TRIES} tries.`);
    if (tries > 0) {
      const free = redrawn(numbers, tries);
      left = left.map((one) => ({ ...one, room: { ...one.room, room: free.digits(10) } }));
    }
    const rows = left.map(({ id, createdBy, room }) => ({
      id,
      organization_id,
      created_by: createdBy,
      deleted_at: null,
      created_at: room.createdAt,
      ...roomColumnsOf(room),
    }));
    const added = await insertRooms(tx, rows);
    if (added === left.length) break;
    const missing = new Set((await leftOut(tx, "rooms", rows)).map(({ id }) => id));
    left = left.filter(({ id }) => missing.has(id));
  }
  const owned = rooms.flatMap(({ id, room }) =>
    room.owners.map((user_id) => ({ user_id, room_id: id, organization_id })),
  );
  await insertOwners(tx, owned);
  await tx
    .updateTable("organizations")
    .set({ used_rooms: used })
    .where("id", "=", organization_id)
    .execute();
  return owned.length;
};
