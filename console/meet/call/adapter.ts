import { openDirect } from "./direct.ts";
import type { AdapterOptions, MediaAdapter } from "./media.ts";

/** What carries a meeting; the media engine's client is loaded only where one is used. */
export const adapterFor = async (options: AdapterOptions): Promise<MediaAdapter> =>
  options.media.type === "direct"
    ? openDirect(options)
    : (await import("./livekit.ts")).openLivekit(options);
