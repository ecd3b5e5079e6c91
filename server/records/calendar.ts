import ical, {
  ICalAttendeeRole,
  ICalCalendarMethod,
  ICalEventRepeatingFreq,
  ICalEventStatus,
  ICalWeekday,
} from "ical-generator";
import { tzlib_get_ical_block } from "timezones-ical-library";
import { isByWeekday, type Weekday } from "../../contract/kit/plain.ts";
import { datesOf, endOf, type Series, startOf } from "./schedule-dates.ts";

/** The facts of a room's dates that a calendar has. */
export interface CalendarEvent extends Series {
  readonly uid: string;
  readonly sequence: number;
  readonly name: string;
}

interface Shown {
  /** Where the room opens; undefined for people who have no link that opens it. */
  readonly link: string | undefined;
  readonly organizer: { readonly name: string; readonly address: string };
  /** The person whom the file invites; without one it only tells of the dates. */
  readonly attendee?: string;
  readonly isCanceled?: boolean;
}

const frequencies = {
  day: ICalEventRepeatingFreq.DAILY,
  weekday: ICalEventRepeatingFreq.WEEKLY,
  week: ICalEventRepeatingFreq.WEEKLY,
  twoWeeks: ICalEventRepeatingFreq.WEEKLY,
  month: ICalEventRepeatingFreq.MONTHLY,
} as const;
const days: Record<Weekday, ICalWeekday> = {
  monday: ICalWeekday.MO,
  tuesday: ICalWeekday.TU,
  wednesday: ICalWeekday.WE,
  thursday: ICalWeekday.TH,
  friday: ICalWeekday.FR,
  saturday: ICalWeekday.SA,
  sunday: ICalWeekday.SU,
};
const fromMondayToFriday: readonly Weekday[] = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
];

/** How a series repeats (RFC 5545, 3.8.5.3): always with a count, which no time zone can shift. */
const repeatingOf = (series: Series) => {
  const { repetition } = series;
  const count = datesOf(series).length;
  if (repetition === null || count === 1) return undefined;
  const { every } = repetition;
  const on = every === "weekday" ? fromMondayToFriday : isByWeekday(every) ? repetition.days : [];
  return {
    freq: frequencies[every],
    count,
    ...(every === "twoWeeks" && { interval: 2, startOfWeek: ICalWeekday.MO }),
    ...(on.length > 0 && { byDay: on.map((day) => days[day]) }),
  };
};

/** A time zone as a calendar describes it, and the name that it has there. */
const zoneOf = (timeZone: string): { readonly name: string; readonly block: string | null } => {
  const [block] = tzlib_get_ical_block(timeZone);
  const name = block && /^TZID:(.+)$/m.exec(block)?.[1]?.trim();
  return block && name ? { name, block } : { name: "UTC", block: null };
};

/** The dates as an iCalendar file (RFC 5545), for one recipient (RFC 5546). */
export const calendarOf = (
  event: CalendarEvent,
  { link, organizer, attendee, isCanceled = false }: Shown,
): { readonly method: "REQUEST" | "CANCEL" | "PUBLISH"; readonly text: string } => {
  const method = isCanceled ? "CANCEL" : attendee === undefined ? "PUBLISH" : "REQUEST";
  const zone = zoneOf(event.timeZone);
  const start = startOf({ ...event, timeZone: zone.name });
  const calendar = ical({
    prodId: { company: "Parley", product: "Parley", language: "EN" },
    method: ICalCalendarMethod[method],
    timezone: { name: null, generator: () => zone.block },
  });
  const made = calendar.createEvent({
    id: event.uid,
    sequence: event.sequence,
    start,
    end: start.add({ minutes: event.minutes }),
    ...(zone.block !== null && { timezone: zone.name }),
    summary: event.name,
    ...(link !== undefined && { location: link, url: link }),
    organizer: { name: organizer.name, email: organizer.address },
    status: isCanceled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  });
  const repeating = repeatingOf(event);
  if (repeating !== undefined) made.repeating(repeating);
  if (attendee !== undefined) {
    made.createAttendee({ email: attendee, role: ICalAttendeeRole.REQ, rsvp: true });
  }
  return { method, text: `${calendar.toString()}\r\n` };
};

/** A moment as the addresses of Google Calendar have it. */
const compact = (moment: string): string => moment.replace(/[-:]|\.\d{3}/g, "");

/** Opens Google Calendar with the dates filled in. */
export const googleLinkOf = (event: CalendarEvent, link: string): string => {
  const url = new URL("https://calendar.google.com/calendar/render?action=TEMPLATE");
  const repeats = calendarOf(event, { link, organizer: { name: "Parley", address: "x@x.invalid" } })
    .text.replaceAll(/\r\n[ \t]/g, "")
    .match(/^RRULE:FREQ=(?:DAILY|WEEKLY|MONTHLY).*$/gm)
    ?.at(-1)
    ?.trim();
  const from = compact(event.startsAt);
  url.searchParams.set("text", event.name);
  url.searchParams.set("dates", `${from}/${compact(endOf(event, event.startsAt))}`);
  url.searchParams.set("ctz", event.timeZone);
  url.searchParams.set("location", link);
  url.searchParams.set("details", link);
  if (repeats !== undefined) url.searchParams.set("recur", repeats);
  return url.href;
};

/** Opens Outlook with the first date filled in. */
export const outlookLinkOf = (event: CalendarEvent, link: string): string => {
  const url = new URL("https://outlook.office.com/calendar/deeplink/compose");
  // Outlook shows a plus sign as it is.
  url.search = Object.entries({
    path: "/calendar/action/compose",
    rru: "addevent",
    subject: event.name,
    startdt: event.startsAt,
    enddt: endOf(event, event.startsAt),
    location: link,
    body: link,
  })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  return url.href;
};
