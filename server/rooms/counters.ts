import { prepared } from "../db/prepared.ts";
import type { Change } from "../organization.ts";

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

/** Keeps the organization's counter in step, and tells the lists of rooms that they changed. */
export const countRooms = async ({ tx, organization }: Change, by: 1 | 0 | -1): Promise<void> => {
  await saveCounters(tx, null, {
    id: organization.id,
    used: organization.used_rooms + by,
    version: organization.rooms_version + 1,
  });
};
