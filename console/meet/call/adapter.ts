import { openDirect } from "./direct.ts";
import type { AdapterOptions, CallView, MediaAdapter } from "./media.ts";

/** Loads the engine's client, once. */
export const loadEngine = () => import("./livekit.ts");

/**
 * What carries a meeting; the media engine's client is loaded only where one is used.
 *
 * @param view who is there; the media engine tells that itself
 */
export const adapterFor = async ({
  view,
  ...options
}: Omit<AdapterOptions, "view"> & {
  readonly view: CallView | undefined;
}): Promise<MediaAdapter> =>
  view !== undefined && options.media.type === "direct"
    ? openDirect({ ...options, view })
    : (await loadEngine()).openLivekit(options);
