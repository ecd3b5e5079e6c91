import type { Config } from "../config/config.ts";
import { Downloads } from "./downloads.ts";
import { type Keeper, type KeeperParts, startKeeper } from "./keeper.ts";
import { openStores, type Stores } from "./stores.ts";

/** The service's recordings: where they are kept, and their downloads. */
export interface Library {
  readonly stores: Stores;
  readonly downloads: Downloads;
  readonly keeper: Keeper;
  stop(): Promise<void>;
}

/** Opens the stores and starts keeping recordings. */
export const openLibrary = ({
  config,
  ...parts
}: Omit<KeeperParts, "stores"> & { readonly config: Config }): Library => {
  const stores = openStores(config);
  const keeper = startKeeper({ ...parts, stores });
  const downloads = new Downloads({ ...parts, stores, config });
  return {
    stores,
    downloads,
    keeper,
    stop: async () => {
      await Promise.all([keeper.stop(), downloads.stop()]);
    },
  };
};
