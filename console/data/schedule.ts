import { useQuery } from "@tanstack/react-query";
import type { Schedule } from "../../contract/schedule/schedule.ts";
import { parley } from "../kit/client.ts";
import { useUser } from "../kit/session.ts";

/** How often coming dates are reloaded. */
const LOOK_MS = 60_000;
/** The same for a schedule whose emails are on their way. */
const WAITING_MS = 3_000;

/** When a room is used, and who is invited; null without a schedule. */
export const useSchedule = (roomId: string, enabled = true) =>
  useQuery({
    queryKey: ["schedule", roomId],
    queryFn: async ({ signal }) =>
      (await parley.fetchSchedule({ id: roomId }, { signal })).schedule,
    enabled,
    refetchInterval: ({ state: { data } }) =>
      data?.invitations.some(({ state }) => state === "waiting") ? WAITING_MS : false,
  });

/** The next dates of the signed-in person. */
export const useComing = () => {
  const { id } = useUser();
  return useQuery({
    queryKey: ["coming", id],
    queryFn: async ({ signal }) => (await parley.listComing({}, { signal })).dates,
    refetchInterval: LOOK_MS,
  });
};

/** How many people hear of it when the dates of a room go: nobody once the last one is over. */
export const invitedAhead = (schedule: Schedule | null | undefined): number =>
  !schedule || Date.parse(schedule.lastEndsAt) <= Date.now()
    ? 0
    : schedule.people.length + schedule.emails.length;
