import type { Reply } from "../../contract/kit/operation.ts";
import type { deleteRooms as contract } from "../../contract/rooms/bulk.ts";
import { type Change, renewed } from "../change/organization.ts";
import { withEach } from "../rooms/bulk.ts";
import { deleteRoom } from "../rooms/delete.ts";
import { binRooms, hasBin } from "./bin.ts";

/** Deletes several rooms: into the bin, or permanently if the organization has none. */
export const deleteRooms = async (
  change: Change,
  rooms: readonly string[],
): Promise<Omit<Reply<typeof contract>, "success">> => {
  const inUse: string[] = [];
  const { done: deleted, ...more } = await withEach(
    change,
    rooms,
    { kind: "roomsDeleted", after: {} },
    async (one, room) => {
      // Each deletion counts from the counters that the previous one left.
      const next = await renewed(one);
      if (hasBin(change)) inUse.push(...(await binRooms(next, [room])).inUse);
      else if ((await deleteRoom(next, room)).waits) inUse.push(room);
    },
  );
  return { deleted, inUse, ...more };
};
