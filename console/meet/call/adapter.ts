import { openDirect } from "./direct.ts";
import type { AdapterOptions, MediaAdapter } from "./media.ts";

/** Loads the engine's client, once. */
export const loadEngine = () => import("./livekit.ts");

/** Opens the way of pictures and sound that the meeting has; the engine's client is loaded for it. */
export const adapterFor = async (options: AdapterOptions): Promise<MediaAdapter> =>
  options.media.type === "direct" ? openDirect(options) : (await loadEngine()).openLivekit(options);
