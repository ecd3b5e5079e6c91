import { sql } from "kysely";
import type { FieldError } from "../../contract/client.ts";
import { prepared } from "../db/prepared.ts";
import type { Change, Queries } from "../organization.ts";
import { activeAmong } from "../users/queries.ts";
import { withoutOwners } from "./stored.ts";

/**
 * What is wrong with newly named owners; those that a room already has are always accepted. It
 * tells the place and not the ID: an unknown account and one of another organization are answered
 * alike.
 */
export const ownerErrors = async (
  db: Queries,
  organizationId: string,
  owners: readonly string[],
  current: readonly string[] = [],
): Promise<readonly FieldError[]> => {
  const field = "roomOwnerId";
  if (owners.length === 0 && current.length > 0) {
    return [{ field, message: `${field} is required.` }];
  }
  const named = owners.filter((owner) => !current.includes(owner));
  const active = await activeAmong(db, organizationId, named);
  const wrong = owners.findIndex((owner) => named.includes(owner) && !active.has(owner));
  if (wrong === -1) return [];
  const place = owners.length === 1 ? "" : ` (number ${wrong + 1} of ${owners.length} does not)`;
  const phrase = `must name accounts of the organization that are not revoked${place}`;
  return [{ field, message: `${field} ${phrase}` }];
};

interface Owned {
  readonly organizationId: string;
  readonly roomId: string;
  readonly owners: readonly string[];
}

const insertOwners = prepared<null, Owned, never>((tx, _, { organizationId, roomId, owners }) =>
  tx
    .insertInto("room_owners")
    .values(
      owners.map((user_id) => ({ user_id, room_id: roomId, organization_id: organizationId })),
    ),
);

/** Stores the owners of a room that has none yet. */
export const addOwners = async (
  { tx, organization }: Pick<Change, "tx" | "organization">,
  roomId: string,
  owners: readonly string[],
): Promise<void> => {
  if (owners.length === 0) return;
  await insertOwners(tx, null, { organizationId: organization.id, roomId, owners });
};

/** Replaces the owners of a room. */
export const replaceOwners = async (
  change: Pick<Change, "tx" | "organization">,
  roomId: string,
  owners: readonly string[],
): Promise<void> => {
  await change.tx.deleteFrom("room_owners").where("room_id", "=", roomId).execute();
  await addOwners(change, roomId, owners);
};

/** How many rooms one change takes from former owners: other changes run in between. */
export const MENDED = 50;

/**
 * Removes people who are deleted for good as owners of up to `MENDED` rooms. The rooms stay, with
 * their other owners.
 */
export const dropOwners = async (
  tx: Queries,
  organizationId: string,
  userIds: readonly string[],
): Promise<void> => {
  const owned = await tx
    .selectFrom("room_owners")
    .select("room_id")
    .where("organization_id", "=", organizationId)
    .where("user_id", "in", userIds)
    .limit(MENDED)
    .execute();
  if (owned.length === 0) return;
  const ids = [...new Set(owned.map(({ room_id }) => room_id))];
  const rooms = await tx
    .selectFrom("rooms")
    .select(["id", "record"])
    .where("id", "in", ids)
    .execute();
  const mended = rooms.map(
    ({ id, record }) => sql`(${id}, ${withoutOwners(record, userIds.join(","))})`,
  );
  await sql`
    update rooms set record = mended.column2 from (values ${sql.join(mended)}) as mended
    where rooms.id = mended.column1`.execute(tx);
  await tx
    .deleteFrom("room_owners")
    .where("room_id", "in", ids)
    .where("user_id", "in", userIds)
    .execute();
};
