import { z } from "zod";
import {
  calendarDay,
  choice,
  date,
  dateTime,
  email,
  id,
  instant,
  pathId,
  timeZone,
  webLink,
  whole,
} from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { limitTo, pagination, queryPage, sentPage } from "../kit/pages.ts";
import { repetitions, weekdays } from "../kit/plain.ts";
import { says } from "../kit/reasons.ts";
import { fetchInvitation } from "../meetings/meetings.ts";
import { MOST_DATES } from "./days.ts";
import { tooFewSeats } from "./seats.ts";

/*
 * When a room is used: length, time zone and repetition of its scheduledDateTime, and who is
 * invited. Parley's own operations; the room's record stays as it is.
 */

/** The most people, and the most addresses, that one room invites. */
export const MOST_INVITED = 100;

const repetition = z
  .object(
    {
      every: choice(repetitions).describe(
        "day; weekday: from Monday to Friday; week, twoWeeks (every second one): on `days`; month: on the day of the first date.",
      ),
      days: z
        .array(choice(weekdays), { error: says("not_list", { of: "weekdays" }) })
        .max(7, { error: says("too_many", { max: 7, of: "weekdays" }) })
        .default([])
        .describe(
          "For week and twoWeeks: the days of the week; that of the first date is always one.",
        ),
      until: calendarDay().optional().describe("The last day; or `count`."),
      count: whole(2, MOST_DATES).optional().describe("How many dates there are; or `until`."),
    },
    { error: says("not_object") },
  )
  .refine(({ until, count }) => (until === undefined) !== (count === undefined), {
    error: says("not_either_of", { accepted: ["until", "count"] }),
    when: ({ issues }) => issues.length === 0,
  });
/** How a date repeats. */
export type Repetition = z.output<typeof repetition>;

const shown = z
  .strictObject({
    roomId: z.string(),
    roomName: z.string(),
    startsAt: instant(),
    timeZone: z.string(),
    minutes: z.int(),
    repetition: z
      .strictObject({
        every: z.enum(repetitions),
        days: z.array(z.enum(weekdays)),
        until: date().nullable(),
        count: z.int().nullable(),
      })
      .nullable(),
    nextAt: instant().nullable(),
    lastEndsAt: instant(),
    people: z.array(z.strictObject({ userId: z.string(), name: z.string(), email: z.string() })),
    emails: z.array(z.string()),
    invitations: z.array(
      z.strictObject({
        email: z.string(),
        state: z.enum(["waiting", "sent", "file", "refused"]).nullable(),
      }),
    ),
    googleLink: webLink(),
    outlookLink: webLink(),
  })
  .meta({ title: "Schedule" });
/** A room's schedule, as its hosts see it. */
export type Schedule = z.output<typeof shown>;

const schedules = { group: "Meetings", failure: "message", status: 200 } as const;
const byRoom = z.object({ id: pathId().describe("The ID of the room.") });

export const fetchSchedule = operation({
  ...schedules,
  id: "fetchSchedule",
  method: "GET",
  path: "/api/schedule/:id",
  summary: "When a room is used, and who is invited",
  access: "token",
  in: "path",
  input: byRoom,
  reply: success({ schedule: shown.nullable() }),
  refusals: ["room_not_found"],
});

export const editSchedule = operation({
  ...schedules,
  id: "editSchedule",
  changes: true,
  method: "PUT",
  path: "/api/schedule",
  summary: "Schedule a room and invite people, or take its date away",
  access: "administrator",
  owners: "edit",
  in: "body",
  input: z.object({
    roomId: id().describe("The ID of the room."),
    startsAt: dateTime()
      .nullable()
      .describe("When the first date begins, the room's `scheduledDateTime`; null for no date."),
    timeZone: timeZone()
      .default("UTC")
      .describe("The time zone that the dates follow: a name of the IANA database."),
    minutes: whole(5, 1440).default(60).describe("How long each date takes."),
    repetition: repetition.nullable().default(null).describe("How it repeats; null for one date."),
    userIds: z
      .array(id(), { error: says("not_list", { of: "IDs" }) })
      .max(MOST_INVITED, { error: says("too_many", { max: MOST_INVITED, of: "people" }) })
      .default([])
      .describe("The people of the organization who are invited."),
    emails: z
      .array(email(says("required")), {
        error: says("not_list", { of: "email addresses" }),
      })
      .max(MOST_INVITED, { error: says("too_many", { max: MOST_INVITED, of: "addresses" }) })
      .default([])
      .describe("The addresses of others who are invited."),
  }),
  reply: success({ schedule: shown.nullable() }),
  refusals: ["room_not_found"],
  notes: [tooFewSeats],
});

const comingLimit = limitTo(100, 100);
const coming = z
  .strictObject({
    roomId: z.string(),
    roomName: z.string(),
    startsAt: instant(),
    endsAt: instant(),
    timeZone: z.string(),
    repeats: z.boolean(),
    isHost: z.boolean(),
    isInvited: z.boolean(),
  })
  .meta({ title: "ComingDate" });
/** A coming date. */
export type Coming = z.output<typeof coming>;

export const listComing = operation({
  ...schedules,
  id: "listComing",
  method: "GET",
  path: "/api/schedule",
  summary: "What is next for me: the next dates of my rooms and of those that invite me",
  access: "person",
  in: "query",
  input: z.object({ page: queryPage, limit: comingLimit.taken }),
  sent: z.object({ page: sentPage, limit: comingLimit.sent }),
  reply: success({ dates: z.array(coming), pagination }),
  refusals: ["account_required"],
});

export const downloadSchedule = operation({
  ...schedules,
  id: "downloadSchedule",
  method: "GET",
  path: "/api/schedule/:id/calendar",
  summary: "The dates of a room as a file for calendars",
  access: "token",
  in: "path",
  input: byRoom,
  file: ["text/calendar"],
  reply: z.string(),
  refusals: ["room_not_found", "not_scheduled"],
});

const nextDate = z
  .strictObject({
    startsAt: instant(),
    endsAt: instant(),
    timeZone: z.string(),
    calendar: z.string(),
    /** True if the link opens the room: one that ended with a meeting does not. */
    opens: z.boolean(),
  })
  .meta({ title: "NextDate" });
/** A room's next date, as people with its link see it. */
export type NextDate = z.output<typeof nextDate>;

export const fetchNextDate = operation({
  ...schedules,
  id: "fetchNextDate",
  // Not in the address, which proxies log: the body may have a session token.
  method: "POST",
  scope: "read",
  path: "/api/meeting/nextDate",
  summary: "When the room of a link is used next",
  access: "anyone or token",
  in: "body",
  input: fetchInvitation.input,
  reply: success({ next: nextDate.nullable() }),
  refusals: ["room_not_found", "link_ended", "too_many_requests"],
});
