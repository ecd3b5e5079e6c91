import { keepPreviousData, QueryClient, useQuery } from "@tanstack/react-query";
import type { Language } from "../../contract/kit/languages.ts";
import type { Reply } from "../../contract/kit/operation.ts";
import type { getOrganization } from "../../contract/organization/organization.ts";
import type { listUsers } from "../../contract/people/lists.ts";
import type { RoomRecord } from "../../contract/rooms/record.ts";
import type { RoomStatus, RoomType } from "../../contract/rooms/rooms.ts";
import { about } from "./busy.ts";
import { ParleyError, parley } from "./client.ts";
import { useUser } from "./session.ts";
import type { TableState } from "./table-state.ts";

export type { RoomRecord };
/** A person as the lists return them. */
export type User = Reply<typeof listUsers>["users"][number];

/** The organization with its usage of the plan. */
export type OrganizationRecord = Reply<typeof getOrganization>["organization"];

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Offline, a request fails at once instead of waiting.
      networkMode: "always",
      retry: (count, failure) =>
        count < 2 && failure instanceof ParleyError && failure.status >= 500,
      retryDelay: (count) => about(400 * 2 ** count),
    },
    mutations: { networkMode: "always" },
  },
});

/** How often data is reloaded that changes without the page. */
const LOOK_MS = 5_000;

export const useOrganization = () => {
  const { admin } = useUser();
  return useQuery({
    queryKey: ["organization"],
    queryFn: async ({ signal }) => (await parley.getOrganization({}, { signal })).organization,
    enabled: admin,
    // Rooms become busy and free without the page.
    refetchInterval: LOOK_MS,
  });
};

/** The look of the organization's pages. */
export const useBrand = () =>
  useQuery({
    queryKey: ["brand"],
    queryFn: ({ signal }) => parley.fetchBrand({}, { signal }),
    staleTime: 60_000,
  });

/** The signed-in person's rights to rooms; undefined until they are known. */
export interface May {
  readonly editRooms: boolean;
  readonly createRooms: boolean;
}

const everything: May = { editRooms: true, createRooms: true };

/** Administrators may do everything; owners what the organization lets owners do. */
export const useMay = (): May | undefined => {
  const { id, admin } = useUser();
  const { data } = useQuery({
    queryKey: ["owners may", id],
    queryFn: async ({ signal }) => (await parley.whoAmI({}, { signal })).ownersMay,
    enabled: !admin,
  });
  if (admin) return everything;
  if (data === undefined) return undefined;
  return { editRooms: data === "edit" || data === "create", createRooms: data === "create" };
};

/** The orders of lists of rooms. */
export const roomSorts = ["naturalName", "status", "createdAt", "updatedAt"] as const;
export type RoomSort = (typeof roomSorts)[number];

export interface RoomsQuery extends TableState<RoomSort> {
  readonly userFilter: string;
  readonly withoutOwner: boolean;
  readonly roomType?: RoomType | undefined;
  readonly roomStatus?: RoomStatus | undefined;
}

/** A list's input; the search finds names, IDs and owners. */
export const roomsInput = ({ search, roomType, roomStatus, ...query }: RoomsQuery) => ({
  ...query,
  find: search,
  ...(roomType && { roomType }),
  ...(roomStatus && { roomStatus }),
});

/** @param isLive whether to keep them up to date: rooms become busy and free */
export const useRooms = (query: RoomsQuery, isLive = false) =>
  useQuery({
    queryKey: ["rooms", query],
    queryFn: ({ signal }) => parley.listRooms(roomsInput(query), { signal }),
    refetchInterval: isLive ? LOOK_MS : false,
    placeholderData: keepPreviousData,
  });

/** A record, and the tag of its version, which an edit sends back. */
export interface Loaded<Thing> {
  readonly thing: Thing;
  readonly etag: string;
}

export const loadRoom = async (id: string, signal?: AbortSignal): Promise<Loaded<RoomRecord>> => {
  let etag = "";
  const { roomSetting } = await parley.fetchRoom(
    { id },
    { ...(signal ? { signal } : {}), onETag: (tag) => (etag = tag) },
  );
  return { thing: roomSetting, etag };
};

