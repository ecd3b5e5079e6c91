import type { OrganizationSettings } from "../../../contract/kit/organization-settings.ts";
import type { LinkRight } from "../../../contract/recordings/links.ts";
import type { RecordingError } from "../../../contract/recordings/record.ts";
import { bin } from "./bin.ts";
import { counted } from "./plural.ts";

/** The texts about recordings: in the console, and on the page that a link opens. */
export const recordings = {
  title: "Recordings",
  description: "Meetings that were recorded: play, download and share them.",
  what: (count: number) => counted(count, "recording", "recordings"),
  searchLabel: "Search recordings by name or room",
  searchHint: "Name or room",
  filter: "State",
  all: "All states",
  ownerFilter: "Recordings of rooms that somebody owns",
  anyOwner: "Any owner",
  ofRoom: (name: string) => `Only in ${name}`,
  columns: {
    name: "Name",
    room: "Room",
    startedAt: "Began",
    duration: "Duration",
    size: "Size",
    state: "State",
  },
  states: {
    queued: "Waiting",
    starting: "Starting",
    active: "Recording",
    ending: "Finishing",
    ready: "Ready",
    failed: "Failed",
  },
  errors: {
    interrupted: "Interrupted: what was recorded until then can be played.",
    disk_full: "There was no space left for it.",
    capture_failed: "It could not be recorded.",
    unreachable: "Its files are not available now.",
    not_begun: "It ended before anything was recorded.",
  } satisfies Record<RecordingError, string>,
  by: (name: string) => `Recorded by ${name}`,
  automatic: "Recorded automatically",
  soundOnly: "Sound only",
  empty: "No recording yet",
  emptyHelp:
    "Moderators find “Record the meeting” in the meeting's menu More, where the room's settings allow it.",
  noMatch: "No recording matches",
  noMatchHelp: "Try another name, or fewer filters.",
  notReady: "There is nothing to play yet",
  notReadyHelp: "The recording is still being made. It appears here when it is ready.",
  failed: "This recording cannot be played",
  play: "Play",
  download: "Download",
  preparing: "Preparing the file…",
  share: "Share",
  rename: "Rename",
  delete: "Delete",
  renameTitle: "Rename this recording",
  newName: "Name",
  renamed: "The recording has its new name.",
  deleteTitle: "Delete this recording?",
  deleteHelp:
    "This permanently deletes the recording, its files and its links, even while somebody is watching.",
  deleted: (name: string) => `${name} is deleted.`,
  shareTitle: (name: string) => `Share ${name}`,
  shareHelp: "Anybody with a link can watch without signing in, until it ends or you revoke it.",
  days: "Ends after",
  daysOf: (days: number) => counted(days, "day", "days"),
  allows: "Anybody with the link may",
  rights: {
    play: "Play",
    captions: "Play with captions",
    download: "Play with captions, and download",
  } satisfies Record<LinkRight, string>,
  rightsHelp: "Captions name the speakers.",
  makeLink: "Make a link",
  newLink: "New link",
  shownOnce: "Copy it now: it is shown only this once.",
  links: "Links",
  noLinks: "No links yet.",
  linkOf: (when: string) => `Link of ${when}`,
  madeBy: (name: string) => `by ${name}`,
  ends: (when: string) => `ends ${when}`,
  revoked: "Revoked",
  revoke: "Revoke",
  revokeLink: (when: string) => `Revoke the link of ${when}`,
  linkRevoked: "The link is revoked.",
  player: {
    size: "Size",
    broken: "This recording cannot be played now.",
    again: "Try again",
  },
  overview: {
    title: "Recordings",
    space: "Space used",
    noRecorder: {
      before:
        "Meetings cannot be recorded, streamed or transcribed: no recorder is installed. Install Chromium and ffmpeg on the server; ",
      after: " shows what is missing.",
    },
  },
  watch: {
    title: "Recording",
    ended: "This link has ended",
    endedHelp: "Ask the person who sent it for a new one.",
    unknown: "This link does not work",
    unknownHelp: "Check that you copied all of it, or ask for a new one.",
  },
};

/** The texts of the page with the organization's settings. */
export const settings = {
  title: "Settings",
  description: "Settings of the whole organization.",
  look: "Your organization",
  lookHelp: "Shown on every page, also to guests.",
  name: "Name",
  logo: "Logo",
  logoHelp: (pixels: number) =>
    `PNG, JPEG or WebP, at most ${pixels.toLocaleString("en")} pixels on each side. A large picture is made smaller.`,
  chooseLogo: "Choose a picture",
  removeLogo: "Remove the logo",
  logoSaved: "The logo is saved.",
  logoRemoved: "The logo is removed.",
  logoTooWide: (most: number, width: number, height: number) =>
    `This picture has ${width.toLocaleString("en")} × ${height.toLocaleString("en")} pixels. Choose one with at most ${most.toLocaleString("en")} on each side.`,
  logoUnreadable: "This file is no picture that can be shown. Choose a PNG, JPEG or WebP file.",
  accentHelp: "Made darker or lighter where texts could not be read. Empty: Parley's own color.",
  linkHelp: {
    privacyLink: "A web address, such as https://example.org/privacy.",
    imprintLink: "A web address, such as https://example.org/imprint.",
  },
  kept: "What is kept",
  keptHelp:
    "Older data is deleted permanently within an hour. Leave a field empty to keep its data.",
  rights: "Owners of rooms",
  rightsHelp:
    "What people who are not administrators may do with rooms. They always see the rooms that they own.",
  labels: {
    accentColor: "Color of buttons and links",
    binDays: bin.settings.binDays,
    binFor: bin.settings.binFor,
    historyDays: "Days to keep the history",
    imprintLink: "Imprint",
    letterDays: "Days to keep the list of emails",
    meetingDays: "Days to keep meetings",
    ownersMay: "Owners may",
    privacyLink: "Privacy notice",
    rateMeetings: "Ask people after a meeting how good the connection was",
    recordingDays: "Days to keep recordings and transcripts",
    secondFactorFor: "A second factor is demanded of",
  } satisfies Record<keyof OrganizationSettings, string>,
  /** What an empty number of days means. */
  noDays: { kept: "Kept for good", bin: "No recycle bin" },
  daysHelp: {
    binDays: bin.settings.binDaysHelp,
    historyDays: "The list of who changed what. The changes themselves stay.",
    letterDays: "Emails that are still waiting are kept longer.",
    meetingDays: "With attendance, chat and transcripts. Recordings have a setting of their own.",
    recordingDays: "Transcripts are deleted too, even of meetings that were not recorded.",
  },
  takeOut: "Save everything as a file",
  signIn: "Sign-in",
  signInHelp:
    "A second factor is a code from an app on the phone, asked for after the password. People without one set it up at their next sign-in, and can do nothing else before.",
  secondFactorFor: {
    nobody: "Nobody",
    administrators: "Administrators",
    everybody: "Everybody",
  },
  ownersMay: {
    nothing: "See their rooms",
    edit: "Edit their rooms",
    create: "Edit and create rooms",
  },
  meetings: "Meetings",
  rateMeetingsHelp:
    "They choose one to five stars. The list of meetings shows the average, not who chose what.",
  ownersMayHelp: "Only administrators change who owns a room, or delete a room.",
  save: "Save settings",
  saved: "The settings are saved.",
};
