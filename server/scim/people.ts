import { settingsOf } from "../../contract/kit/organization-settings.ts";
import { nobodysDigest } from "../access/passwords.ts";
import { binUsers, hasBin } from "../bin/bin.ts";
import { type Change, type Queries, renewed, timeAfter } from "../change/organization.ts";
import type { Seal } from "../db/seal.ts";
import { checkMatch, type IfMatch } from "../lib/entity-tag.ts";
import { foldCase } from "../lib/fold.ts";
import { keepFromAdministrators } from "../records/user-queries.ts";
import { isUsable, providersOf } from "../sign-in/providers.ts";
import {
  deleteUsers,
  reactivateUser,
  revokeUsers,
  setSuspension,
  suspendOrRestore,
} from "../users/accounts.ts";
import { keepLastAdministrator } from "../users/administrators.ts";
import { addUser, inviteUser } from "../users/create.ts";
import { editUser } from "../users/edit.ts";
import type { WantedPerson } from "./draft.ts";
import { sameUserName } from "./list.ts";
import { currentOf, findScimPerson, type PersonRow, peopleOf, versionOf } from "./person.ts";
import { refuseScim, ScimRefused } from "./refused.ts";

/*
 * The changes that a directory makes to people. The rules of people make them, each with its limits and its history.
 */

/** The dependencies of the rules besides the change. */
export interface ScimTools {
  readonly seal: Seal;
  readonly publicUrl: string;
}

const notFound = (): never => {
  throw new ScimRefused(404, undefined, "There is no person with this ID.");
};

/** The person of this ID, also of another organization: neither is there. @throws ScimRefused */
export const personOf = async (
  db: Queries,
  organizationId: string,
  id: string,
): Promise<PersonRow> => (await findScimPerson(db, organizationId, id)) ?? notFound();

const currentRow = ({ tx, organization }: Change, id: string): Promise<PersonRow> =>
  personOf(tx, organization.id, id);

/** Keeps one userName for one person. @throws ScimRefused `uniqueness` */
const keepUnique = async (
  { tx, organization }: Change,
  userName: string,
  id?: string,
): Promise<void> => {
  const holders = await peopleOf(tx, organization.id)
    .where(sameUserName(organization.id, userName))
    .select("u.id")
    .execute();
  if (holders.some((holder) => holder.id !== id)) {
    refuseScim("uniqueness", "Somebody has this userName already.");
  }
};

/** Keeps what the directory says of a person. */
const describe = async (
  { tx, organization }: Change,
  user_id: string,
  { userName, externalId, givenName, familyName }: WantedPerson,
): Promise<void> => {
  const said = {
    user_name: userName,
    user_name_key: foldCase(userName),
    external_id: externalId,
    given_name: givenName,
    family_name: familyName,
  };
  await tx
    .insertInto("directory_people")
    .values({ user_id, organization_id: organization.id, ...said })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(said))
    .execute();
};

/** Returns whether people come in without a password: then nobody needs an email to choose one. */
const hasProvider = async ({ tx, organization }: Change): Promise<boolean> =>
  settingsOf(organization).signInBy === "providers" ||
  (await providersOf(tx, organization.id)).some(isUsable);

/**
 * Adds a person whom the directory has described. Without a provider to sign in by, an email with a link to
 * choose a password follows.
 *
 * @throws ScimRefused `uniqueness`; Refusal `user_limit`, `email_taken`, `everything_scope_needed`
 */
export const createPerson = async (
  change: Change,
  wanted: WantedPerson,
  tools: ScimTools,
): Promise<PersonRow> => {
  const { email, name, role, admin, tags } = wanted;
  keepFromAdministrators(change, [{ admin }]);
  await keepUnique(change, wanted.userName);
  const account = { email, name, role, admin, tags: [...tags] };
  const user = await addUser(change, account, { password: "", digest: await nobodysDigest() });
  await describe(change, user.id, wanted);
  if (!wanted.active) await setSuspension(change, "suspend", [user]);
  else if (!(await hasProvider(change))) await inviteUser(change, user, tools);
  return currentRow(change, user.id);
};

/** The input of an edit by the rules of people: only what differs. */
const editOf = (wanted: WantedPerson, current: WantedPerson) => ({
  ...(wanted.email !== current.email && { email: wanted.email }),
  ...(wanted.name !== current.name && { name: wanted.name }),
  ...(wanted.role !== current.role && { role: wanted.role }),
  ...(wanted.admin !== current.admin && { admin: wanted.admin }),
  ...(JSON.stringify(wanted.tags) !== JSON.stringify(current.tags) && { tags: [...wanted.tags] }),
});

/** Suspends or restores a person, as the directory wants. */
const setActive = async (change: Change, row: PersonRow, active: boolean): Promise<void> => {
  const userId = row.id;
  if (!active) await suspendOrRestore(change, { userId, action: "suspend" });
  else if (row.account_deleted) await reactivateUser(change, { userId });
  else await suspendOrRestore(change, { userId, action: "restore" });
};

/**
 * Changes a person as the directory wants: what differs, and nothing else.
 *
 * @param wantedFrom what the directory wants of the person as they are
 * @throws ScimRefused; Refusal of the rules of people, `precondition_failed`
 */
export const changePerson = async (
  change: Change,
  id: string,
  wantedFrom: (current: WantedPerson) => WantedPerson,
  ifMatch: IfMatch,
): Promise<PersonRow> => {
  const row = await currentRow(change, id);
  checkMatch(ifMatch, versionOf(row));
  const current = currentOf(row);
  const wanted = wantedFrom(current);
  if (JSON.stringify(wanted) === JSON.stringify(current)) return row;
  keepFromAdministrators(change, [row]);
  const isLowered = !wanted.active || !wanted.admin;
  if (isLowered) await keepLastAdministrator(change, row);
  // Also where it stays: the address of somebody not described yet may be somebody else's userName.
  await keepUnique(change, wanted.userName, id);
  await describe(change, id, wanted);
  const edit = editOf(wanted, current);
  if (Object.keys(edit).length > 0) {
    await editUser(change, { userId: id, ...edit, ifMatch: undefined });
  } else {
    await change.tx
      .updateTable("users")
      .set({ updated_at: timeAfter(change, row.updated_at) })
      .where("id", "=", id)
      .execute();
  }
  if (wanted.active !== current.active) await setActive(await renewed(change), row, wanted.active);
  return currentRow(change, id);
};

/**
 * Deletes a person, whom this revokes: into the recycle bin, if the organization has one.
 *
 * @throws ScimRefused; Refusal `precondition_failed`, `last_administrator`, `everything_scope_needed`
 */
export const deletePerson = async (change: Change, id: string, ifMatch: IfMatch): Promise<void> => {
  const row = await currentRow(change, id);
  checkMatch(ifMatch, versionOf(row));
  keepFromAdministrators(change, [row]);
  await keepLastAdministrator(change, row);
  await revokeUsers(change, [id]);
  const next = await renewed(change);
  await (hasBin(next) ? binUsers : deleteUsers)(next, [id]);
};
