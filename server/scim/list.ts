import { type RawBuilder, type SqlBool, sql } from "kysely";
import { emailKey } from "../../contract/kit/fields.ts";
import type { Organization, Queries } from "../change/organization.ts";
import { contains } from "../db/dialect.ts";
import { fold, foldCase, termOf } from "../lib/fold.ts";
import { type Comparing, readFilter, type ScimFilter, type Value } from "./filter.ts";
import { keyOf, wordOf } from "./names.ts";
import { directoryColumns, type PersonRow, peopleOf } from "./person.ts";
import { refuseScim } from "./refused.ts";
import { LARGEST } from "./schemas.ts";

/*
 * Which people a filter means, and in which order. What directories ask for most, one person by userName,
 * externalId or address, is found by an index; everything else walks over the organization's people.
 */

type Condition = RawBuilder<SqlBool>;

const emailColumn = sql.ref("u.email_key");
const addressKey = (value: string): string => emailKey(value) ?? foldCase(value);

/** A person's userName in the form that compares; somebody not described yet has their address. */
const userNameColumn = sql<string>`coalesce(${sql.ref("d.user_name_key")}, ${emailColumn})`;

/** The people with this userName: one at most. */
export const sameUserName = (organizationId: string, userName: string): Condition =>
  sql`u.id in (
    select user_id from directory_people
    where organization_id = ${organizationId} and user_name_key = ${foldCase(userName)}
    union all
    select users.id from users
    where users.email_key = ${addressKey(userName)} and users.organization_id = ${organizationId}
    and not exists (select 1 from directory_people where user_id = users.id)
    and not exists (
      select 1 from directory_people
      where organization_id = ${organizationId} and user_name_key = ${foldCase(userName)}
    )
  )`;

const sameExternalId = (organizationId: string, externalId: string): Condition =>
  sql`u.id in (
    select user_id from directory_people
    where organization_id = ${organizationId} and external_id = ${externalId}
  )`;

/** Entries by the keys of attributes: clients choose keys, and an object has some that nobody gave it. */
const mapOf = <V>(entries: Readonly<Record<string, V>>): ReadonlyMap<string, V> =>
  new Map(Object.entries(entries));

/** How texts of a column are compared with one. */
interface Texts {
  readonly column: RawBuilder<unknown>;
  /** The text in the form of the column. */
  readonly keyOf: (text: string) => string;
  readonly equal?: (organizationId: string, text: string) => Condition;
}

const texts: ReadonlyMap<string, Texts> = mapOf({
  id: { column: sql.ref("u.id"), keyOf: (id) => id },
  externalid: {
    column: sql.ref("d.external_id"),
    keyOf: (externalId) => externalId,
    equal: sameExternalId,
  },
  username: { column: userNameColumn, keyOf: foldCase, equal: sameUserName },
  "emails.value": { column: emailColumn, keyOf: addressKey },
});

const times: ReadonlyMap<string, RawBuilder<unknown>> = mapOf({
  "meta.created": sql.ref("u.created_at"),
  "meta.lastmodified": sql.ref("u.updated_at"),
});

const names: ReadonlySet<string> = new Set(["displayname", "name.formatted"]);

const ordered: Partial<Readonly<Record<Comparing, RawBuilder<unknown>>>> = {
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
};

const refuseOperator = (key: string, by: string): never =>
  refuseScim("invalidFilter", `"${by}" is not supported for ${key}.`);

const textOf = (key: string, value: Value): string =>
  typeof value === "string"
    ? value
    : refuseScim("invalidFilter", `${key} compares with a text in quotation marks.`);

/** The length of a text, as the database counts. */
const lengthOf = (text: string) => sql`length(cast(${text} as text))`;

const compareTexts = (
  organizationId: string,
  key: string,
  { column, keyOf: form, equal }: Texts,
  by: Exclude<Comparing, "ne">,
  value: Value,
): Condition => {
  const text = textOf(key, value);
  const part = form === addressKey ? foldCase(text) : form(text);
  switch (by) {
    case "eq":
      return equal?.(organizationId, text) ?? sql`${column} = ${form(text)}`;
    case "co":
      // The same on both databases, also for an expression.
      return sql`(${lengthOf(part)} = 0 or replace(${column}, cast(${part} as text), '') <> ${column})`;
    case "sw":
      return sql`substr(${column}, 1, ${lengthOf(part)}) = ${part}`;
    case "ew":
      return sql`(length(${column}) >= ${lengthOf(part)} and substr(${column}, length(${column}) - ${lengthOf(part)} + 1) = ${part})`;
    default:
      return sql`${column} ${ordered[by] ?? refuseOperator(key, by)} ${part}`;
  }
};

const compareNames = (db: Queries, key: string, by: Comparing, value: Value): Condition => {
  const text = textOf(key, value);
  if (by === "eq") return sql`u.name_key = ${fold(text)}`;
  if (by === "co") return contains(db, "u.name_key", termOf(text));
  if (by !== "sw") return refuseOperator(key, by);
  const start = foldCase(text);
  return sql`substr(u.name_key, 1, ${lengthOf(start)}) = ${start}`;
};

const compareTimes = (
  key: string,
  column: RawBuilder<unknown>,
  by: Comparing,
  value: Value,
): Condition => {
  const time = Date.parse(textOf(key, value));
  if (Number.isNaN(time)) refuseScim("invalidFilter", `${key} compares with a date and time.`);
  const at = new Date(time).toISOString();
  if (by === "eq") return sql`${column} = ${at}`;
  return sql`${column} ${ordered[by] ?? refuseOperator(key, by)} ${at}`;
};

const isActive: Condition = sql`(u.account_suspended = ${false} and u.account_deleted = ${false})`;

