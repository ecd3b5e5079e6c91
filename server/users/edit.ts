import { z } from "zod";
import { emailKey } from "../../contract/kit/fields.ts";
import type { Checked } from "../../contract/kit/operation.ts";
import { type FieldReason, wrong } from "../../contract/kit/reasons.ts";
import { editUser as contract, shownOfUser } from "../../contract/people/users.ts";
import { tellPerson } from "../access/notices.ts";
import { changedFacts, userSubject } from "../change/history.ts";
import { type Change, type Organization, timeAfter } from "../change/organization.ts";
import { demandProof } from "../change/proof.ts";
import { isUniqueViolation } from "../db/errors.ts";
import type { UserRow, UserUpdate } from "../db/tables.ts";
import { checkMatch, type IfMatch } from "../lib/entity-tag.ts";
import { fold } from "../lib/fold.ts";
import { refuse, refuseFields } from "../lib/refusal.ts";
import { shownTextErrors } from "../lib/shown-texts.ts";
import { userFacts } from "../records/facts.ts";
import { userVersionOf } from "../records/present-user.ts";
import { storedEmail, storedSettings } from "../records/user-columns.ts";
import { type Move, recount } from "../records/user-counters.ts";
import { findUser, keepFromAdministrators, userOf } from "../records/user-queries.ts";
import { keepAdministrator } from "./administrators.ts";
import { demandOfPromoted } from "./second-factor.ts";

type Edit = Checked<typeof contract> & { readonly ifMatch: IfMatch };

const { userId, email } = contract.input.shape;
/** An edit that may have unreadable fields. */
const damaged = z.object({ userId, email: email.catch(undefined) });

/**
 * Finds whether somebody else has the email address of an edit that its schema has refused, so that one
 * answer reports all errors. None if the ID of the person cannot be read.
 */
export const moreUserErrors = async (
  { read, id }: Organization,
  given: unknown,
): Promise<readonly FieldReason[]> => {
  const { data } = damaged.safeParse(given);
  const key = emailKey(data?.email ?? "");
  if (data === undefined || key === undefined) return [];
  if ((await findUser(read, id, data.userId)) === undefined) return [];
  const holder = await read
    .selectFrom("users")
    .select("id")
    .where("email_key", "=", key)
    .executeTakeFirst();
  const isTaken = holder !== undefined && holder.id !== data.userId;
  return isTaken ? [wrong("email", "email_taken")] : [];
};

/** The columns that an edit sets: only what is supplied. */
const columnsOf = (edit: Edit): UserUpdate => ({
  ...(edit.email !== undefined && storedEmail(edit.email)),
  ...(edit.name !== undefined && { name: edit.name, name_key: fold(edit.name) }),
  ...(edit.language !== undefined && { language: edit.language }),
  ...(edit.mustChoosePassword !== undefined && { must_choose_password: edit.mustChoosePassword }),
  ...storedSettings(edit),
});

/**
 * Edits a person, who may be revoked (interface.md, Edit user).
 *
 * @throws Refusal `user_not_found`, `own_account` if callers would take away their own rights,
 *   `last_administrator`, `email_taken`, `precondition_failed`, `proof_needed`, `everything_scope_needed`, or on a
 *   text
 */
export const editUser = async (change: Change, edit: Edit): Promise<UserRow> => {
  const { tx, caller } = change;
  keepFromAdministrators(change, [{ admin: edit.admin === true }]);
  const user = await userOf(change, edit.userId);
  // An administrator could do what the session may not, and a link to a new password goes to the address.
  const isMoved = edit.email !== undefined && emailKey(edit.email) !== user.email_key;
  if (isMoved || (edit.admin === true && !user.admin)) demandProof(change);
  checkMatch(edit.ifMatch, userVersionOf(user));
  if (edit.admin === false && user.admin && user.id === caller.userId) refuse("own_account");
  if (edit.admin === false) await keepAdministrator(change, [user]);
  refuseFields(shownTextErrors(shownOfUser, userFacts(user), edit));
  const edited = await tx
    .updateTable("users")
    .set({ ...columnsOf(edit), updated_at: timeAfter(change, user.updated_at) })
    .where("id", "=", user.id)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) =>
      isUniqueViolation(error, "users", "email_key")
        ? refuse("email_taken")
        : Promise.reject(error),
    );
  const facts = changedFacts(userFacts(user), userFacts(edited));
  change.happened({ kind: "userEdited", subject: userSubject(edited), ...facts });
  if (edited.email_key !== user.email_key) {
    for (const recipient of [user.email, edited.email]) {
      await tellPerson(change, edited, "emailChanged", { recipient });
    }
  }
  if (edited.admin && !user.admin) await demandOfPromoted(change, edited);
  if (edited.role !== user.role) {
    const revoked = user.account_deleted;
    const moves: Move[] = [
      { role: user.role, revoked, by: -1 },
      { role: edited.role, revoked, by: 1 },
    ];
    await recount(change, moves);
  }
  return edited;
};
