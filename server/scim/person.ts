import { initialUserSettings } from "../../contract/people/settings.ts";
import type { Queries } from "../change/organization.ts";
import type { UserRow } from "../db/tables.ts";
import { entityTagOf } from "../lib/entity-tag.ts";
import { fieldOf } from "../records/user-columns.ts";
import type { WantedPerson } from "./draft.ts";
import { keyOf, PARLEY_SCHEMA, type ScimFields, USER_SCHEMA } from "./names.ts";
import type { Locate } from "./schemas.ts";

/** The columns of what the directory says; null for people whom it has not described yet. */
interface DirectoryColumns {
  readonly user_name: string | null;
  readonly external_id: string | null;
  readonly given_name: string | null;
  readonly family_name: string | null;
}

/** An account with what the directory says of it. */
export type PersonRow = UserRow & DirectoryColumns;

/** The columns of a person's row that the directory keeps. */
export const directoryColumns = [
  "d.user_name",
  "d.external_id",
  "d.given_name",
  "d.family_name",
] as const;

/** The accounts of an organization, revoked ones too, with what the directory says of them. */
export const peopleOf = (db: Queries, organizationId: string) =>
  db
    .selectFrom("users as u")
    .leftJoin("directory_people as d", "d.user_id", "u.id")
    .where("u.organization_id", "=", organizationId)
    .where("u.gone_at", "is", null);

/** The person of this ID in an organization. */
export const findScimPerson = (
  db: Queries,
  organizationId: string,
  id: string,
): Promise<PersonRow | undefined> =>
  peopleOf(db, organizationId)
    .where("u.id", "=", id)
    .selectAll("u")
    .select(directoryColumns)
    .executeTakeFirst();

/** A person as they are, in the terms of a directory. */
export const currentOf = (row: PersonRow): WantedPerson => ({
  externalId: row.external_id,
  // Somebody whom the directory has not described yet is found by their address.
  userName: row.user_name ?? row.email,
  givenName: row.given_name,
  familyName: row.family_name,
  email: row.email,
  name: row.name,
  active: !row.account_suspended && !row.account_deleted,
  role: row.role,
  admin: row.admin,
  tags: fieldOf(row, "tags") as string[],
});

/** The source of a person's version. */
export const versionOf = (row: PersonRow): string =>
  JSON.stringify([currentOf(row), row.updated_at]);

/** A person as SCIM shows them. */
export const presentScimPerson = (row: PersonRow, locate: Locate) => {
  const { externalId, userName, givenName, familyName, ...person } = currentOf(row);
  const name = {
    ...(familyName !== null && { familyName }),
    ...(givenName !== null && { givenName }),
  };
  const { role, admin, tags } = person;
  // Left out where it is as for a new person.
  const isUsual = role === initialUserSettings.role && !admin && tags.length === 0;
  return {
    schemas: isUsual ? [USER_SCHEMA] : [USER_SCHEMA, PARLEY_SCHEMA],
    id: row.id,
    ...(externalId !== null && { externalId }),
    userName,
    ...(Object.keys(name).length > 0 && { name }),
    displayName: person.name,
    emails: [{ value: person.email, type: "work", primary: true }],
    active: person.active,
    ...(!isUsual && {
      [PARLEY_SCHEMA]: { role, admin, ...(tags.length > 0 && { tags }) },
    }),
    meta: {
      resourceType: "User",
      created: row.created_at,
      lastModified: row.updated_at,
      location: locate(`/Users/${row.id}`),
      version: entityTagOf(versionOf(row)),
    },
  };
};

/** The attributes that an answer has. */
export interface Projection {
  readonly attributes: readonly string[] | undefined;
  readonly excluded: readonly string[];
}

/** The attributes that every answer has (RFC 7643, 7: returned "always"). */
const always: ReadonlySet<string> = new Set(["schemas", "id"]);

/** An object's fields that are asked for; parts of them by their own names. */
const chosen = (
  fields: ScimFields,
  { attributes, excluded }: Projection,
  within: string,
): ScimFields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
      const key = within + keyOf(name);
      if (within === "" && always.has(key)) return [[name, value]];
      if (excluded.includes(key)) return [];
      const isNamed = attributes === undefined || attributes.includes(key);
      const separator = name.includes(":") ? ":" : ".";
      const inside = `${key}${separator}`;
      const isNamedIn = (keys: readonly string[]) => keys.some((one) => one.startsWith(inside));
      if (!isNamed && !isNamedIn(attributes)) return [];
      const rest = { attributes: isNamed ? undefined : attributes, excluded };
      if (isNamed && !isNamedIn(excluded)) return [[name, value]];
      const part = (one: unknown) => chosen(one as ScimFields, rest, inside);
      return [[name, Array.isArray(value) ? value.map(part) : part(value)]];
    }),
  );

/** A resource with the attributes that are asked for (RFC 7644, 3.9). */
export const project = (resource: ScimFields, shown: Projection): ScimFields =>
  shown.attributes === undefined && shown.excluded.length === 0
    ? resource
    : chosen(resource, shown, "");