const compareActive = (by: Comparing, value: Value): Condition => {
  const word = wordOf(value);
  if (by !== "eq") return refuseOperator("active", by);
  if (word !== "true" && word !== "false") {
    refuseScim("invalidFilter", "active compares with true or false.");
  }
  return word === "true" ? isActive : negated(isActive);
};

/** Where a value is missing, a condition is not met. */
const negated = (condition: Condition): Condition => sql`not coalesce((${condition}), ${false})`;

const refuseAttribute = (key: string): never =>
  refuseScim("invalidFilter", `The filter is not accepted. ${key} cannot be filtered by.`);

/** The attribute that a filter names: `emails` means its values. */
const filteredKey = (key: string): string => (key === "emails" ? "emails.value" : key);

const compare = (
  db: Queries,
  organizationId: string,
  given: string,
  by: Comparing,
  value: Value,
): Condition => {
  const key = filteredKey(given);
  if (by === "ne") return negated(compare(db, organizationId, key, "eq", value));
  const [column, time] = [texts.get(key), times.get(key)];
  if (column) return compareTexts(organizationId, key, column, by, value);
  if (time) return compareTimes(key, time, by, value);
  if (names.has(key)) return compareNames(db, key, by, value);
  return key === "active" ? compareActive(by, value) : refuseAttribute(key);
};

const isPresent = (given: string): Condition => {
  const key = filteredKey(given);
  if (key === "externalid") return sql`d.external_id is not null`;
  const isKnown = texts.has(key) || times.has(key) || names.has(key) || key === "active";
  return isKnown ? sql`1 = 1` : refuseAttribute(key);
};

/** The condition of a filter in the brackets of `emails`: each person has one, of the type work. */
const emailCondition = (db: Queries, organizationId: string, filter: ScimFilter): Condition => {
  if (filter.kind === "compare" && ["type", "primary"].includes(filter.key)) {
    const is = filter.key === "type" ? "work" : "true";
    const isMet = wordOf(filter.value) === is;
    if (filter.by !== "eq" && filter.by !== "ne") return refuseOperator(filter.key, filter.by);
    return isMet === (filter.by === "eq") ? sql`1 = 1` : sql`1 = 0`;
  }
  if (filter.kind === "compare" || filter.kind === "present") {
    const key = `emails.${filter.key}`;
    return conditionOf(db, organizationId, { ...filter, key });
  }
  return combined(filter, (one) => emailCondition(db, organizationId, one));
};

const combined = (filter: ScimFilter, conditionFor: (one: ScimFilter) => Condition): Condition => {
  switch (filter.kind) {
    case "and":
      return sql`(${conditionFor(filter.of[0])} and ${conditionFor(filter.of[1])})`;
    case "or":
      return sql`(${conditionFor(filter.of[0])} or ${conditionFor(filter.of[1])})`;
    case "not":
      return negated(conditionFor(filter.of));
    default:
      return refuseScim("invalidFilter", "Brackets cannot stand in brackets.");
  }
};

/** The condition of a filter. @throws ScimRefused `invalidFilter` */
const conditionOf = (db: Queries, organizationId: string, filter: ScimFilter): Condition => {
  switch (filter.kind) {
    case "compare":
      return compare(db, organizationId, filter.key, filter.by, filter.value);
    case "present":
      return isPresent(filter.key);
    case "values":
      return filter.key === "emails"
        ? emailCondition(db, organizationId, filter.of)
        : refuseAttribute(filter.key);
    default:
      return combined(filter, (one) => conditionOf(db, organizationId, one));
  }
};

/** The attributes by which a list can be ordered. */
const sorted: ReadonlyMap<string, RawBuilder<unknown>> = mapOf({
  id: sql`u.id`,
  username: userNameColumn,
  externalid: sql`coalesce(d.external_id, '')`,
  emails: emailColumn,
  "emails.value": emailColumn,
  displayname: sql`u.name_key`,
  "name.formatted": sql`u.name_key`,
  ...Object.fromEntries(times),
});

/** A query for people. */
export interface Listing {
  readonly filter: string | undefined;
  /** From 1. */
  readonly startIndex: number;
  readonly count: number;
  readonly sortBy: string | undefined;
  readonly descending: boolean;
}

/** Returns whether a filter asks for single people, whom an index finds. */
const isLookup = (filter: ScimFilter | undefined): boolean =>
  filter?.kind === "compare" &&
  filter.by === "eq" &&
  ["id", "externalid", "username", "emails", "emails.value"].includes(filter.key);

/** The people whom a query means, and how many there are in all. @throws ScimRefused */
export const listPeople = async (
  { id, read, scan }: Organization,
  { filter: text, startIndex, count, sortBy, descending }: Listing,
): Promise<{ readonly total: number; readonly rows: readonly PersonRow[] }> => {
  const filter = text === undefined ? undefined : readFilter(text);
  const column = sorted.get(sortBy === undefined ? "id" : keyOf(sortBy));
  if (column === undefined) return refuseScim("invalidValue", `${sortBy} cannot be sorted by.`);
  const db = isLookup(filter) ? read : scan;
  const found = peopleOf(db, id).$if(filter !== undefined, (query) =>
    query.where(conditionOf(db, id, filter as ScimFilter)),
  );
  const counted = await found
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const total = Number(counted.total);
  const size = Math.min(count, LARGEST);
  const skipped = Math.max(startIndex, 1) - 1;
  if (size <= 0 || skipped >= total) return { total, rows: [] };
  const direction = descending ? "desc" : "asc";
  const rows = await found
    .selectAll("u")
    .select(directoryColumns)
    .orderBy(column, direction)
    .orderBy("u.id", direction)
    .limit(size)
    .offset(skipped)
    .execute();
  return { total, rows };
};
