import { useQuery } from "@tanstack/react-query";
import { parley } from "./client.ts";
import { useUser } from "./session.ts";

/** How often what is next is loaded again. */
const LOOK_MS = 60_000;

/** When a room is used, and who is invited; null where nothing is scheduled. */
export const useSchedule = (roomId: string) =>
  useQuery({
    queryKey: ["schedule", roomId],
    queryFn: async ({ signal }) =>
      (await parley.fetchSchedule({ id: roomId }, { signal })).schedule,
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
