import { useQuery, useQueryClient } from "@tanstack/react-query";
import { parley } from "./client.ts";

/**
 * Whether the person has dismissed a notice, on any device; true until this is known, so that the
 * notice does not flash.
 */
export const useHiddenNotice = (notice: string | undefined) => {
  const queries = useQueryClient();
  const queryKey = ["hidden notice"];
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await parley.fetchAccount({}, { signal })).account.hiddenNotice,
    enabled: notice !== undefined,
  });
  return {
    isHidden: data === undefined || data === notice,
    hide: () => {
      queries.setQueryData(queryKey, notice);
      void parley.editAccount({ hiddenNotice: notice ?? null });
    },
  };
};
