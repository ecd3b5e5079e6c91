import { z } from "zod";
import {
  calendarDay,
  choice,
  date,
  instant,
  spanOfTime,
  textField,
  timeZone,
} from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { cutLimit, pagination, queryPage, sentPage } from "../kit/pages.ts";
import { says } from "../kit/reasons.ts";
import { roomTypes } from "../rooms/settings.ts";

/*
 * How much an organization is used: counters of its meetings, and its busiest and unused rooms and people.
 * Parley's own operations, for administrators and access keys.
 */

const usage = {
  group: "Usage",
  access: "administrator",
  failure: "message",
  compressed: "always",
  method: "GET",
  in: "query",
} as const;

/** The length of a plot's periods. */
export const usageSteps = ["day", "week", "month"] as const;
export type UsageStep = (typeof usageSteps)[number];

/** The most days: three years by day, eleven years by week or month. */
export const MOST_DAYS = { day: 1_100, week: 4_020, month: 4_020 } as const;

const filter = {
  from: calendarDay()
    .optional()
    .describe("The first day; by default, the last day and the 29 before it."),
  to: calendarDay().optional().describe("The last day; today by default."),
  timeZone: timeZone()
    .default("UTC")
    .describe("The time zone in which days begin: a name of the IANA database."),
  roomType: choice(roomTypes).optional().describe("Only rooms of this type."),
  tag: textField(100).optional().describe("Only rooms that somebody with this tag owns."),
};

const counters = {
  /** Ended meetings to which somebody came. */
  meetings: z.int(),
  /** Those longer than five minutes. */
  longMeetings: z.int(),
  /** Each person once a meeting. */
  people: z.int(),
  /** The time of all people together, in whole minutes. */
  minutes: z.int(),
  /** The most people inside at once, in all meetings together. */
  peak: z.int(),
  /** How often nobody found a free seat. */
  refused: z.int(),
  /** Started recordings. */
  recordings: z.int(),
  /** The current space of recordings from this time. */
  bytes: z.int(),
};
const period = z
  .strictObject({
    /** Its first day. */
    day: date(),
    from: instant(),
    to: instant(),
    ...counters,
  })
  .meta({ title: "UsagePeriod" });
export type UsagePeriod = z.output<typeof period>;

const periods = z.object({
  ...filter,
  by: choice(usageSteps)
    .default("day")
    .describe(
      "How long a period is; weeks begin on Monday, and the first and last may be shorter.",
    ),
});

export const getUsage = operation({
  ...usage,
  id: "getUsage",
  path: "/api/usage",
  summary: "How much the organization was used, by day, week or month",
  input: periods.check(spanOfTime),
  sent: periods,
  reply: success({
    usage: z
      .strictObject({
        by: z.enum(usageSteps),
        timeZone: z.string(),
        /** The first and the last day. */
        from: date(),
        to: date(),
        /** True while meetings from before the counters are still being counted. */
        filling: z.boolean(),
        total: z.strictObject(counters),
        periods: z.array(period),
      })
      .meta({ title: "Usage" }),
  }),
  status: 200,
  refusals: [],
});

export const downloadUsage = operation({
  ...usage,
  id: "downloadUsage",
  path: "/api/usage/csv",
  summary: "The same as a table for spreadsheets",
  input: periods.check(spanOfTime),
  sent: periods,
  file: ["text/csv"],
  reply: z.string(),
  status: 200,
  refusals: [],
});

const days = says("not_whole_number", { min: 1, max: 3650 });
const unusedFor = z
  .string({ error: days })
  .regex(/^[1-9][0-9]{0,3}$/, { error: days })
  .transform(Number)
  .refine((value) => value <= 3650, { error: days, when: ({ issues }) => issues.length === 0 })
  .optional()
  .meta({ description: "Only what was not used in so many days, instead of `from` and `to`." });
const sentUnused = z
  .int()
  .min(1)
  .max(3650)
  .optional()
  .describe("Only what was not used in so many days, instead of `from` and `to`.");

const list = z.object({ page: queryPage, limit: cutLimit.taken, ...filter, unusedFor });
const sentList = list.extend({ page: sentPage, limit: cutLimit.sent, unusedFor: sentUnused });

const room = z
  .strictObject({
    roomId: z.string(),
    roomName: z.string(),
    meetings: z.int(),
    people: z.int(),
    minutes: z.int(),
    /** When its last meeting ended; null if there was none. */
    lastUsedAt: instant().nullable(),
  })
  .meta({ title: "RoomUsage" });
export type RoomUsage = z.output<typeof room>;

export const listRoomUsage = operation({
  ...usage,
  id: "listRoomUsage",
  path: "/api/usage/rooms",
  summary: "The busiest rooms, or those that were not used for some days",
  input: list.check(spanOfTime),
  sent: sentList,
  reply: success({ rooms: z.array(room), pagination }),
  status: 200,
  refusals: [],
});

const person = z
  .strictObject({
    userId: z.string(),
    name: z.string(),
    email: z.string(),
    meetings: z.int(),
    minutes: z.int(),
    /** When the person's last meeting began; null if none is known. */
    lastUsedAt: instant().nullable(),
  })
  .meta({ title: "PersonUsage" });
export type PersonUsage = z.output<typeof person>;

export const listPeopleUsage = operation({
  ...usage,
  id: "listPeopleUsage",
  path: "/api/usage/people",
  summary: "The people who were in most meetings, or in none for some days",
  input: list
    .extend({ tag: textField(100).optional().describe("Only people with this tag.") })
    .check(spanOfTime),
  sent: sentList.extend({ tag: textField(100).optional().describe("Only people with this tag.") }),
  reply: success({
    people: z.array(person),
    /** The covered days: no more than meetings are kept (`meetingDays`); null if not requested. */
    unusedFor: z.int().nullable(),
    pagination,
  }),
  status: 200,
  refusals: [],
});
