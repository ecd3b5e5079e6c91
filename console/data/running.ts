import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Reply } from "../../contract/kit/operation.ts";
import type { findRoomsInUse } from "../../contract/rooms/bulk.ts";
import { parley } from "../kit/client.ts";
import { roomsInput } from "../kit/queries.ts";

/** How many running meetings are shown with their captures. */
export const MOST_RUNNING = 5;
const LOOK_MS = 5_000;

/** A meeting with somebody inside. */
export interface RoomInUse {
  readonly room: string;
  readonly name: string;
  readonly roomStatus: string;
  /** How many people are inside, and since when. */
  readonly inside: number;
  readonly since: string;
  readonly recording: boolean;
  readonly streaming: boolean;
}

const IN_USE_FIRST = roomsInput({
  page: 1,
  limit: 10,
  sortBy: "status",
  sortOrder: "ASC",
  search: "",
  userFilter: "",
  withoutOwner: false,
});

const findRunning = async (signal: AbortSignal): Promise<readonly RoomInUse[]> => {
  const { roomSettings } = await parley.listRooms(IN_USE_FIRST, { signal });
  const inUse = roomSettings
    .filter(({ roomStatus }) => roomStatus !== "free")
    .slice(0, MOST_RUNNING);
  if (inUse.length === 0) return [];
  const [{ rooms }, ...meetings] = await Promise.all([
    parley.findRoomsInUse({ rooms: inUse.map(({ room }) => room) }, { signal }),
    ...inUse.map(({ room }) => parley.getMeeting({ roomId: room }, { signal })),
  ]);
  return inUse.flatMap(({ room, name, roomStatus }, n) => {
    const use = rooms.find((one) => one.room === room);
    // It has just ended.
    if (use === undefined) return [];
    const meeting = meetings[n]?.meeting;
    return {
      room,
      name,
      roomStatus,
      inside: use.inside,
      since: use.since,
      recording: meeting?.recordings.some(({ state }) => state === "active") ?? false,
      streaming: meeting?.liveStream?.state === "live",
    };
  });
};

/** The running meetings, kept up to date. */
export const useRunning = () =>
  useQuery({
    queryKey: ["running meetings"],
    queryFn: ({ signal }) => findRunning(signal),
    refetchInterval: LOOK_MS,
    placeholderData: keepPreviousData,
  });

/** Since when a room is in use, and how many people are inside. */
export type InUse = Reply<typeof findRoomsInUse>["rooms"][number];

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
