import type { Change } from "../../server/change/organization.ts";
import { naturalKey } from "../../server/lib/fold.ts";
import { createPerson } from "./people.ts";
import type { ConsoleService } from "./service.ts";

const CHUNK = 500;

/** The columns in which copies of a row must differ. */
type Own = (index: number) => Readonly<Record<string, string | number>>;

const copies = async (
  { tx }: Change,
  table: "users" | "rooms",
  template: object,
  count: number,
  own: Own,
): Promise<void> => {
  for (let from = 0; from < count; from += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, count - from) }, (_, index) => ({
      ...template,
      ...own(from + index),
    }));
    await tx
      .insertInto(table)
      .values(rows as never)
      .execute();
  }
};

const idOf = (kind: number, index: number): string =>
  `01900000-0000-7000-8${kind}00-${String(index).padStart(12, "0")}`;

/**
 * Fills an organization with rooms and people, each room owned by one of them. Written directly to the
 * database: through the interface every person would cost a password hash.
 */
export const fill = async (service: ConsoleService, count: number): Promise<void> => {
  const first = await createPerson(service, "Person 00000");
  const { roomSetting } = await service.client.createRoom({
    name: "Room 00000",
    roomOwnerId: first.id,
  });
  await service.change(async (change) => {
    const { tx, organization } = change;
    const user = await tx
      .selectFrom("users")
      .selectAll()
      .where("id", "=", first.id)
      .executeTakeFirstOrThrow();
    const room = await tx
      .selectFrom("rooms")
      .selectAll()
      .where("room", "=", roomSetting.room)
      .executeTakeFirstOrThrow();
    const named = (kind: string, index: number) => `${kind} ${String(index + 1).padStart(5, "0")}`;
    await copies(change, "users", user, count, (index) => {
      const name = named("Person", index);
      const email = `many.${index}@example.org`;
      return {
        id: idOf(1, index),
        name,
        name_key: name.toLowerCase(),
        email,
        email_key: email,
        email_fold: email,
        username: `many_${index}`,
        profile_id: String(5_000_000_000 + index),
      };
    });
    await copies(change, "rooms", room, count, (index) => {
      const name = named("Room", index);
      const id = String(8_000_000_000 + index);
      const record = { ...JSON.parse(room.record), name, room: id, roomOwnerId: idOf(1, index) };
      return {
        id: idOf(2, index),
        name,
        name_key: name.toLowerCase(),
        order_key: naturalKey(name),
        room: id,
        record: JSON.stringify(record),
      };
    });
    for (let from = 0; from < count; from += CHUNK) {
      const rows = Array.from({ length: Math.min(CHUNK, count - from) }, (_, index) => ({
        organization_id: organization.id,
        room_id: idOf(2, from + index),
        user_id: idOf(1, from + index),
      }));
      await tx.insertInto("room_owners").values(rows).execute();
    }
    const byRole = (JSON.parse(organization.users_by_role) as [string, number, number][]).map(
      ([role, active, revoked]) => [role, role === user.role ? active + count : active, revoked],
    );
    await tx
      .updateTable("organizations")
      .set({
        used_rooms: organization.used_rooms + count,
        used_users: organization.used_users + count,
        users_by_role: JSON.stringify(byRole),
      })
      .where("id", "=", organization.id)
      .execute();
  });
};
