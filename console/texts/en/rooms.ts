import type { roomSettings } from "../../../contract/rooms/settings.ts";
import { counted } from "./plural.ts";

/** The label of a setting, and one line that says what people will see. */
interface FieldTexts {
  readonly label: string;
  readonly help: string;
}

/** A setting without a line here is a compile error. */
const settings: Record<keyof typeof roomSettings, FieldTexts> = {
  roomType: {
    label: "Type",
    help: "One-on-one connects two people, a conference a group. An event has an audience.",
  },
  roomPassword: { label: "Room password", help: "People type it before they can join." },
  isStatic: {
    label: "Keep the room after meetings",
    help: "The next meeting shows the chat of the previous one.",
  },
  noOfModerators: { label: "Moderators", help: "They let people in, mute and remove them." },
  noOfParticipants: { label: "Participants", help: "They speak, show themselves and write." },
  noOfViewers: { label: "Viewers", help: "They watch and listen, and can ask to take part." },
  noOfUpgradeRequests: {
    label: "Upgrade requests",
    help: "How many viewers can take part, or ask to, at a time.",
  },
  audioStatus: { label: "Audio", help: "People hear each other." },
  videoStatus: { label: "Video", help: "People see each other's cameras." },
  enableScreenSharing: { label: "Screen sharing", help: "People can show their screen." },
  enableChatOption: { label: "Chat", help: "People can write to each other." },
  enableRecording: {
    label: "Recording",
    help: "Moderators can record. Everybody sees that a meeting is recorded.",
  },
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
    help: "People who watch a recording choose between these.",
  },
  recordingStrategy: {
    label: "Strategy",
    help: "With or without video, and started by hand or automatically.",
  },
  enableTranscription: {
    label: "Transcription",
    help: "What people say appears as captions, and can be read afterwards.",
  },
  enableLiveStreaming: {
    label: "Live streaming",
    help: "Moderators can show the meeting to people who are not in it.",
  },
  liveStreamUrl: {
    label: "Stream address",
    help: "For example rtmps://live.example.org/app. The history and exports omit it.",
  },
  liveStreamKey: {
    label: "Stream key",
    help: "The receiver of the stream asks for it. Keep it secret.",
  },
  enableRTMPStreaming: {
    label: "Send by RTMP",
    help: "The stream appears at the address below instead of on a page of Parley.",
  },
  authenticationRequired: {
    label: "Guests wait to be let in",
    help: "People who are not signed in wait until a moderator lets them in.",
  },
  participantPrivacy: {
    label: "Hide participants from each other",
    help: "Participants see and hear the moderators only.",
  },
  roomPermaLink: { label: "Permanent link", help: "The link stays the same for every meeting." },
  enablePresenters: {
    label: "Several presenters",
    help: "More than one person can show a screen at a time.",
  },
  participantType: { label: "People enter as", help: "Their role until a moderator changes it." },
  participantVideoPrivacy: {
    label: "Hide participants' video from each other",
    help: "Participants see the moderators' cameras only.",
  },
  acceptIpCameras: {
    label: "IP cameras",
    help: "Stored for programs. Meetings do not show IP cameras yet.",
  },
  roomAgenda: { label: "Agenda", help: "People read it before they join and in the meeting." },
  scheduledDateTime: {
    label: "Next meeting",
    help: "In your own time zone. People see it in theirs.",
  },
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
  door: {
    waits: "Guests wait for the host",
    waitsHelp:
      "Guests see when the meeting begins, and join automatically when the host, a moderator or somebody from the organization arrives.",
    nowWaits: "Guests wait for the host now.",
    nowOpen: "Guests come in without the host now.",
  },
  help: (name: keyof typeof settings): string => settings[name].help,
  word: (word: string): string => words.get(word) ?? word,
  groups: {
    basics: { title: "Basics", help: "The name of the room, its owners and its purpose." },
    seats: { title: "Seats", help: "The most people of each kind in the room at a time." },
    media: { title: "Media", help: "What people can use in a meeting." },
    recording: { title: "Recording", help: "The parts of a meeting that are kept." },
    live: { title: "Live stream", help: "How meetings are shown to the public." },
    privacy: { title: "Privacy", help: "Who may join, and who sees whom." },
  },
  /** Which part people have when they enter; the type of the room decides where nothing is chosen. */
  parts: { none: "As the room's type says", participant: "Participants", viewer: "Viewers" },
  first: {
    title: "The room",
    help: "You can change everything later.",
    who: "Who comes in",
    whoHelp: "People with an account never wait.",
    anyone: "Anybody with the link",
    waiting: "Guests wait until they are let in",
    password: "Anybody with the link and a password",
    both: "Guests need a password, and wait until they are let in",
    passwordMissing: "Enter the password, or choose who comes in without one.",
    recording: "Recording",
    recordingHelp: "Everybody sees that a meeting is recorded.",
    people: "Seats",
    peopleHelp: "How many people can be inside at a time.",
  },
  recorded: {
    off: "Off",
    everybody: "Moderators and participants",
    moderators: "Moderators only",
    participants: "Participants only",
    nobody: "On, but nobody is recorded",
  },
  more: "More about the room",
  recordsNobody: "Nobody would be recorded. Turn on Record moderators or Record participants.",
  setTo: (label: string, value: string) => `${label}: ${value}`,
  isSet: "set",
  nothingSet: "Nothing is set",
  limitForOwners: "Your organization has reached its room limit. Ask an administrator for more.",
  meetNow: {
    button: "New meeting",
    mine: "My room",
    copy: "Copy the link of my room",
  },
  statuses: { free: "Free", busy: "Busy", occupied: "Occupied" } as Readonly<
    Record<string, string>
  >,
  columns: {
    name: "Name",
    naturalName: "Name",
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
  searchLabel: "Search rooms by name, ID or owner",
  searchHint: "Name, ID or owner",
  ownSearchLabel: "Search rooms by name or ID",
  ownSearchHint: "Name or ID",
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
  emptyHelp: "Create the first room: it needs nothing but a name.",
  myEmpty: "You do not own a room",
  myEmptyHelp: "An administrator can make you the owner of a room.",
  ownEmptyHelp: "Create one, or let an administrator make you the owner of a room.",
  noMatch: "No room matches",
  noMatchHelp: "Try another search, or clear the filters.",
  newTitle: "New room",
  duplicateTitle: (name: string) => `Duplicate of ${name}`,
  copied: "(copy)",
  duplicateHelp:
    "All settings are copied except the room ID and the address and key of the live stream. Dates keep their length and repetition; nobody is invited to them. Nothing is saved yet.",
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
