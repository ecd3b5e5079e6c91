import { useQuery } from "@tanstack/react-query";
import { notify } from "../parts/notices.tsx";
import { t } from "../texts/index.ts";
import { parley } from "./client.ts";
import { useChange } from "./use-change.ts";

/** The most people whose rooms are counted before a question is asked. */
const MOST = 20;

/** How many rooms people own, of the first of them; undefined: not yet known. */
export const useOwnedTotal = (ids: readonly string[]): number | undefined =>
  useQuery({
    queryKey: ["owned", ids],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        ids
          .slice(0, MOST)
          .map((userFilter) => parley.listRooms({ limit: 1, userFilter }, { signal })),
      );
      return pages.reduce((sum, { pagination }) => sum + pagination.total, 0);
    },
  }).data;

/** Hands the rooms of people over to heirs, and says how many. */
export const useHandOver = () => {
  const change = useChange(
    async ({ ids, heirs }: { readonly ids: readonly string[]; readonly heirs: string[] }) => {
      let [handedOver, left] = [0, 0];
      for (const userId of ids) {
        const answer = await parley.handOverRooms({ userId, heirs });
        handedOver += answer.handedOver;
        left += answer.left;
      }
      return { handedOver, left };
    },
  );
  return async (ids: readonly string[], heirs: readonly string[]): Promise<void> => {
    const { handedOver, left } = await change.mutateAsync({ ids, heirs: [...heirs] });
    notify({
      text: left > 0 ? t.handOver.goesOn(handedOver, left) : t.handOver.done(handedOver),
    });
  };
};
