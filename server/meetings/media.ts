import type { MediaPath } from "../../contract/meetings.ts";
import type { MeetingRow, SeatRow } from "../db/meeting-tables.ts";

/** How pictures and sound travel in this installation. */
export interface Media {
  /** How a meeting that is opened now carries them; a p2p room always directly. */
  readonly kind: MeetingRow["media"];
  /** Whether the media engine answers; true where there is none. */
  isReady(): boolean;
  /** What a browser needs to send and receive. */
  pathOf(meeting: Pick<MeetingRow, "media">, seat: Pick<SeatRow, "id">): MediaPath;
}

/** Each browser with each: without a media engine. */
export const directMedia: Media = {
  kind: "direct",
  isReady: () => true,
  pathOf: ({ media }) => ({ type: media, url: null, iceServers: [] }),
};
