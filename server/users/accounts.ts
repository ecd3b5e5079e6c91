import { emailKey } from "../../contract/kit/fields.ts";
import type { Checked } from "../../contract/kit/operation.ts";
import { wrong } from "../../contract/kit/reasons.ts";
import type { Code } from "../../contract/kit/texts.ts";
import type { reactivateUser as reactivateContract } from "../../contract/people/users.ts";
import { endTokens } from "../access/tokens.ts";
import { changedFacts, userSubject } from "../change/history.ts";
import { forgetAnswers } from "../change/kept-answers.ts";
import type { Change, Queries } from "../change/organization.ts";
import { demandProof } from "../change/proof.ts";
import type { UserRow } from "../db/tables.ts";
import { erasePeople } from "../history/forget.ts";
import { Refusal, refuse } from "../lib/refusal.ts";
import { removeLetters, withdrawLetters } from "../mail/outbox.ts";
import { shutOut } from "../meetings/doors/expel.ts";
import { eraseNames } from "../meetings/state/erase-person.ts";
import { recount } from "../records/user-counters.ts";
import { keepFromAdministrators, userOf } from "../records/user-queries.ts";
import { changesState, objection, type Trigger } from "../records/user-states.ts";
import { shortenDeliveries } from "../webhooks/forget.ts";
import { keepAdministrator } from "./administrators.ts";
import { forgetLines } from "./forget-imports.ts";
import { makeFormer, mendPiece } from "./former.ts";
import type { IdAndEmail } from "./import-telling.ts";

/**
 * Ends what was sealed for people and outlasts their sessions: links to choose a password, tickets of sign-ins, passes
 * to live streams. Their passwords stay, and so do letters that wait.
 */
const endSealed = async (tx: Queries, ids: readonly string[]): Promise<void> => {
  await tx
    .updateTable("users")
    .set(({ eb }) => ({ credentials: eb("credentials", "+", 1) }))
    .where("id", "in", ids)
    .execute();
  await tx
    .updateTable("letters")
    .set(({ eb }) => ({ credentials: eb("credentials", "+", 1) }))
    .where("user_id", "in", ids)
    .where("state", "in", ["waiting", "refused"])
    .execute();
};

/** Asks for a proof before an administrator comes back, who could do what the session may not. */
const demandProofFor = (change: Change, people: readonly UserRow[]): void => {
  if (people.some(({ admin }) => admin)) demandProof(change);
};

/**
 * Suspends or restores a person (interface.md, Suspend or restore). Suspension ends every token and link to choose
 * a password, and the person's seats in meetings.
 *
 * @throws Refusal `user_not_found`, `user_is_revoked`, `own_account`, `last_administrator`, `proof_needed`
 */
export const suspendOrRestore = async (
  change: Change,
  { userId, action }: { readonly userId: string; readonly action: "suspend" | "restore" },
): Promise<Pick<UserRow, "id" | "account_suspended">> => {
  const user = await userOf(change, userId);
  await setSuspension(change, action, [user]);
  return { id: user.id, account_suspended: action === "suspend" };
};

/**
 * Suspends or restores people: all of them, or none. People who are in that state already are skipped.
 *
 * @throws Refusal `user_is_revoked`, `own_account`, `last_administrator`, `proof_needed`
 */
export const setSuspension = async (
  change: Change,
  action: "suspend" | "restore",
  accounts: readonly UserRow[],
): Promise<void> => {
  const account_suspended = action === "suspend";
  if (account_suspended && accounts.some(({ id }) => id === change.caller.userId)) {
    refuse("own_account");
  }
  const changed = accounts.filter((account) => changesState(action, account));
  if (changed.length === 0) return;
  if (account_suspended) await keepAdministrator(change, changed);
  else demandProofFor(change, changed);
  const ids = changed.map(({ id }) => id);
  await change.tx
    .updateTable("users")
    .set({ account_suspended, updated_at: change.now })
    .where("id", "in", ids)
    .execute();
  change.happened(
    ...changed.map((user) => ({
      kind: account_suspended ? ("userSuspended" as const) : ("userRestored" as const),
      subject: userSubject(user),
      before: { accountSuspended: !account_suspended },
      after: { accountSuspended: account_suspended },
    })),
  );
  if (!account_suspended) return;
  await endTokens(change.tx, ids);
  await endSealed(change.tx, ids);
  await shutOut(change, ids);
};

