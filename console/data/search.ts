import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parley } from "../kit/client.ts";
import { useOrganization } from "../kit/queries.ts";

const PAUSE = 200;

/** Every role in use, as lists of people take them. */
export const useAllRoles = (): string => (useOrganization().data?.roles ?? []).join(",");

/** The first matching people, while a field's list is open. */
export const usePeopleSearch = (typed: string, open: boolean) => {
  const [search] = useDebouncedValue(typed, PAUSE);
  const role = useAllRoles();
  const found = useQuery({
    queryKey: ["people search", search, role],
    queryFn: async ({ signal }) =>
      (await parley.listUsers({ role, search: search.slice(0, 200), limit: 10 }, { signal })).users,
    enabled: open && role !== "",
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  /** Whether the results belong to the current text. */
  return { ...found, isCurrent: search === typed && found.isSuccess && !found.isPlaceholderData };
};

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