/** A room with the tag of its version. */
export const useLoadedRoom = (id: string | undefined) =>
  useQuery({
    queryKey: ["room", id],
    queryFn: ({ signal }) => loadRoom(id ?? "", signal),
    enabled: id !== undefined,
  });

export const useRoom = (id: string | undefined) =>
  useQuery({
    queryKey: ["room", id],
    queryFn: ({ signal }) => loadRoom(id ?? "", signal),
    enabled: id !== undefined,
    select: ({ thing }) => thing,
  });

export interface PeopleQuery extends TableState<"name" | "createdAt"> {
  /** Roles joined by commas. */
  readonly role: string;
  /** Undefined: active and suspended people. */
  readonly state: "active" | "suspended" | undefined;
  readonly adminsOnly: boolean;
}

export const peopleInput = ({ limit, state, adminsOnly, ...query }: PeopleQuery) => ({
  ...query,
  limit: limit as 25,
  ...(state === undefined ? {} : { state }),
  ...(adminsOnly ? { admin: true } : {}),
});

export const usePeople = (revoked: boolean, query: PeopleQuery) =>
  useQuery({
    queryKey: ["people", revoked, query],
    queryFn: ({ signal }) =>
      revoked
        ? parley.listRevokedUsers(peopleInput(query), { signal })
        : parley.listUsers(peopleInput(query), { signal }),
    placeholderData: keepPreviousData,
    enabled: query.role !== "",
  });

/** A person as the search by ID returns them: without rooms. */
export type FoundPerson = Omit<User, "rooms" | "roomIds">;
/** The same with what is edited beside the record. */
export type EditablePerson = FoundPerson & {
  readonly language: Language | null;
  readonly mustChoosePassword: boolean;
};

/** A person in any state; null if there is none. */
export const loadPerson = async (
  id: string,
  signal?: AbortSignal,
): Promise<Loaded<EditablePerson> | null> => {
  let etag = "";
  const { users, languages, mustChoosePassword } = await parley.findUsers(
    { userIds: [id], withLanguages: true, withMustChoosePassword: true },
    { ...(signal ? { signal } : {}), onETag: (tag) => (etag = tag) },
  );
  const [user] = users;
  if (user === undefined) return null;
  const language = languages?.[0]?.language ?? null;
  return { thing: { ...user, language, mustChoosePassword: mustChoosePassword?.[0] === id }, etag };
};

/** A person by their ID, with the tag of their version. */
export const usePerson = (id: string | undefined) =>
  useQuery({
    queryKey: ["person", id],
    queryFn: ({ signal }) => loadPerson(id ?? "", signal),
    enabled: id !== undefined,
  });

/** The most IDs of people in one request. */
const MOST_IDS = 1_000;

/** The people with these IDs, by ID; unknown IDs are left out. */
export const findNamed = async (
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FoundPerson>> => {
  const found = new Map<string, FoundPerson>();
  const userIds = [...new Set(ids)];
  for (let from = 0; from < userIds.length; from += MOST_IDS) {
    const piece = userIds.slice(from, from + MOST_IDS);
    const { users } = await parley.findUsers({ userIds: piece }, { signal });
    for (const user of users) found.set(user.id, user);
  }
  return found;
};

/** The languages that people have chosen, by their IDs. */
export const languagesOfPeople = async (
  userIds: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Language | null>> => {
  if (userIds.length === 0) return new Map();
  const input = { userIds: [...userIds], withLanguages: true };
  const { languages = [] } = await parley.findUsers(input, { signal });
  return new Map(languages.map(({ userId, language }) => [userId, language]));
};

/** The people behind the owner IDs of a page, by ID. */
export const useNamed = (ids: readonly string[]) => {
  const { admin } = useUser();
  const userIds = [...new Set(ids)].sort();
  return useQuery({
    queryKey: ["named", userIds],
    queryFn: ({ signal }) => findNamed(userIds, signal),
    enabled: admin && userIds.length > 0,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
};

/** People by their IDs; undefined until they are known. */
export type Named = ReturnType<typeof useNamed>["data"];