/** A person whose access begins or ends, and whether they are suspended afterwards. */
export interface AccessChange {
  readonly user: UserRow;
  readonly suspended: boolean;
}

const setAccess = async (
  { tx, now }: Change,
  turns: readonly AccessChange[],
  account_deleted: boolean,
): Promise<void> => {
  for (const account_suspended of [false, true]) {
    const ids = turns
      .filter(({ suspended }) => suspended === account_suspended)
      .map(({ user }) => user.id);
    if (ids.length === 0) continue;
    await tx
      .updateTable("users")
      .set({ account_deleted, account_suspended, updated_at: now })
      .where("id", "in", ids)
      .execute();
  }
};

/** How an error names an entry of a bulk operation. */
export type FieldOf = (index: number) => string;

/** Makes the check of a bulk operation that changes states: why an account is refused, if it is. */
export const stateErrors =
  ({ caller }: Pick<Change, "caller">, trigger: Trigger) =>
  (row: UserRow): Code | undefined =>
    row.id === caller.userId ? "own_account" : objection(trigger, row);

/**
 * The accounts of a bulk operation, each once.
 *
 * @throws Refusal of the first entry that is refused, with all of them in `errors`
 */
export const accountsFor = async (
  change: Change,
  ids: readonly string[],
  fieldOf: FieldOf,
  errorOf: (row: UserRow) => Code | undefined,
): Promise<UserRow[]> => {
  const { tx, organization } = change;
  const rows = await tx
    .selectFrom("users")
    .selectAll()
    .where("organization_id", "=", organization.id)
    .where("id", "in", [...new Set(ids)])
    .where("gone_at", "is", null)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const inTheWay = ids.flatMap((id, index): { readonly code: Code; readonly field: string }[] => {
    const row = byId.get(id);
    const code = row === undefined ? "user_not_found" : errorOf(row);
    return code === undefined ? [] : [{ code, field: fieldOf(index) }];
  });
  if (inTheWay[0]) {
    const errors = inTheWay.map(({ code, field }) => wrong(field, code));
    throw new Refusal(inTheWay[0].code, errors);
  }
  keepFromAdministrators(change, rows);
  return rows;
};

/**
 * Revokes people: all of them, or none (interface.md, Revoke users). Ends their tokens and
 * their seats in meetings, and withdraws their letters.
 *
 * @throws Refusal `user_not_found`, `own_account`, `last_administrator`
 */
export const revokeUsers = async (change: Change, ids: readonly string[]): Promise<void> => {
  const fieldOf: FieldOf = (index) => `[${index}].userId`;
  const accounts = await accountsFor(change, ids, fieldOf, stateErrors(change, "revoke"));
  const active = accounts.filter((account) => changesState("revoke", account));
  if (active.length === 0) return;
  // A suspended person stays suspended.
  const turns = active.map((user) => ({ user, suspended: user.account_suspended }));
  await endAccess(change, turns);
};

/**
 * Revokes people who are not revoked, and sets whether they count as suspended.
 *
 * @throws Refusal `own_account`, `last_administrator`
 */
export const endAccess = async (change: Change, turns: readonly AccessChange[]): Promise<void> => {
  const active = turns.map(({ user }) => user);
  if (active.some(({ id }) => id === change.caller.userId)) refuse("own_account");
  await keepAdministrator(change, active);
  const revoked = active.map(({ id }) => id);
  await setAccess(change, turns, true);
  change.happened(
    ...turns.map(({ user, suspended }) => ({
      kind: "userRevoked" as const,
      subject: userSubject(user),
      ...changedFacts(
        { accountDeleted: false, accountSuspended: user.account_suspended },
        { accountDeleted: true, accountSuspended: suspended },
      ),
    })),
  );
  await endTokens(change.tx, revoked);
  await endSealed(change.tx, revoked);
  await shutOut(change, revoked);
  await withdrawLetters(change.tx, revoked, "with secrets");
  await recount(
    change,
    active.flatMap(({ role }) => [
      { role, revoked: false, by: -1 },
      { role, revoked: true, by: 1 },
    ]),
  );
};

