import type { roomSettings } from "../../../contract/room-settings.ts";
import { counted } from "./plural.ts";

/** The texts of a field: its label, and help if the label is not enough. */
interface FieldTexts {
  readonly label: string;
  readonly help?: string;
}

/** A setting without a line here is a compile error. */
const settings: Record<keyof typeof roomSettings, FieldTexts> = {
  roomType: {
    label: "Type",
    help: "One-on-one connects two people directly. A conference is for a group. An event broadcasts to a large audience.",
  },
  roomPassword: {
    label: "Room password",
    help: "People enter it to join. Leave it empty for a room without a password.",
  },
  isStatic: {
    label: "Keep the room after meetings",
    help: "The next meeting continues with the same chat. Settings stay in any case.",
  },
  noOfModerators: { label: "Moderators" },
  noOfParticipants: { label: "Participants" },
  noOfViewers: { label: "Viewers" },
  noOfUpgradeRequests: {
    label: "Upgrade requests",
    help: "How many viewers can take part, or ask to, at a time.",
  },
  audioStatus: { label: "Audio" },
  videoStatus: { label: "Video" },
  enableScreenSharing: { label: "Screen sharing" },
  enableChatOption: { label: "Chat" },
  enableRecording: { label: "Recording" },
  recordingFormat: {
    label: "Format",
    help: "HLS adapts to the speed of the connection. MP4 is one file to download.",
  },
  recordModerator: {
    label: "Record moderators",
    help: "Their audio and video, and their words in transcripts.",
  },
  recordParticipant: {
    label: "Record participants",
    help: "Their audio and video, and their words in transcripts.",
  },
  recordingResolutions: {
    label: "Picture sizes",
    help: "Each size that you check is recorded.",
  },
  recordingStrategy: { label: "Strategy" },
  enableTranscription: { label: "Transcription", help: "Parley writes down what people say." },
  enableLiveStreaming: { label: "Live streaming" },
  liveStreamUrl: {
    label: "Stream address",
    help: "For example rtmps://live.example.org/app. The history and exports omit it.",
  },
  liveStreamKey: {
    label: "Stream key",
    help: "The receiver of the stream asks for it. Keep it secret.",
  },
  enableRTMPStreaming: { label: "Send by RTMP" },
  authenticationRequired: {
    label: "Guests wait to be let in",
    help: "People who are not signed in wait until a moderator lets them in.",
  },
  participantPrivacy: { label: "Hide participants from each other" },
  roomPermaLink: { label: "Permanent link", help: "The link stays the same for every meeting." },
  enablePresenters: { label: "Several presenters" },
  participantType: {
    label: "Participant type",
    help: "The role in which people enter: participant or viewer. With any other text, the type of the room decides.",
  },
  participantVideoPrivacy: { label: "Hide participants' video from each other" },
  acceptIpCameras: {
    label: "IP cameras",
    help: "Stored for programs. Meetings do not show IP cameras yet.",
  },
  roomAgenda: { label: "Agenda" },
  scheduledDateTime: { label: "Next meeting", help: "In your own time zone." },
};

/** The fields of a room besides its settings. */
const facts = { name: "Name", roomOwnerId: "Owners", room: "Room ID" };

type Labeled = keyof typeof settings | keyof typeof facts;
const labels = {
  ...facts,
  ...Object.fromEntries(Object.entries(settings).map(([name, { label }]) => [name, label])),
} as Record<Labeled, string>;

/** How a word of the API is shown; a word that is not listed is shown unchanged. */
const words: ReadonlyMap<string, string> = new Map(
  Object.entries({
    p2p: "One-on-one",
    conferencing: "Conference",
    event: "Event",
    hls: "HLS",
    mp4: "MP4",
    mergedA: "Audio, merged",
    mergedAV: "Audio and video, merged",
    AmergedAV: "Audio and video, started automatically",
  }),
);

