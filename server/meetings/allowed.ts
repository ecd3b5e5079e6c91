import type { Room } from "../../contract/room-record.ts";
import type { MeetingRow, SeatRow } from "../db/meeting-tables.ts";

/** What somebody inside may do. */
export interface Permissions {
  readonly audio: boolean;
  readonly video: boolean;
  readonly share: boolean;
  readonly chat: boolean;
}

/** Whether there is only one place of a presenter at a time. */
export const onePresenter = ({ enablePresenters }: Pick<Room, "enablePresenters">): boolean =>
  !enablePresenters;

/**
 * What the room's settings let somebody do: the one place that knows. The view, the commands and the
 * grants of the media engine follow from it.
 */
export const permissionsOf = (
  room: Room,
  { presenter }: Pick<MeetingRow, "presenter">,
  { id, role }: Pick<SeatRow, "id" | "role">,
): Permissions => {
  const publishes = room.roomType === "p2p" || role !== "viewer";
  return {
    audio: publishes && room.audioStatus,
    video: publishes && room.videoStatus,
    share: publishes && room.enableScreenSharing && (!onePresenter(room) || presenter === id),
    chat: room.enableChatOption,
  };
};

/** What of somebody's is on: what they said that is, as far as it is still allowed. */
export const onNow = (
  room: Room,
  meeting: Pick<MeetingRow, "presenter">,
  seat: Pick<SeatRow, "id" | "role" | "audio" | "video" | "share">,
): Pick<SeatRow, "audio" | "video" | "share"> => {
  const may = permissionsOf(room, meeting, seat);
  return {
    audio: seat.audio && may.audio,
    video: seat.video && may.video,
    share: seat.share && may.share,
  };
};

/**
 * Whether somebody sees somebody else at all: name, sound and picture. With participantPrivacy,
 * participants and viewers see moderators only; the viewers of an event do not see each other. Both see
 * each other, or neither does.
 */
export const sees = (
  room: Pick<Room, "roomType" | "participantPrivacy">,
  who: Pick<SeatRow, "id" | "role">,
  whom: Pick<SeatRow, "id" | "role">,
): boolean => {
  if (who.id === whom.id || who.role === "moderator" || whom.role === "moderator") return true;
  if (room.roomType === "p2p") return true;
  if (room.participantPrivacy) return false;
  return room.roomType !== "event" || who.role !== "viewer" || whom.role !== "viewer";
};

type Pictures = Pick<Room, "roomType" | "participantVideoPrivacy">;

/** Whether those who are no moderators see no pictures of each other (participantVideoPrivacy). */
export const hidesPictures = ({ roomType, participantVideoPrivacy }: Pictures): boolean =>
  participantVideoPrivacy && roomType !== "p2p";

/** Whether somebody who sees somebody else also sees the picture. */
export const seesVideo = (
  room: Pictures,
  who: Pick<SeatRow, "role">,
  whom: Pick<SeatRow, "role">,
): boolean => !hidesPictures(room) || who.role === "moderator" || whom.role === "moderator";
