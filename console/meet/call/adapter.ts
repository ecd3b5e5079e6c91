import { openDirect } from "./direct.ts";
import type { AdapterOptions, CallView, MediaAdapter } from "./media.ts";

/** Loads the engine's client once. */
export const loadEngine = () => import("./livekit.ts");

/**
 * Creates what carries a meeting; the media engine's client is loaded only if an engine is used.
 *
 * @param view who is inside; the media engine knows that itself
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
