import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Reply } from "../../contract/kit/operation.ts";
import type { findRoomsInUse } from "../../contract/rooms/bulk.ts";
import { parley } from "../kit/client.ts";

/** Since when a room is in use, and how many people are inside. */
export type InUse = Reply<typeof findRoomsInUse>["rooms"][number];

const LOOK_MS = 5_000;

/** Rooms in use by their IDs, kept up to date. */
export const useRoomsInUse = (ids: readonly string[]): ReadonlyMap<string, InUse> | undefined =>
  useQuery({
    queryKey: ["rooms in use", ids],
    queryFn: async ({ signal }) => {
      const { rooms } = await parley.findRoomsInUse({ rooms: [...ids] }, { signal });
      return new Map(rooms.map((room) => [room.room, room]));
    },
    enabled: ids.length > 0,
    refetchInterval: LOOK_MS,
    placeholderData: keepPreviousData,
  }).data;
