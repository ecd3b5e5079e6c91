import type { Room } from "../../contract/room-record.ts";
import type { MeetingRow, SeatRow } from "../db/meeting-tables.ts";
import { isPerson, isPersonal } from "./persons.ts";

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

/** Whether only one viewer takes part at a time: in an event the presenters are those who do. */
export const oneTakesPart = (room: Pick<Room, "enablePresenters" | "roomType">): boolean =>
  onePresenter(room) && room.roomType === "event";

/** Whether people of a role send anything at all: viewers only look on, except in rooms of two. */
const mayPublish = ({ roomType }: Pick<Room, "roomType">, role: SeatRow["role"]): boolean =>
  isPersonal(role) && (roomType === "p2p" || role !== "viewer");

/**
 * What the room's settings let somebody do: the one place that knows. The view, the commands and the
 * grants of the media engine follow from it.
 */
export const permissionsOf = (
  room: Room,
  { presenter }: Pick<MeetingRow, "presenter">,
  { id, role }: Pick<SeatRow, "id" | "role">,
): Permissions => {
  const publishes = mayPublish(room, role);
  return {
    audio: publishes && room.audioStatus,
    video: publishes && room.videoStatus,
    share: publishes && room.enableScreenSharing && (!onePresenter(room) || presenter === id),
    chat: room.enableChatOption && isPersonal(role),
  };
};

/** Whether somebody owns the room and came, or was made, less than a moderator. */
export const mayPromote = (
  { owners }: Pick<Room, "owners">,
  { role, user_id }: Pick<SeatRow, "role" | "user_id">,
): boolean => role !== "moderator" && user_id !== null && owners.includes(user_id);

/** Which of a person's devices are on: as the page reported them, as far as they are still allowed. */
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

/** The settings that decide who sees whom. */
export const seeingRules = [
  "roomType",
  "participantPrivacy",
  "participantVideoPrivacy",
  "recordModerator",
  "recordParticipant",
] as const;
export type SeeingRules = Pick<Room, (typeof seeingRules)[number]>;

type RecordedRoles = Pick<Room, "recordModerator" | "recordParticipant">;

/** Whether people of a role are in the recordings of a room. */
const isRecordedRole = (room: RecordedRoles, role: SeatRow["role"]): boolean =>
  role === "moderator" ? room.recordModerator : room.recordParticipant;

/**
 * Whom a capture receives: a recorder only roles that are to be recorded; a stream what a viewer may
 * see, because strangers watch it. Captions are filtered by who reads them.
 */
const receives = (room: SeeingRules, capture: SeatRow["role"], role: SeatRow["role"]): boolean => {
  if (!mayPublish(room, role)) return false;
  if (capture === "streamer") return !room.participantPrivacy || role === "moderator";
  if (capture !== "recorder") return true;
  return isRecordedRole(room, role);
};

/**
 * Whether what people of a role say stays in the transcript: a room that is recorded keeps the words of
 * those alone who are in its recordings.
 */
export const keepsWords = (
  room: RecordedRoles & Pick<Room, "enableRecording">,
  { role }: Pick<SeatRow, "role">,
): boolean => !room.enableRecording || isRecordedRole(room, role);

/** Whether those who are no moderators are hidden from each other (participantPrivacy). */
export const hidesPeople = ({
  roomType,
  participantPrivacy,
}: Pick<Room, "roomType" | "participantPrivacy">): boolean =>
  participantPrivacy && roomType !== "p2p";

/** Whether participantPrivacy hides somebody, and what they write, from somebody else. */
export const isHiddenFrom = (
  room: Pick<Room, "roomType" | "participantPrivacy">,
  who: Pick<SeatRow, "id" | "role">,
  whom: Pick<SeatRow, "id"> & { readonly role: SeatRow["role"] | null },
): boolean =>
  hidesPeople(room) && who.id !== whom.id && who.role !== "moderator" && whom.role !== "moderator";

/**
 * Whether somebody sees somebody else at all: name, sound and picture. With participantPrivacy,
 * participants and viewers see moderators only; the viewers of an event do not see each other. Of two
 * people both see each other, or neither does. Nobody sees a capture.
 */
export const sees = (
  room: SeeingRules,
  who: Pick<SeatRow, "id" | "role">,
  whom: Pick<SeatRow, "id" | "role">,
): boolean => {
  if (who.id === whom.id) return true;
  if (!isPerson(whom)) return false;
  if (!isPerson(who)) return receives(room, who.role, whom.role);
  if (isHiddenFrom(room, who, whom)) return false;
  return room.roomType !== "event" || who.role !== "viewer" || whom.role !== "viewer";
};

type Pictures = Pick<SeeingRules, "roomType" | "participantVideoPrivacy">;

/** Whether those who are no moderators see no pictures of each other (participantVideoPrivacy). */
export const hidesPictures = ({ roomType, participantVideoPrivacy }: Pictures): boolean =>
  participantVideoPrivacy && roomType !== "p2p";

/** Whether somebody who sees somebody else also sees the picture; of a capture: whether it takes any. */
export const seesVideo = (
  room: Pictures,
  who: Pick<SeatRow, "role" | "video">,
  whom: Pick<SeatRow, "role">,
): boolean => {
  if (who.role === "streamer" && room.participantVideoPrivacy && whom.role !== "moderator") {
    return false;
  }
  if (!isPerson(who)) return who.video;
  return !hidesPictures(room) || who.role === "moderator" || whom.role === "moderator";
};