export const rooms = {
  title: "Rooms",
  myTitle: "My rooms",
  description: "People meet in rooms. Each has its owners and settings.",
  myDescription: "The rooms that you own. An administrator can change them.",
  ownDescription: "The rooms that you own.",
  what: (count: number) => counted(count, "room", "rooms"),
  one: "room",
  labels,
  help: (name: keyof typeof settings): string | undefined => settings[name].help,
  word: (word: string): string => words.get(word) ?? word,
  groups: {
    basics: { title: "Basics", help: "The name of the room, its owners and its purpose." },
    seats: { title: "Seats", help: "The most people of each kind in the room at a time." },
    media: { title: "Media", help: "What people can use in a meeting." },
    recording: { title: "Recording", help: "The parts of a meeting that are kept." },
    live: { title: "Live stream", help: "How meetings are shown to the public." },
    privacy: { title: "Privacy", help: "Who may join, and who sees whom." },
  },
  suggestedSeats:
    "The most people of each kind in the room at a time. These numbers suit a group; the default of one moderator and one participant is for two people.",
  statuses: { free: "Free", busy: "Busy", occupied: "Occupied" } as Readonly<
    Record<string, string>
  >,
  statusHelp: {
    free: "Empty",
    busy: "In a meeting, seats left",
    occupied: "In a meeting, full",
  },
  columns: {
    name: "Name",
    owners: "Owners",
    type: "Type",
    status: "Status",
    createdAt: "Created",
    updatedAt: "Changed",
    next: "Next meeting",
    last: "Last meeting",
  },
  moreInside: (count: number) => `and ${count.toLocaleString("en")} more`,
  noOwner: "No owner",
  moreOwners: (count: number) => `and ${count.toLocaleString("en")} more`,
  unknownOwner: "Unknown account",
  revokedOwner: "revoked",
  you: "You",
  searchLabel: "Search rooms by name",
  ownerFilter: "Owner",
  anyOwner: "Any owner",
  roomFilter: "Room",
  anyRoom: "Any room",
  withoutOwnerFilter: "Which rooms",
  allRooms: "All rooms",
  withoutOwnerOnly: "Without an owner",
  create: "New room",
  edit: "Edit",
  duplicate: "Duplicate",
  copyId: "Copy room ID",
  delete: "Delete",
  empty: "No rooms yet",
  emptyHelp: "Create the first room: it needs a name and an owner. Everything else has a default.",
  myEmpty: "You do not own a room",
  myEmptyHelp: "An administrator can make you the owner of a room.",
  ownEmptyHelp: "Create one, or let an administrator make you the owner of a room.",
  noMatch: "No room matches",
  noMatchHelp: "Try another search, or clear the filters.",
  newTitle: "New room",
  duplicateTitle: (name: string) => `Duplicate of ${name}`,
  copied: "(copy)",
  duplicateHelp:
    "All settings are copied except the room ID and the address and key of the live stream. Nothing is saved yet.",
  nameHelp: "What people see when they join.",
  ownersHelp: "The first owner is shown in the list of rooms.",
  idHelp:
    "The name of the room in links and in the API. Leave it empty for a new one. You cannot change it later.",
  save: "Save changes",
  saveNew: "Create room",
  created: (name: string) => `${name} is ready.`,
  typeWaits: "The current meeting keeps its type; the next one has the new type.",
  saved: (name: string) => `${name} is saved.`,
  conflictTitle: (name: string) => `${name} has changed since you opened it`,
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteGoes: "Its settings, recordings and meeting history are deleted too. You cannot undo this.",
  deleteInUse:
    "The room is in use. It disappears from the lists at once; the rest is removed when the meeting ends.",
  deleteConfirm: "Delete room",
  deleted: (name: string) => `${name} is deleted.`,
  deletedLater: (name: string) => `${name} is removed when its meeting ends.`,
  settings: "Settings",
  inCalls: (minutes: number) => `${counted(minutes, "minute", "minutes")} in calls`,
  owners: {
    add: "Add an owner",
    placeholder: "Name, email or username",
    searching: "Searching…",
    nobody: "Nobody matches",
    none: "No owner chosen yet.",
    list: "Owners in order",
    up: (name: string) => `Move ${name} up`,
    down: (name: string) => `Move ${name} down`,
    remove: (name: string) => `Remove ${name}`,
    first: "First owner",
  },
};
