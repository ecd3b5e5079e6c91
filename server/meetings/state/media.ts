import type { MediaPath } from "../../../contract/meetings/meetings.ts";
import type { Config } from "../../config/config.ts";
import type { MeetingRow, SeatRow } from "../../db/meeting-tables.ts";
import type { OwnTurn } from "../../media/embedded-turn.ts";
import { iceServers } from "../../media/turn.ts";

/** How video and sound travel in this installation. */
export interface Media {
  /** How a meeting that opens now carries them; a p2p room always does it directly. */
  readonly kind: MeetingRow["media"];
  /** Returns whether the media engine answers; true if there is none. */
  isReady(): boolean;
  /** The seats of a meeting whose media the engine can carry now; none if there is no engine. */
  connected(meetingId: string): Promise<ReadonlySet<string>>;
  /** The settings that a browser needs to send and receive. */
  pathOf(meeting: Pick<MeetingRow, "media">, seat: Pick<SeatRow, "id">): MediaPath;
}

/**
 * Opens what tells browsers how video and sound travel.
 *
 * @param config read for each path, because PUBLIC_URL may be known only once the service listens
 * @param engine what the media engine answers; undefined if there is none: then each browser
 *   connects to every other
 * @param turn the TURN server of this process; undefined if it has none
 */
export const openMedia = (
  config: Pick<Config, "media" | "publicUrl">,
  engine: Pick<Media, "isReady" | "connected"> | undefined,
  turn?: Pick<OwnTurn, "of">,
): Media => ({
  kind: engine === undefined ? "direct" : "livekit",
  isReady: () => engine === undefined || engine.isReady(),
  connected: async (meetingId) => (await engine?.connected(meetingId)) ?? new Set(),
  pathOf: ({ media }, { id }) => ({
    type: media,
    // LiveKit's client adds the path of the relay.
    url: media === "livekit" ? `${config.publicUrl}/api/meeting` : null,
    iceServers: [
      ...iceServers(config.media, id),
      // People who connect to the engine have no use for its relay.
      ...(turn && media === "direct" ? turn.of(id) : []),
    ].map((server) => ({
      ...server,
      urls: [...server.urls],
    })),
  }),
});
