import { settingsOf } from "../../contract/kit/organization-settings.ts";
import { roomName } from "../../contract/rooms/record.ts";
import { createRoom as createContract } from "../../contract/rooms/rooms.ts";
import { suggestedSettings } from "../../contract/rooms/settings.ts";
import type { Change } from "../change/organization.ts";
import { refuse } from "../lib/refusal.ts";
import { findRoom } from "../records/room-queries.ts";
import { recordOf } from "../records/rooms.ts";
import { userOf } from "../records/user-queries.ts";
import { createRoom } from "./rooms.ts";

/** The first of these that a room may have: names of people may be older than the rules for both. */
const nameFor = (person: string): string =>
  [`${person}'s room`, person].find((name) => roomName.safeParse(name).success) ?? "Personal room";

/**
 * The caller's personal room, which is made when it is first used, and again when it was deleted or handed
 * over. The organization's lock keeps two requests from making two.
 *
 * @returns its record as it is answered
 * @throws Refusal `not_allowed` where owners may not create rooms, `account_required`, `room_limit`
 */
export const openPersonalRoom = async (change: Change): Promise<string> => {
  const { tx, organization, caller } = change;
  const user = await userOf(change, caller.userId ?? refuse("account_required"));
  if (!caller.admin && settingsOf(organization).ownersMay !== "create") refuse("not_allowed");
  const kept = await tx
    .selectFrom("rooms as r")
    .innerJoin("room_owners as o", "o.room_id", "r.id")
    .select("r.room")
    .where("r.organization_id", "=", organization.id)
    .where("r.id", "=", user.personal_room ?? "")
    .where("r.deleted_at", "is", null)
    .where("o.user_id", "=", user.id)
    .executeTakeFirst();
  const found = kept && (await findRoom(tx, organization.id, kept.room));
  if (found) return recordOf(found);
  const record = await createRoom(
    change,
    createContract.input.parse({
      ...suggestedSettings,
      name: nameFor(user.name),
      roomOwnerId: user.id,
    }),
  );
  await tx
    .updateTable("users")
    .set(({ selectFrom }) => ({
      personal_room: selectFrom("rooms")
        .select("id")
        .where("organization_id", "=", organization.id)
        .where("room", "=", JSON.parse(record).room),
    }))
    .where("id", "=", user.id)
    .execute();
  return record;
};
