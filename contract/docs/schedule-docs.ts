import type { Operations } from "../index.ts";
import type { Reply } from "../kit/operation.ts";
import type { Pagination } from "../kit/pages.ts";
import type { Coming, Schedule } from "../schedule/schedule.ts";
import type { Example, MeaningsOf } from "./kit.ts";
import { points } from "./kit.ts";

/*
 * Descriptions of the operations of schedules, meanings of their answers' fields, and examples, for the OpenAPI
 * document and /docs. Neither the client nor the console imports this file.
 */

export type ScheduleOperation =
  | "fetchSchedule"
  | "editSchedule"
  | "listComing"
  | "downloadSchedule"
  | "fetchNextDate";

export const scheduleDescriptions: Readonly<Record<ScheduleOperation, string>> = {
  fetchSchedule:
    "Returns the length, the time zone and the repetition of a room's `scheduledDateTime`, and who is invited; null where the room was not scheduled by `editSchedule`. A person who is not an administrator gets only rooms that the person owns.",
  editSchedule: points(
    "Sets the room's `scheduledDateTime` with length, time zone and repetition, and who is invited; what is sent replaces what was. With `startsAt` null, date and invitations go, until `undoChange` brings them back.",
    "New people get an invitation by email with a calendar part, removed ones a cancellation, others an update if the name or the dates change. 15 minutes before each date, everybody invited and the owners get a reminder.",
    "An organization sends at most 500 of these emails an hour, at most 20 of them to one mailbox; the others follow later.",
    "An address of a person of the organization counts as that person, unless it is invited already. A caller who is not an administrator names only owners and people invited already by `userIds`; every other address stays an address.",
    "When `editRoom` changes `scheduledDateTime`, length and repetition stay; if the new day does not fit the repetition, only the first date stays, until the date is moved back.",
    "`Parley-Note` says where the room has fewer seats than its owners and the people who are invited take.",
    "If the organization lets owners edit their rooms (`ownersMay`), the owner may call it without `admin`.",
  ),
  listComing:
    "Returns, in pages, the next date of each room that the caller owns or is invited to, the first to begin first; a date that is not over counts. A room with a `scheduledDateTime` that `editSchedule` did not set counts as taking an hour, in UTC. Of more than 1,000 rooms, the first 1,000 by their next date count.",
  downloadSchedule:
    "Returns the dates of a room as an iCalendar file (RFC 5545), for those who see the room and for the people whom it invites. A `scheduledDateTime` that `editSchedule` did not set is a date of an hour, in UTC.",
  fetchNextDate: points(
    "Returns the next date of a room, and all of its dates as an iCalendar file (RFC 5545), to everybody whom the link or the invitation leads there. Null without a coming date.",
    "The file has the UID of the emailed invitations and names nobody who is invited.",
    "A link that has ended with a meeting still shows the dates, without a link in the file; one that a host has replaced does not.",
  ),
};

const roomId = "The ID of the room.";
const roomName = "The name of the room.";
const zone = "The time zone that the dates follow.";
const schedule: MeaningsOf<Schedule> = {
  roomId,
  roomName,
  startsAt: "When the first date begins: ISO 8601, UTC.",
  timeZone: zone,
  minutes: "How long each date takes, in minutes.",
  repetition: {
    is: "How it repeats; null for one date.",
    fields: {
      every: "day, weekday (from Monday to Friday), week, twoWeeks or month.",
      days: "For week and twoWeeks: the days of the week.",
      until: "The last day; null: `count` says how many dates there are.",
      count: "How many dates there are; null: `until` says which is the last day.",
    },
  },
  nextAt: "When the next date begins that is not over: ISO 8601, UTC; null after the last one.",
  lastEndsAt: "When the last date ends: ISO 8601, UTC.",
  people: {
    is: "The people of the organization who are invited.",
    fields: {
      userId: "The ID of the person.",
      name: "The name of the person.",
      email: "The email address of the person.",
    },
  },
  emails: "The addresses of others who are invited.",
  invitations: {
    is: "How the email stands that told each of them of the dates last.",
    fields: {
      email: "The email address.",
      state:
        "waiting, sent to the mail server, written to a file because there is no mail server (file), or refused by it; null for what was posted by an earlier version.",
    },
  },
  googleLink: "Opens Google Calendar with the date filled in.",
  outlookLink: "Opens Outlook with the first date filled in.",
};
const coming: MeaningsOf<Coming> = {
  roomId,
  roomName,
  startsAt: "When the date begins: ISO 8601, UTC.",
  endsAt: "When it ends: ISO 8601, UTC.",
  timeZone: zone,
  repeats: "Whether the room has several dates.",
  isHost: "Whether the caller owns the room.",
  isInvited: "Whether the room's schedule invites the caller.",
};

