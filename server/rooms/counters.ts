import type { Lookup } from "../db/lookup.ts";
import { prepared } from "../db/prepared.ts";
import type { OrganizationRow } from "../db/tables.ts";
import { newVersion } from "../id.ts";
import type { Change } from "../organization.ts";
import { noteMove, type Sorted } from "./moves.ts";
import { formerOwners } from "./stored.ts";

interface Counted extends Pick<OrganizationRow, "id" | "used_rooms" | "rooms_version"> {
  readonly former: string | null;
}

/** How many rooms an organization has, the version of their lists, and former owners. */
export const byOrganization: Lookup<Counted> = {
  parts: 1,
  keyOf: ({ id }) => [id],
  query: (db, id) =>
    db
      .selectFrom("organizations")
      .select(["id", "used_rooms", "rooms_version"])
      .select(formerOwners("organizations.id").as("former"))
      .where(id("id")),
};

const saveCounters = prepared<
  null,
  { readonly id: string; readonly used: number; readonly version: number },
  never
>((tx, _, { id, used, version }) =>
  tx
    .updateTable("organizations")
    .set({ used_rooms: used, rooms_version: version })
    .where("id", "=", id),
);

/** What is noted of a room, and not its long texts. */
const sortedOf = ({ id, name_key, created_at, updated_at }: Sorted): Sorted => ({
  id,
  name_key,
  created_at,
  updated_at,
});

/**
 * Keeps the organization's counter in step, and tells the lists of rooms how they changed. Once in
 * a change: the organization's row is the one that was taken at its beginning.
 *
 * @param before the room as it was, undefined for a new one
 * @param after the room as it is now, undefined for one that is gone
 */
export const countRooms = async (
  { tx, organization: { id, used_rooms, rooms_version } }: Change,
  before: Sorted | undefined,
  after: Sorted | undefined,
): Promise<void> => {
  const version = newVersion();
  noteMove(id, rooms_version, {
    to: version,
    before: before && sortedOf(before),
    after: after && sortedOf(after),
  });
  await saveCounters(tx, null, {
    ...{ id, version },
    used: used_rooms + (after ? 1 : 0) - (before ? 1 : 0),
  });
};
