import { type RawBuilder, sql } from "kysely";
import { toCsv } from "../../contract/kit/csv.ts";
import type { Checked, Reply } from "../../contract/kit/operation.ts";
import {
  type getUsage as contract,
  MOST_DAYS,
  type UsageStep,
} from "../../contract/organization/usage.ts";
import type { Organization } from "../change/organization.ts";
import { piecesOf } from "../db/pieces.ts";
import { refuseField } from "../lib/refusal.ts";
import { inRooms, type RoomFilter, withRooms } from "./filter.ts";
import { filteredPeaks } from "./filtered-peaks.ts";
import {
  type AskedDays,
  askedDaysOf,
  type Days,
  dayCountOf,
  type Period,
  periodsOf,
} from "./periods.ts";

/** A longer meeting counts as long. */
const LONG = 300;

/** Small enough for one statement. */
const PIECE = 100;

type Usage = Reply<typeof contract>["usage"];

/** The sums; the database returns numbers, or texts where they may be large. */
interface Sums {
  readonly day: string;
  readonly [name: string]: unknown;
}

const numberOf = (sums: Sums | undefined, name: string): number => Number(sums?.[name] ?? 0);

/**
 * The requested days, or the default ones.
 *
 * @throws Refusal on `from` if they are too many
 */
export const askedDays = (asked: AskedDays, by: UsageStep = "month"): Days => {
  const days = askedDaysOf(asked);
  const most = MOST_DAYS[by];
  if (dayCountOf(days) > most) refuseField("from", "span_too_long", { max: most, until: "to" });
  return days;
};

/**
 * The sums of each period: a statement for a piece of them, in which each has its own place in the
 * index.
 */
const sumsOf = async (
  organization: Organization,
  filter: RoomFilter,
  periods: readonly Period[],
  partOf: (period: Period) => RawBuilder<Sums>,
): Promise<ReadonlyMap<string, Sums>> => {
  const found = new Map<string, Sums>();
  for (const piece of piecesOf(periods, PIECE)) {
    const parts = piece.map(partOf);
    const { rows } = await sql<Sums>`${withRooms(organization, filter)}
      ${sql.join(parts, sql` union all `)}`.execute(organization.scan);
    for (const sums of rows) found.set(sums.day, sums);
  }
  return found;
};

/** The counters of each period, and how they are counted. */
const partsOf = ({ id }: Organization, filter: RoomFilter) => ({
  meetings: ({ day, from, to }: Period) => sql<Sums>`
    select ${day} as day, count(*) as meetings, sum(people) as people, sum(recordings) as recordings,
      sum(case when seconds > ${LONG} then 1 else 0 end) as long_meetings,
      sum(person_seconds) as seconds
    from usage_meetings
    where organization_id = ${id} and started_at >= ${from} and started_at < ${to}
    ${inRooms(filter)}`,
  refused: ({ day, from, to }: Period) => sql<Sums>`
    select ${day} as day, sum(seats) as refused from usage_refused
    where organization_id = ${id} and at >= ${from} and at < ${to} ${inRooms(filter)}`,
  disk: ({ day, from, to }: Period) => sql<Sums>`
    select ${day} as day, sum(bytes) as bytes from recordings
    where organization_id = ${id} and requested_at >= ${from} and requested_at < ${to}
    ${inRooms(filter, {
      roomId: sql`room_id`,
      isOfType: (roomType) => sql`exists (select 1 from usage_meetings u
        where u.id = recordings.meeting_id and u.room_type = ${roomType})`,
    })}`,
  peaks: ({ day, from, to }: Period) => sql<Sums>`
    select ${day} as day, max(peak) as peak from usage_quarters
    where organization_id = ${id} and starts_at >= ${from} and starts_at < ${to}`,
});

/** The peak of people inside, by the first day of the period. */
const peaksOf = async (
  organization: Organization,
  filter: RoomFilter,
  periods: readonly Period[],
): Promise<ReadonlyMap<string, number>> => {
  if (filter.roomType !== undefined || filter.tag !== undefined) {
    const peaks = await filteredPeaks(organization, filter, periods);
    return new Map(periods.map(({ day }, n) => [day, peaks[n] ?? 0]));
  }
  const found = await sumsOf(organization, {}, periods, partsOf(organization, {}).peaks);
  return new Map([...found].map(([day, sums]) => [day, numberOf(sums, "peak")]));
};

/** How much the organization was used. @throws Refusal `invalid_input` for too many days */
export const usageOf = async (
  organization: Organization,
  { by, roomType, tag, ...asked }: Checked<typeof contract>,
): Promise<Usage> => {
  const days = askedDays(asked, by);
  const periods = periodsOf(days, by);
  const filter = { roomType, tag };
  const parts = partsOf(organization, filter);
  const meetings = await sumsOf(organization, filter, periods, parts.meetings);
  const refused = await sumsOf(organization, filter, periods, parts.refused);
  const disk = await sumsOf(organization, filter, periods, parts.disk);
  const peaks = await peaksOf(organization, filter, periods);
  const counted = periods.map((period) => {
    const sums = meetings.get(period.day);
    return {
      ...period,
      meetings: numberOf(sums, "meetings"),
      longMeetings: numberOf(sums, "long_meetings"),
      people: numberOf(sums, "people"),
      minutes: Math.round(numberOf(sums, "seconds") / 60),
      peak: peaks.get(period.day) ?? 0,
      refused: numberOf(refused.get(period.day), "refused"),
      recordings: numberOf(sums, "recordings"),
      bytes: numberOf(disk.get(period.day), "bytes"),
    };
  });
  const all = (count: (period: (typeof counted)[number]) => number): number =>
    counted.reduce((sum, period) => sum + count(period), 0);
  const seconds = [...meetings.values()].reduce((sum, one) => sum + numberOf(one, "seconds"), 0);
  const { usage_filled_to } = await organization.read
    .selectFrom("organizations")
    .select("usage_filled_to")
    .where("id", "=", organization.id)
    .executeTakeFirstOrThrow();
  return {
    by,
    ...days,
    filling: usage_filled_to !== null,
    total: {
      meetings: all((period) => period.meetings),
      longMeetings: all((period) => period.longMeetings),
      people: all((period) => period.people),
      minutes: Math.round(seconds / 60),
      peak: counted.reduce((most, { peak }) => Math.max(most, peak), 0),
      refused: all((period) => period.refused),
      recordings: all((period) => period.recordings),
      bytes: all((period) => period.bytes),
    },
    periods: counted,
  };
};

const COLUMNS = [
  "day",
  "from",
  "to",
  "meetings",
  "longMeetings",
  "people",
  "minutes",
  "peak",
  "refused",
  "recordings",
  "bytes",
] as const;

/** The same as a table's text. @throws Refusal `invalid_input` for too many days */
export async function* usageTable(
  organization: Organization,
  asked: Checked<typeof contract>,
): AsyncGenerator<string> {
  const { periods } = await usageOf(organization, asked);
  yield `${toCsv(COLUMNS, periods)}\r\n`;
}