/**
 * Restores a revoked person's full access (interface.md, Reactivate user): also clears the
 * suspension, and keeps the password.
 *
 * @throws Refusal `user_not_found`, `user_not_revoked`, `user_limit`, `proof_needed`
 */
export const reactivateUser = async (
  change: Change,
  { userId, email }: Checked<typeof reactivateContract>,
): Promise<void> => {
  const user = userId ? await userOf(change, userId) : await userByEmail(change, email ?? "");
  keepFromAdministrators(change, [user]);
  changesState("reactivate", user);
  await restoreAccess(change, [{ user, suspended: false }]);
};

/**
 * Reactivates revoked people: all of them, or none.
 *
 * @throws Refusal `user_limit`, `proof_needed`
 */
export const restoreAccess = async (
  change: Change,
  turns: readonly AccessChange[],
): Promise<void> => {
  const { max_users, used_users } = change.organization;
  demandProofFor(
    change,
    turns.map(({ user }) => user),
  );
  if (max_users !== null && used_users + turns.length > max_users) refuse("user_limit");
  await setAccess(change, turns, false);
  change.happened(
    ...turns.map(({ user, suspended }) => ({
      kind: "userReactivated" as const,
      subject: userSubject(user),
      before: { accountDeleted: true, accountSuspended: user.account_suspended },
      after: { accountDeleted: false, accountSuspended: suspended },
    })),
  );
  await recount(
    change,
    turns.flatMap(({ user: { role } }) => [
      { role, revoked: true, by: -1 },
      { role, revoked: false, by: 1 },
    ]),
  );
};

const userByEmail = async ({ tx, organization }: Change, email: string): Promise<UserRow> => {
  const key = emailKey(email);
  const user =
    key === undefined
      ? undefined
      : await tx
          .selectFrom("users")
          .selectAll()
          .where("organization_id", "=", organization.id)
          .where("email_key", "=", key)
          .executeTakeFirst();
  return user ?? refuse("user_not_found");
};

/**
 * Deletes revoked people for good: all of them, or none (interface.md, Delete users permanently).
 * Their email addresses and usernames are free again. The emails to them, their names in the records of
 * meetings, and what they said and wrote there are erased. The rooms that they owned stay. The
 * mender does the long part of the work after the request.
 *
 * @throws Refusal `user_not_found`, `user_not_revoked`, `own_account`, `proof_needed`
 */
export const deleteUsers = async (change: Change, ids: readonly string[]): Promise<void> => {
  const accounts = await accountsToDelete(change, ids);
  demandProof(change);
  await eraseUsers(change, accounts);
  await recount(
    change,
    accounts.map(({ role }) => ({ role, revoked: true, by: -1 })),
  );
};

/**
 * The revoked people who are to be deleted, each once.
 *
 * @throws Refusal `user_not_found`, `user_not_revoked`, `own_account`
 */
export const accountsToDelete = (
  change: Change,
  ids: readonly string[],
  fieldOf: FieldOf = (index) => `[${index}]`,
): Promise<UserRow[]> => accountsFor(change, ids, fieldOf, stateErrors(change, "delete"));

/** Erases the data of people who no longer count as accounts; the mender does the rest. */
export const eraseUsers = async (change: Change, people: readonly IdAndEmail[]): Promise<void> => {
  const gone = people.map(({ id }) => id);
  await removeLetters(change, gone);
  await forgetAnswers(change.tx, gone);
  await shortenDeliveries(change, gone);
  await eraseNames(change, gone);
  await forgetLines(change, people);
  const isLeft = await erasePeople(change, gone);
  // Without a name, because the entry stays when the person's data is gone.
  change.happened(
    ...gone.map((id) => ({ kind: "userDeleted" as const, subject: userSubject({ id, name: "" }) })),
  );
  await makeFormer(change, gone);
  change.leaveWork("chores");
  // Not if history is left to erase: `mendPiece` would not find the entry of the deletion yet, and take
  // all of it for erased.
  if (!isLeft) await mendPiece(change);
};
