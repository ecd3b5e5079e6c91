import type { Room } from "../../../contract/rooms/record.ts";
import type { MeetingRow, SeatRow } from "../../db/meeting-tables.ts";
import { isPerson, isPersonal } from "./seat.ts";

/** The permissions of somebody inside. */
export interface Permissions {
  readonly audio: boolean;
  readonly video: boolean;
  readonly share: boolean;
  readonly chat: boolean;
}

/** Returns whether only one person may be the presenter at a time. */
export const onePresenter = ({ enablePresenters }: Pick<Room, "enablePresenters">): boolean =>
  !enablePresenters;

/** Returns whether only one viewer may take part at a time: an event with one presenter. */
export const oneTakesPart = (room: Pick<Room, "enablePresenters" | "roomType">): boolean =>
  onePresenter(room) && room.roomType === "event";

/** Returns whether people of a role send media at all: viewers only watch, except in p2p rooms. */
const mayPublish = ({ roomType }: Pick<Room, "roomType">, role: SeatRow["role"]): boolean =>
  isPersonal(role) && (roomType === "p2p" || role !== "viewer");

/** A seat, as far as its rights depend on it. */
export type RightsOf = Pick<SeatRow, "id" | "role"> & Partial<Pick<SeatRow, "second">>;

/** The rights that the room's settings give a person: view, commands and the media engine's grants follow from it. */
export const permissionsOf = (
  room: Room,
  { presenter }: Pick<MeetingRow, "presenter">,
  { id, role, second = false }: RightsOf,
): Permissions => {
  const publishes = mayPublish(room, role);
  return {
    // A second device in the same place would be heard twice.
    audio: publishes && room.audioStatus && !second,
    video: publishes && room.videoStatus,
    share: publishes && room.enableScreenSharing && (!onePresenter(room) || presenter === id),
    chat: room.enableChatOption && isPersonal(role),
  };
};

/** Returns whether a person owns the room without being a moderator. */
export const mayPromote = (
  { owners }: Pick<Room, "owners">,
  { role, user_id }: Pick<SeatRow, "role" | "user_id">,
): boolean => role !== "moderator" && user_id !== null && owners.includes(user_id);

/** The devices of a person that are on: those that the page reported and that are still allowed. */
export const onNow = (
  room: Room,
  meeting: Pick<MeetingRow, "presenter">,
  seat: RightsOf & Pick<SeatRow, "audio" | "video" | "share">,
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

/** Returns whether people of a role are in the recordings of a room. */
const isRecordedRole = (room: RecordedRoles, role: SeatRow["role"]): boolean =>
  role === "moderator" ? room.recordModerator : room.recordParticipant;

/**
 * Returns whether a capture receives people of a role: a recorder, if the role is recorded; a stream, if a viewer
 * may see them, because strangers watch it; a transcription always, because captions are filtered later,
 * for each reader.
 */
const receives = (room: SeeingRules, capture: SeatRow["role"], role: SeatRow["role"]): boolean => {
  if (!mayPublish(room, role)) return false;
  if (capture === "streamer") return !room.participantPrivacy || role === "moderator";
  if (capture !== "recorder") return true;
  return isRecordedRole(room, role);
};

/**
 * Returns whether the words of people with a role stay in the transcript: where recording is enabled, only the
 * words of people who are in the recordings are kept.
 */
export const keepsWords = (
  room: RecordedRoles & Pick<Room, "enableRecording">,
  { role }: Pick<SeatRow, "role">,
): boolean => !room.enableRecording || isRecordedRole(room, role);

/** Returns whether people other than moderators are hidden from each other (participantPrivacy). */
export const hidesPeople = ({
  roomType,
  participantPrivacy,
}: Pick<Room, "roomType" | "participantPrivacy">): boolean =>
  participantPrivacy && roomType !== "p2p";

/** Returns whether participantPrivacy hides somebody, and what they write, from somebody else. */
export const isHiddenFrom = (
  room: Pick<Room, "roomType" | "participantPrivacy">,
  who: Pick<SeatRow, "id" | "role">,
  whom: Pick<SeatRow, "id"> & { readonly role: SeatRow["role"] | null },
): boolean =>
  hidesPeople(room) && who.id !== whom.id && who.role !== "moderator" && whom.role !== "moderator";

/**
 * Returns whether a person sees another one at all: name, sound and picture. With participantPrivacy,
 * participants and viewers see only moderators; the viewers of an event do not see each other.
 * Seeing is mutual between people. Nobody sees a capture.
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

/** Returns whether people other than moderators see no video of each other (participantVideoPrivacy). */
export const hidesPictures = ({ roomType, participantVideoPrivacy }: Pictures): boolean =>
  participantVideoPrivacy && roomType !== "p2p";

/**
 * Returns whether a person who sees another one also sees their video; for a capture, whether it takes
 * video.
 */
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
