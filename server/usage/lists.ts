import { sql } from "kysely";
import type { Checked } from "../../contract/kit/operation.ts";
import { settingsOf } from "../../contract/kit/organization-settings.ts";
import type {
  listPeopleUsage,
  listRoomUsage,
  PersonUsage,
  RoomUsage,
} from "../../contract/organization/usage.ts";
import type { Organization } from "../change/organization.ts";
import { hasText } from "../db/dialect.ts";
import { DAY_MS } from "../lib/durations.ts";
import { inRooms, withRooms } from "./filter.ts";
import { periodsOf } from "./periods.ts";
import { askedDays } from "./usage.ts";

/** One page of a list, and the total. */
interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** The end of a query for one page. */
const pageOf = ({ page, limit }: { readonly page: number; readonly limit: number }) => {
  const offset = Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER);
  return sql`limit ${limit} offset ${offset}`;
};

/** The whole span of the requested days. */
const spanOf = (asked: Parameters<typeof askedDays>[0]) => {
  const periods = periodsOf(askedDays(asked), "month");
  return { from: periods[0]?.from ?? "", to: periods.at(-1)?.to ?? "" };
};

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
const minutesOf = (seconds: unknown): number => Math.round(Number(seconds ?? 0) / 60);

type Found = Readonly<Record<string, unknown>>;

/** Reads a page of a query, and the total. */
const readPage = async (
  { scan }: Organization,
  before: ReturnType<typeof sql>,
  found: ReturnType<typeof sql>,
  order: ReturnType<typeof sql>,
  asked: Parameters<typeof pageOf>[0],
): Promise<Page<Found>> => {
  const { rows } = await sql<Found>`${before}
    select f.*, count(*) over () as total from (${found}) f ${order} ${pageOf(asked)}`.execute(
    scan,
  );
  const [first] = rows;
  if (first !== undefined || asked.page === 1) return { rows, total: Number(first?.total ?? 0) };
  // A page after the last one has no row with the total.
  const counted = await sql<Found>`${before} select count(*) as total from (${found}) f`.execute(
    scan,
  );
  return { rows, total: Number(counted.rows[0]?.total ?? 0) };
};

/** Rooms with meetings in the requested days, most person-time first. */
const busiestRooms = (organization: Organization, asked: Checked<typeof listRoomUsage>) => {
  const { from, to } = spanOf(asked);
  const found = sql`
    select r.room, r.name, m.meetings, m.people, m.seconds,
      (select max(ended_at) from usage_meetings l where l.room_id = r.id) as last_used_at
    from (
      select room_id, count(*) as meetings, sum(people) as people, sum(person_seconds) as seconds
      from usage_meetings
      where organization_id = ${organization.id} and started_at >= ${from} and started_at < ${to}
        ${inRooms(asked)}
      group by room_id
    ) m join rooms r on r.id = m.room_id
    where r.deleted_at is null`;
  return { found, order: sql`order by seconds desc, room` };
};

/** Rooms without a meeting in the last days, longest unused first. */
const unusedRooms = ({ id }: Organization, asked: Checked<typeof listRoomUsage>, days: number) => {
  const since = daysAgo(days);
  // A room's type is in its record; without a meeting, the type of the last meeting is unknown.
  const isOfType = (roomType: string) =>
    sql`r.record like ${`%"roomType":${JSON.stringify(roomType)}%`}`;
  const found = sql`
    select r.room, r.name, 0 as meetings, 0 as people, 0 as seconds,
      (select max(ended_at) from usage_meetings l where l.room_id = r.id) as last_used_at
    from rooms r
    where r.organization_id = ${id} and r.deleted_at is null and r.created_at < ${since}
      and not exists (
        select 1 from usage_meetings u where u.room_id = r.id and u.ended_at >= ${since})
      and r.id not in (
        select o.room_id from meetings o
        where o.organization_id = ${id} and o.started_at is not null and o.ended_at is null)
      ${inRooms(asked, { isOfType, roomId: sql`r.id` })}`;
  return { found, order: sql`order by coalesce(last_used_at, ''), room` };
};

