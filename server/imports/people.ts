import type { operations } from "../../contract/index.ts";
import { emailKey } from "../../contract/kit/fields.ts";
import type { Checked } from "../../contract/kit/operation.ts";
import { nobodysDigest } from "../access/passwords.ts";
import type { Facts } from "../change/history.ts";
import { type Change, renewed } from "../change/organization.ts";
import type { Seal } from "../db/seal.ts";
import type { UserRow } from "../db/tables.ts";
import { refuseField } from "../lib/refusal.ts";
import { userFacts } from "../records/facts.ts";
import { findUser } from "../records/user-queries.ts";
import { reactivateUser, revokeUsers, suspendOrRestore } from "../users/accounts.ts";
import { addUser, inviteUser } from "../users/create.ts";
import { editUser } from "../users/edit.ts";
import { type Done, differing, imported } from "./lines.ts";
import type { Given } from "./sheets/given.ts";

/** The inputs of importing people, besides their lines. */
export interface PeopleTools {
  readonly check: {
    readonly createUser: (raw: unknown) => Promise<Checked<(typeof operations)["createUser"]>>;
    readonly editUser: (raw: unknown) => Promise<Checked<(typeof operations)["editUser"]>>;
  };
  readonly seal: Seal;
  /** Where people open Parley. */
  readonly publicUrl: string;
  /** True to send new people an email. */
  readonly emails: boolean;
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

/** The organization's account with this email address, revoked ones included. */
export const findByEmail = async (
  { tx, organization }: Pick<Change, "tx" | "organization">,
  email: string,
): Promise<UserRow | undefined> => {
  const key = emailKey(email);
  if (key === undefined) return undefined;
  return tx
    .selectFrom("users")
    .selectAll()
    .where("organization_id", "=", organization.id)
    .where("email_key", "=", key)
    .where("gone_at", "is", null)
    .executeTakeFirst();
};

/** The person whom a line is about: by ID, otherwise by email. */
const findPerson = async (change: Change, { id, email }: Given): Promise<UserRow | undefined> => {
  const known = text(id) && (await findUser(change.tx, change.organization.id, text(id) ?? ""));
  return known || (await findByEmail(change, text(email) ?? ""));
};

/** An ID from another service, which must fit a list of owners joined by commas, and a path. */
const newId = (id: unknown): string | undefined => {
  if (id === undefined) return undefined;
  const isId = typeof id === "string" && /^[A-Za-z0-9._~-]{1,64}$/.test(id) && !/^\.+$/.test(id);
  if (isId) return id;
  return refuseField("id", "not_new_user_id");
};

const addPerson = async (
  change: Change,
  { id, ...fields }: Given,
  { check, publicUrl }: PeopleTools,
): Promise<UserRow> => {
  const { loginUrl, ...account } = await check.createUser({
    ...imported(fields),
    loginUrl: publicUrl,
  });
  const digest = await nobodysDigest();
  return addUser(change, { ...account, id: newId(id) }, { password: "", digest });
};

const changePerson = async (
  change: Change,
  user: UserRow,
  fields: Given,
  { check }: PeopleTools,
): Promise<UserRow> => {
  const edit = await check.editUser({ ...fields, userId: user.id });
  return editUser(change, { ...edit, ifMatch: undefined });
};

/** @returns whether the account's state changed */
const setState = async (
  change: Change,
  user: UserRow,
  { accountDeleted, accountSuspended }: Given,
): Promise<boolean> => {
  let current = change;
  let changed = false;
  const isRevoked = user.account_deleted;
  if (accountDeleted === false && isRevoked) {
    await reactivateUser(current, { userId: user.id });
    changed = true;
    current = await renewed(change);
  }
  const revoked = isRevoked && accountDeleted !== false;
  if (
    typeof accountSuspended === "boolean" &&
    !revoked &&
    accountSuspended !== (user.account_suspended && !isRevoked)
  ) {
    const action = accountSuspended ? "suspend" : "restore";
    await suspendOrRestore(current, { userId: user.id, action });
    changed = true;
  }
  if (accountDeleted === true && !isRevoked) {
    await revokeUsers(current, [user.id]);
    changed = true;
  }
  return changed;
};

/** @throws Refusal when a state is neither true nor false */
const refuseStates = (given: Given): void => {
  for (const field of ["accountSuspended", "accountDeleted"] as const) {
    const value = given[field];
    if (value !== undefined && typeof value !== "boolean") {
      refuseField(field, "not_true_or_false");
    }
  }
};

/**
 * Carries out a line about a person, by the rules that create, edit, suspend and revoke.
 *
 * @throws Refusal of these rules, or of a field
 */
export const importPerson = async (
  change: Change,
  given: Given,
  tools: PeopleTools,
): Promise<Done> => {
  refuseStates(given);
  const { id, accountSuspended, accountDeleted, ...fields } = given;
  const found = await findPerson(change, given);
  if (found === undefined) {
    const user = await addPerson(change, { ...fields, id }, tools);
    await setState(await renewed(change), user, given);
    const isActive = accountSuspended !== true && accountDeleted !== true;
    if (tools.emails && isActive) await inviteUser(change, user, tools);
    return { outcome: "created", id: user.id };
  }
  const different = differing(fields, { language: null, ...userFacts(found) } as Facts);
  const edited = Object.keys(different).length > 0;
  const user = edited ? await changePerson(change, found, different, tools) : found;
  const turned = await setState(edited ? await renewed(change) : change, user, given);
  return { outcome: edited || turned ? "changed" : "same", id: user.id };
};
