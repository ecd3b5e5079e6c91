import { useQuery } from "@tanstack/react-query";
import { parley } from "../kit/client.ts";
import { notify } from "../kit/notices.tsx";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";

/** The most people in one request. */
const AT_ONCE = 20;

/** How many rooms these people own. */
export const useOwnedTotal = (ids: readonly string[]) =>
  useQuery({
    queryKey: ["owned", ids],
    queryFn: async ({ signal }) => {
      let total = 0;
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        const pages = await Promise.all(
          ids
            .slice(at, at + AT_ONCE)
            .map((userFilter) => parley.listRooms({ limit: 1, userFilter }, { signal })),
        );
        total += pages.reduce((sum, { pagination }) => sum + pagination.total, 0);
      }
      return total;
    },
  });

/**
 * Hands people's rooms over to heirs, and says how many.
 *
 * @param onMoved called once rooms have new owners, even if something is refused after that
 */
export const useHandOver = (onMoved: () => void = () => {}) => {
  const change = useChange(
    async ({ ids, heirs }: { readonly ids: readonly string[]; readonly heirs: string[] }) => {
      let [handedOver, left] = [0, 0];
      for (const userId of ids) {
        const answer = await parley.handOverRooms({ userId, heirs });
        handedOver += answer.handedOver;
        left += answer.left;
        if (handedOver + left > 0) onMoved();
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