/** The busiest rooms, or those unused for some days. @throws Refusal `invalid_input` */
export const roomUsage = async (
  organization: Organization,
  asked: Checked<typeof listRoomUsage>,
): Promise<Page<RoomUsage>> => {
  const { unusedFor } = asked;
  const { found, order } =
    unusedFor === undefined
      ? busiestRooms(organization, asked)
      : unusedRooms(organization, asked, unusedFor);
  const before = withRooms(organization, asked);
  const { rows, total } = await readPage(organization, before, found, order, asked);
  return {
    total,
    rows: rows.map((row) => ({
      roomId: String(row.room),
      roomName: String(row.name),
      meetings: Number(row.meetings),
      people: Number(row.people),
      minutes: minutesOf(row.seconds),
      lastUsedAt: (row.last_used_at as string | null) ?? null,
    })),
  };
};

type AskedPeople = Checked<typeof listPeopleUsage>;

/** Accounts with this tag, if one is given, that are not deleted. */
const accounts = ({ id, scan }: Organization, { tag }: AskedPeople) => sql`
  p.organization_id = ${id} and p.gone_at is null
  ${tag === undefined ? sql`` : sql`and ${hasText(scan, "p.tags", tag)}`}`;

/** Only meetings in rooms of this type, if one is given. */
const ofType = ({ roomType }: AskedPeople) =>
  roomType === undefined
    ? sql``
    : sql`and exists (select 1 from usage_meetings t
        where t.id = u.meeting_id and t.room_type = ${roomType})`;

/** People who were in meetings in the requested days, most time first. */
const busiestPeople = (organization: Organization, asked: AskedPeople) => {
  const { from, to } = spanOf(asked);
  const found = sql`
    select p.id, p.name, p.email, m.meetings, m.seconds,
      (select max(l.started_at) from usage_people l where l.user_id = p.id) as last_used_at
    from (
      select u.user_id, count(*) as meetings, sum(u.seconds) as seconds
      from usage_people u
      where u.organization_id = ${organization.id} and u.started_at >= ${from}
        and u.started_at < ${to} ${ofType(asked)}
      group by u.user_id
    ) m join users p on p.id = m.user_id
    where ${accounts(organization, asked)}`;
  return { found, order: sql`order by seconds desc, id` };
};

/** People who were in no meeting in the last days, without revoked ones. */
const unusedPeople = (organization: Organization, asked: AskedPeople, days: number) => {
  const since = daysAgo(days);
  const found = sql`
    select p.id, p.name, p.email, 0 as meetings, 0 as seconds,
      (select max(l.started_at) from usage_people l where l.user_id = p.id) as last_used_at
    from users p
    where ${accounts(organization, asked)} and p.account_deleted = ${false}
      and p.created_at < ${since}
      and not exists (
        select 1 from usage_people u
        where u.user_id = p.id and u.started_at >= ${since} ${ofType(asked)})
      and p.id not in (
        select s.user_id from meetings o join seats s on s.meeting_id = o.id
        where o.organization_id = ${organization.id} and o.ended_at is null
          and s.left_at is null and s.joined_at is not null and s.user_id is not null)`;
  return { found, order: sql`order by coalesce(last_used_at, ''), id` };
};

/** The days for which attendance still exists. */
const knownDays = async ({ id, read }: Organization, days: number): Promise<number> => {
  const row = await read
    .selectFrom("organizations")
    .select("settings")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return Math.min(days, settingsOf(row).meetingDays ?? days);
};

/**
 * The people who were in most meetings, or in none for some days.
 *
 * @throws Refusal `invalid_input`
 */
export const peopleUsage = async (
  organization: Organization,
  asked: AskedPeople,
): Promise<Page<PersonUsage> & { readonly unusedFor: number | null }> => {
  const days =
    asked.unusedFor === undefined ? null : await knownDays(organization, asked.unusedFor);
  const { found, order } =
    days === null ? busiestPeople(organization, asked) : unusedPeople(organization, asked, days);
  const { rows, total } = await readPage(organization, sql``, found, order, asked);
  return {
    total,
    unusedFor: days,
    rows: rows.map((row) => ({
      userId: String(row.id),
      name: String(row.name),
      email: String(row.email),
      meetings: Number(row.meetings),
      minutes: minutesOf(row.seconds),
      lastUsedAt: (row.last_used_at as string | null) ?? null,
    })),
  };
};
