import type { Logger } from "pino";
import type { MediaConfig } from "../config/media.ts";
import { findBinary } from "./binary.ts";
import { openCluster } from "./cluster.ts";
import { type OwnTurn, openEmbeddedTurn } from "./embedded-turn.ts";
import type { MediaEngine } from "./engine.ts";
import { openKey } from "./key.ts";
import { startLivekit } from "./livekit.ts";

/**
 * The media engine that the settings name: a cluster, or LiveKit's program on this machine.
 *
 * @returns undefined if there is none: browsers then connect directly, six people at most
 */
export const openEngine = async (
  { media, dataDir }: { readonly media: MediaConfig; readonly dataDir: string },
  log: Logger,
): Promise<MediaEngine | undefined> => {
  if (media.cluster !== undefined) {
    const { cluster } = media;
    return openCluster(() => cluster);
  }
  const binary = await findBinary({ server: media.server, dataDir, path: media.path });
  if (typeof binary !== "string") {
    return startLivekit({ program: binary.path, dataDir, media, log });
  }
  // An operator who names a program expects it to be used.
  if (media.server !== undefined) log.error(binary);
  return undefined;
};

/** Opens the TURN server of this process; undefined if the settings name none. */
export const openTurn = async (
  { media: { turn }, dataDir }: { readonly media: MediaConfig; readonly dataDir: string },
  log: Pick<Logger, "error">,
): Promise<OwnTurn | undefined> => turn && openEmbeddedTurn(turn, await openKey(dataDir), log);
