import { openDirect } from "./direct.ts";
import type { AdapterOptions, MediaAdapter } from "./media.ts";

/** Loads the engine's client, once. */
export const loadEngine = () => import("./livekit.ts");

/** What carries a meeting; the media engine's client is loaded only where one is used. */
export const adapterFor = async (options: AdapterOptions): Promise<MediaAdapter> =>
  options.media.type === "direct" ? openDirect(options) : (await loadEngine()).openLivekit(options);