/** @param pagination what the pagination fields mean */
export const scheduleFields = (pagination: {
  readonly is: string;
  readonly fields: MeaningsOf<Pagination>;
}): {
  readonly [K in Exclude<ScheduleOperation, "downloadSchedule">]: MeaningsOf<Reply<Operations[K]>>;
} & { readonly downloadSchedule: Readonly<Record<string, never>> } => ({
  fetchSchedule: { schedule: { is: "The schedule; null if there is none.", fields: schedule } },
  editSchedule: { schedule: { is: "The schedule, as it is now.", fields: schedule } },
  listComing: { dates: { is: "The dates.", fields: coming }, pagination },
  downloadSchedule: {},
  fetchNextDate: {
    next: {
      is: "The date; null where none comes.",
      fields: {
        startsAt: "When it begins: ISO 8601, UTC.",
        endsAt: "When it ends: ISO 8601, UTC.",
        timeZone: zone,
        calendar: "The file for calendars.",
        opens: "Whether the link opens the room; one that has ended with a meeting does not.",
      },
    },
  },
});

const success = true;
const id = "4815162342";
const file = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n…\r\nEND:VCALENDAR\r\n";
const answer: Reply<Operations["fetchSchedule" | "editSchedule"]> = {
  success,
  schedule: {
    roomId: id,
    roomName: "Board meeting",
    startsAt: "2026-03-02T08:00:00.000Z",
    timeZone: "Europe/Berlin",
    minutes: 45,
    repetition: { every: "week", days: ["monday"], until: null, count: 10 },
    nextAt: "2026-03-02T08:00:00.000Z",
    lastEndsAt: "2026-05-04T07:45:00.000Z",
    people: [
      {
        userId: "0199c2a4-91f0-7a3b-8c45-2e7d1b9f6a08",
        name: "Ann Example",
        email: "ann@example.org",
      },
    ],
    emails: ["guest@example.com"],
    invitations: [
      { email: "ann@example.org", state: "sent" },
      { email: "guest@example.com", state: "waiting" },
    ],
    googleLink: "https://calendar.google.com/calendar/render?action=TEMPLATE&text=Board+meeting",
    outlookLink: "https://outlook.office.com/calendar/deeplink/compose?subject=Board%20meeting",
  },
};

export const scheduleExamples: {
  readonly [K in ScheduleOperation]: Example<Operations[K]>;
} = {
  fetchSchedule: {
    request: { id },
    answer,
  },
  editSchedule: {
    request: {
      roomId: id,
      startsAt: "2026-03-02T09:00:00+01:00",
      timeZone: "Europe/Berlin",
      minutes: 45,
      repetition: { every: "week", days: ["monday"], count: 10 },
      userIds: ["0199c2a4-91f0-7a3b-8c45-2e7d1b9f6a08"],
      emails: ["guest@example.com"],
    },
    answer,
  },
  listComing: {
    request: { page: 1 },
    answer: {
      success,
      dates: [
        {
          roomId: id,
          roomName: "Board meeting",
          startsAt: "2026-03-02T08:00:00.000Z",
          endsAt: "2026-03-02T08:45:00.000Z",
          timeZone: "Europe/Berlin",
          repeats: true,
          isHost: true,
          isInvited: false,
        },
      ],
      pagination: { page: 1, limit: 100, total: 1, totalPages: 1 },
    },
  },
  downloadSchedule: {
    request: { id },
    answer: file,
  },
  fetchNextDate: {
    request: { roomId: "k3fm-8xqt-vw2p" },
    answer: {
      success,
      next: {
        startsAt: "2026-03-02T08:00:00.000Z",
        endsAt: "2026-03-02T08:45:00.000Z",
        timeZone: "Europe/Berlin",
        calendar: file,
        opens: true,
      },
    },
  },
};
