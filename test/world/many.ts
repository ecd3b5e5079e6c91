// Many rooms and people, written at once: creating them one by one would take longer than the test.
import { emailKey } from "../../contract/kit/fields.ts";
import { initialUserSettings } from "../../contract/people/settings.ts";
import { presentRoom, ROOM_FORM, type Room, readRoom } from "../../contract/rooms/record.ts";
import { fold } from "../../server/lib/fold.ts";
import { uuid7 } from "../../server/lib/id.ts";
import { listedBy } from "../../server/records/rooms.ts";
import { storedSettings } from "../../server/records/user-columns.ts";
import { recount } from "../../server/records/user-counters.ts";
import { tenDigits } from "../../server/users/create.ts";
import type { TestOrganization } from "./tenant.ts";

type Organization = Pick<TestOrganization, "change">;

/**
 * Divides rows into pieces: the number of values in a statement and the duration of a change are limited.
 */
const piecesOf = function* <T>(rows: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
};

/** The ID of the room with this number, from 0. */
export const roomAt = (index: number): string => `many-${index}`;

/**
 * Adds rooms with these names in turn, which these people own together; the first person created them.
 *
 * @returns the room IDs, oldest first, each with its name
 */
export const addRooms = async (
  { change }: Organization,
  many: number,
  names: readonly string[],
  owners: readonly string[],
  settings: Partial<Room> = {},
): Promise<ReadonlyMap<string, string>> => {
  const records = Array.from({ length: many }, (_, n) => {
    // Four per moment, so that equal times occur too.
    const at = new Date(Date.UTC(2026, 0, 1) + Math.floor(n / 4)).toISOString();
    const known = { name: names[n % names.length] ?? "", room: roomAt(n) };
    const stored = JSON.stringify({ ...settings, ...known, roomOwnerId: owners.join(",") });
    const times = { totalCallTime: 0, createdAt: at, updatedAt: at };
    return presentRoom({ ...readRoom(stored, "{}"), roomStatus: "free", ...times });
  });
  const add = (some: readonly (typeof records)[number][]) =>
    change(async ({ tx, organization }) => {
      const organization_id = organization.id;
      for (const piece of piecesOf(some, 100)) {
        const rows = piece.map((record) => ({
          id: uuid7(),
          organization_id,
          room: record.room,
          name: record.name,
          name_key: fold(record.name),
          ...listedBy(readRoom(JSON.stringify(record), "{}")),
          created_by: owners[0] ?? null,
          deleted_at: null,
          created_at: record.createdAt,
          updated_at: record.updatedAt,
          form: ROOM_FORM,
          extras: "{}",
          record: JSON.stringify(record),
        }));
        await tx.insertInto("rooms").values(rows).execute();
        const owned = rows.flatMap(({ id: room_id }) =>
          owners.map((user_id) => ({ user_id, room_id, organization_id })),
        );
        await tx.insertInto("room_owners").values(owned).execute();
      }
      await tx
        .updateTable("organizations")
        .set((eb) => ({ used_rooms: eb("used_rooms", "+", some.length) }))
        .where("id", "=", organization_id)
        .execute();
    });
  for (const some of piecesOf(records, 500)) await add(some);
  return new Map(records.map(({ room, name }) => [room, name]));
};

/** The properties of a person that a test adds. */
interface Added {
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly location: string;
}

/** The row of a created person, except for the slow digest of a password. */
const personRow = (organization_id: string, now: string, more: Partial<Added>) => {
  // Not the ID, and without underscores: tests search for IDs and wildcards, and must not find this.
  const unique = uuid7();
  const added = { email: `${unique}@example.org`, name: "Ann Lee", role: "moderator", ...more };
  const { email, name, role, location = null } = added;
  return {
    ...storedSettings({ ...initialUserSettings, role, location }),
    id: uuid7(),
    organization_id,
    email,
    name,
    email_key: emailKey(email) ?? "",
    email_fold: fold(email),
    name_key: fold(name),
    username: unique.replaceAll("-", ""),
    profile_id: tenDigits(),
    account_suspended: false,
    account_deleted: false,
    password_digest: "",
    credentials: 1,
    created_at: now,
    updated_at: now,
  };
};

/** Adds people without passwords and emails; returns their IDs. */
export const addPeople = ({ change }: Organization, people: readonly Partial<Added>[]) =>
  change(async (begun): Promise<string[]> => {
    const rows = people.map((more) => personRow(begun.organization.id, begun.now, more));
    for (const piece of piecesOf(rows, 100))
      await begun.tx.insertInto("users").values(piece).execute();
    await recount(
      begun,
      rows.map(({ role }) => ({ role, revoked: false, by: 1 })),
    );
    return rows.map(({ id }) => id);
  });
