import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parley } from "../kit/client.ts";
import { useOrganization } from "../kit/queries.ts";

const PAUSE = 200;
const SHOWN = 10;

/** Every role in use, as lists of people take them. */
export const useAllRoles = (): string => (useOrganization().data?.roles ?? []).join(",");

/**
 * The first results for what is typed into a field, after a pause.
 *
 * @param about what is searched, and all else that the results depend on
 * @param find finds by a text
 */
const useSearch = <Found>(
  about: readonly string[],
  typed: string,
  find: (search: string, options: { readonly signal: AbortSignal }) => Promise<Found>,
  enabled: boolean,
) => {
  const [search] = useDebouncedValue(typed, PAUSE);
  const found = useQuery({
    queryKey: [...about, search],
    queryFn: ({ signal }) => find(search.slice(0, 200), { signal }),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  /** True if the results belong to the current text. */
  return { ...found, isCurrent: search === typed && found.isSuccess && !found.isPlaceholderData };
};

/** The first matching people, while a field's list is open. */
export const usePeopleSearch = (typed: string, open: boolean) => {
  const role = useAllRoles();
  return useSearch(
    ["people search", role],
    typed,
    async (search, options) =>
      (await parley.listUsers({ role, search, limit: SHOWN }, options)).users,
    open && role !== "",
  );
};

/** The first matching rooms, while a field's list is open. */
export const useRoomSearch = (typed: string, open: boolean) =>
  useSearch(
    ["rooms search"],
    typed,
    async (find, options) => {
      const asked = { find, sortBy: "naturalName", limit: SHOWN } as const;
      const { roomSettings } = await parley.listRooms(asked, options);
      return roomSettings.map(({ room, name }) => ({ id: room, name }));
    },
    open,
  );
