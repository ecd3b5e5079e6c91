import { openDirect } from "./direct.ts";
import type { AdapterOptions, MediaAdapter } from "./media.ts";

/** Opens the way of pictures and sound that the meeting has; the engine's client is loaded for it. */
export const adapterFor = async (options: AdapterOptions): Promise<MediaAdapter> =>
  options.media.type === "direct"
    ? openDirect(options)
    : (await import("./livekit.ts")).openLivekit(options);
