import { sql } from "kysely";
import { settingsOfNew } from "../../contract/kit/organization-settings.ts";
import { changedFacts, type Facts, keepHistory } from "../change/history.ts";
import { type Change, operator, type Queries } from "../change/organization.ts";
import { isUniqueViolation } from "../db/errors.ts";
import type { OrganizationRow } from "../db/tables.ts";
import { foldCase } from "../lib/fold.ts";
import { uuid7 } from "../lib/id.ts";

/** The settings of an organization; null for no limit or no label. */
export interface Plan {
  readonly plan: string | null;
  readonly max_rooms: number | null;
  readonly max_users: number | null;
}

/** A refusal of the command line, as a sentence for the operator. */
export class OrganizationError extends Error {
  override readonly name = "OrganizationError";
}

/** The key by which names are compared. */
const nameKey = (name: string): string => {
  const key = foldCase(name.trim());
  if (key !== "" && name.length <= 200) return key;
  throw new OrganizationError("The name of an organization has 1 to 200 characters.");
};

const taken = (name: string): never => {
  throw new OrganizationError(`An organization is already called "${name.trim()}".`);
};

/**
 * Makes an organization.
 *
 * @throws OrganizationError when the name is taken or empty
 */
export const createOrganization = async (
  { tx, send }: Pick<Change, "tx" | "send">,
  name: string,
  plan: Partial<Plan> = {},
): Promise<OrganizationRow> => {
  const added = await tx
    .insertInto("organizations")
    .values({
      id: uuid7(),
      name: name.trim(),
      name_key: nameKey(name),
      plan: plan.plan ?? null,
      max_rooms: plan.max_rooms ?? null,
      max_users: plan.max_users ?? null,
      used_rooms: 0,
      used_users: 0,
      users_by_role: "[]",
      settings: JSON.stringify(settingsOfNew),
      created_at: new Date().toISOString(),
    })
    .onConflict((conflict) => conflict.column("name_key").doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!added) return taken(name);
  const subject = { kind: "organization", id: added.id, name: added.name } as const;
  const change = {
    tx,
    send,
    organization: added,
    caller: operator,
    now: added.created_at,
    address: null,
  };
  const end = keepHistory(change, [
    { kind: "organizationCreated", subject, after: factsOf(added) },
  ]);
  return { ...added, ...end };
};

/** The fields of an organization that the history keeps. */
const factsOf = ({ name, plan, max_rooms, max_users }: OrganizationRow): Facts => ({
  name,
  plan,
  maxRooms: max_rooms,
  maxUsers: max_users,
});

/** All organizations, oldest first. */
export const listOrganizations = (db: Queries): Promise<OrganizationRow[]> =>
  db.selectFrom("organizations").selectAll().orderBy("created_at").orderBy("id").execute();

/**
 * The organization of this ID or name.
 *
 * @throws OrganizationError when there is none
 */
export const organizationNamed = async (
  db: Queries,
  idOrName: string,
): Promise<OrganizationRow> => {
  const found = await db
    .selectFrom("organizations")
    .selectAll()
    .where((eb) => eb.or([eb("id", "=", idOrName), eb("name_key", "=", foldCase(idOrName.trim()))]))
    .orderBy(sql`case when id = ${idOrName} then 0 else 1 end`)
    .executeTakeFirst();
  if (!found) {
    throw new OrganizationError(
      `There is no organization "${idOrName}". "parley org list" shows those that there are.`,
    );
  }
  return found;
};

/**
 * Changes the given settings of an organization: its name or plan.
 *
 * @throws OrganizationError when the name is taken or empty
 */
export const setOrganization = async (
  { tx, organization, happened }: Change,
  { name, ...plan }: Partial<Plan> & { readonly name?: string },
): Promise<OrganizationRow> => {
  try {
    const changed = await tx
      .updateTable("organizations")
      .set((eb) => ({
        used_rooms: eb.ref("used_rooms"),
        ...(name !== undefined && { name: name.trim(), name_key: nameKey(name) }),
        ...plan,
      }))
      .where("id", "=", organization.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const subject = { kind: "organization", id: changed.id, name: changed.name } as const;
    const facts = changedFacts(factsOf(organization), factsOf(changed));
    happened({ kind: "organizationEdited", subject, ...facts });
    return changed;
  } catch (error) {
    if (name !== undefined && isUniqueViolation(error, "organizations", "name_key")) taken(name);
    throw error;
  }
};
