import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Input, Reply } from "../../contract/kit/operation.ts";
import type {
  getUsage,
  listPeopleUsage,
  listRoomUsage,
} from "../../contract/organization/usage.ts";
import { parley } from "../kit/client.ts";

export type Usage = Reply<typeof getUsage>["usage"];

/** How often it is loaded while earlier meetings are being counted. */
const FILLING_MS = 5_000;

/** The time zone of the person's browser. */
export const ownTimeZone = (): string => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return /^[A-Za-z]/.test(timeZone) && timeZone !== "Etc/Unknown" ? timeZone : "UTC";
};

/** How much the organization was used. */
export const useUsage = (asked: Input<typeof getUsage>) =>
  useQuery({
    queryKey: ["usage", asked],
    queryFn: async ({ signal }) => (await parley.getUsage(asked, { signal })).usage,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.filling ? FILLING_MS : false),
  });

/** The busiest or the unused rooms. */
export const useRoomUsage = (asked: Input<typeof listRoomUsage>) =>
  useQuery({
    queryKey: ["usage of rooms", asked],
    queryFn: ({ signal }) => parley.listRoomUsage(asked, { signal }),
    placeholderData: keepPreviousData,
  });

/** The busiest people, or those who were in no meeting. */
export const usePeopleUsage = (asked: Input<typeof listPeopleUsage>) =>
  useQuery({
    queryKey: ["usage of people", asked],
    queryFn: ({ signal }) => parley.listPeopleUsage(asked, { signal }),
    placeholderData: keepPreviousData,
  });
