import type { Operations } from "../index.ts";
import type { Reply } from "../kit/operation.ts";
import type { Pagination } from "../kit/pages.ts";
import type { PersonUsage, RoomUsage, UsagePeriod } from "../organization/usage.ts";
import type { Example, MeaningsOf } from "./kit.ts";
import { points } from "./kit.ts";

/*
 * Descriptions of the operations of the usage, meanings of their answers' fields, and examples, for the OpenAPI
 * document and /docs. Neither the client nor the console imports this file.
 */

export type UsageOperation = "getUsage" | "downloadUsage" | "listRoomUsage" | "listPeopleUsage";

export const usageDescriptions: Readonly<Record<UsageOperation, string>> = {
  getUsage: points(
    "Returns how much the organization was used in each day, week or month: at most 1100 days, 4020 by week or month.",
    "A meeting counts once it has ended, on the day on which it began; the peak counts where it was.",
    "Days begin in `timeZone`; where the clocks change, a day has 23 or 25 hours.",
    "The counters hold no names, and stay when meetings, rooms and people are deleted. Recorders do not count as people.",
    "With `roomType` or `tag`, only these rooms count, for the peak too; `tag` follows the current owners.",
  ),
  downloadUsage:
    "Returns the periods of getUsage as a table (RFC 4180) with a column for each field, in which nothing is a formula.",
  listRoomUsage:
    "Returns one page of the rooms in which people spent most time in these days. With `unusedFor`, the rooms that are older than so many days and had no meeting in them, the longest unused first. Deleted rooms are not listed.",
  listPeopleUsage:
    "Returns one page of the people with an account who spent most time in meetings in these days. With `unusedFor`, the people who are not revoked, whose account is older than so many days, and who were in no meeting in them. Who was in a meeting is known for as long as the meeting is kept (`meetingDays`), so no more days than these are looked at. Deleted people are not listed.",
};

const meetings = "How many meetings were held that have ended.";
const minutes = "The time of all people together, in minutes.";
const counters = {
  meetings,
  longMeetings: "Those that took longer than five minutes.",
  people: "How many people came: each person once a meeting.",
  minutes,
  peak: "The most people who were inside at once, in all meetings together.",
  refused:
    "How often somebody found no free seat, each try for itself; 0 for the time before there were counters.",
  recordings: "How many recordings were begun, also those that are deleted by now.",
  bytes: "The space that the recordings of this time take now, in bytes.",
};
const period: MeaningsOf<UsagePeriod> = {
  day: "The first day.",
  from: "When it begins: ISO 8601, UTC.",
  to: "When it ends, and the next one begins: ISO 8601, UTC.",
  ...counters,
};
const room: MeaningsOf<RoomUsage> = {
  roomId: "The room ID.",
  roomName: "The name of the room.",
  meetings,
  people: counters.people,
  minutes,
  lastUsedAt: "When its last meeting ended: ISO 8601, UTC; null where none was held.",
};
const person: MeaningsOf<PersonUsage> = {
  userId: "The ID of the person.",
  name: "The name of the person.",
  email: "The email address of the person.",
  meetings: "How many meetings the person was in.",
  minutes: "How long the person was in meetings, in minutes.",
  lastUsedAt:
    "When the last meeting began in which the person was: ISO 8601, UTC; null where none is known.",
};

/** The meanings of the answers' fields. */
export const usageFields = (pagination: {
  readonly is: string;
  readonly fields: MeaningsOf<Pagination>;
}): {
  readonly [K in Exclude<UsageOperation, "downloadUsage">]: MeaningsOf<Reply<Operations[K]>>;
} & { readonly downloadUsage: Readonly<Record<string, never>> } => ({
  getUsage: {
    usage: {
      is: "The usage.",
      fields: {
        by: "day, week or month.",
        timeZone: "The time zone in which days begin.",
        from: "The first day.",
        to: "The last day.",
        filling:
          "Whether meetings from before the counters are still being counted, in the background.",
        total: { is: "The whole time.", fields: counters },
        periods: { is: "The periods, in order.", fields: period },
      },
    },
  },
  downloadUsage: {},
  listRoomUsage: { rooms: { is: "The rooms on the page, in order.", fields: room }, pagination },
  listPeopleUsage: {
    people: { is: "The people on the page, in order.", fields: person },
    unusedFor: "The days that were looked at; null without `unusedFor`.",
    pagination,
  },
});

const success = true;
const [from, to, timeZone] = ["2026-01-12", "2026-01-18", "Europe/Berlin"];
const counted = {
  meetings: 14,
  longMeetings: 12,
  people: 96,
  minutes: 4130,
  peak: 31,
  refused: 2,
  recordings: 3,
  bytes: 734003200,
};
const pagination = { page: 1, limit: 25, total: 1, totalPages: 1 };

/** An example of every request and answer. */
export const usageExamples: { readonly [K in UsageOperation]: Example<Operations[K]> } = {
  getUsage: {
    request: { from, to, by: "week", timeZone },
    answer: {
      success,
      usage: {
        by: "week",
        timeZone,
        from,
        to,
        filling: false,
        total: counted,
        periods: [
          {
            day: from,
            from: "2026-01-11T23:00:00.000Z",
            to: "2026-01-18T23:00:00.000Z",
            ...counted,
          },
        ],
      },
    },
  },
  downloadUsage: {
    request: { from, to, by: "week", timeZone },
    answer:
      "day,from,to,meetings,longMeetings,people,minutes,peak,refused,recordings,bytes\r\n2026-01-12,2026-01-11T23:00:00.000Z,2026-01-18T23:00:00.000Z,14,12,96,4130,31,2,3,734003200\r\n",
  },
  listRoomUsage: {
    request: { from, to, timeZone },
    answer: {
      success,
      rooms: [
        {
          roomId: "4815162342",
          roomName: "Board meeting",
          meetings: 5,
          people: 48,
          minutes: 2210,
          lastUsedAt: "2026-01-14T15:47:21.530Z",
        },
      ],
      pagination,
    },
  },
  listPeopleUsage: {
    request: { from, to, timeZone },
    answer: {
      success,
      people: [
        {
          userId: "0199c2a4-91f0-7a3b-8c45-2e7d1b9f6a08",
          name: "Ann Example",
          email: "ann@example.org",
          meetings: 7,
          minutes: 315,
          lastUsedAt: "2026-01-14T15:00:03.112Z",
        },
      ],
      unusedFor: null,
      pagination,
    },
  },
};
