import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Input } from "../../contract/kit/operation.ts";
import type { listBin } from "../../contract/organization/bin.ts";
import { parley, sayFailure } from "../kit/client.ts";
import { notify } from "../kit/notices.tsx";
import { useOrganization } from "../kit/queries.ts";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";

export type { BinEntry } from "../../contract/organization/bin.ts";

export const useBin = (query: Input<typeof listBin>) =>
  useQuery({
    queryKey: ["bin", query],
    queryFn: ({ signal }) => parley.listBin(query, { signal }),
    placeholderData: keepPreviousData,
  });

/**
 * The days for which the bin keeps deleted items; null: there is no bin; undefined: not known yet.
 */
export const useBinDays = (): number | null | undefined => useOrganization().data?.settings.binDays;

/** Restores entries of the bin, and says so. @param name that of the only one, or of the first */
export const useRestore = () => {
  const restore = useChange(parley.restoreFromBin);
  return async (ids: readonly string[], name: string): Promise<void> => {
    try {
      await restore.mutateAsync({ ids: [...ids] });
      notify({ text: t.bin.restored(ids.length, name) });
    } catch (failure) {
      notify({ text: sayFailure(failure), kind: "failed" });
    }
  };
};
