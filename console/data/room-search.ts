import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parley } from "../kit/client.ts";

const PAUSE = 200;
const SHOWN = 10;

/** The first matching rooms, while a field's list is open. */
export const useRoomSearch = (typed: string, open: boolean) => {
  const [search] = useDebouncedValue(typed, PAUSE);
  const found = useQuery({
    queryKey: ["rooms search", search],
    queryFn: async ({ signal }) => {
      const asked = { find: search.slice(0, 200), sortBy: "naturalName", limit: SHOWN } as const;
      const { roomSettings } = await parley.listRooms(asked, { signal });
      return roomSettings.map(({ room, name }) => ({ id: room, name }));
    },
    enabled: open,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  return { ...found, isCurrent: search === typed && found.isSuccess && !found.isPlaceholderData };
};
