import type { Checked } from "../../contract/kit/operation.ts";
import type { Account, editAccount as contract } from "../../contract/people/account.ts";
import type { Change, Organization } from "../change/organization.ts";
import type { UserRow } from "../db/tables.ts";
import { refuse } from "../lib/refusal.ts";
import { findUser, userOf } from "../records/user-queries.ts";
import { editUser } from "./edit.ts";

/** An account, as its person sees it. */
export const presentAccount = ({
  id,
  email,
  name,
  username,
  role,
  admin,
  ...user
}: UserRow): Account => ({
  id,
  email,
  name,
  username,
  role,
  admin,
  timeZone: user.time_zone,
  language: user.language,
  colorScheme: user.color_scheme,
  hiddenNotice: user.hidden_notice,
});

/** The caller's own account. @throws Refusal `account_required` */
export const fetchAccount = async ({
  read,
  id,
  caller: { userId },
}: Organization): Promise<Account> => {
  const user = userId === null ? undefined : await findUser(read, id, userId);
  return presentAccount(user ?? refuse("account_required"));
};

/**
 * Changes what people set for themselves; the history tells of a new name and another language alone.
 *
 * @throws Refusal `account_required`; `invalid_input` on the name
 */
export const editAccount = async (
  change: Change,
  { name, timeZone, language, colorScheme, hiddenNotice }: Checked<typeof contract>,
): Promise<UserRow> => {
  const { tx, caller } = change;
  if (caller.userId === null) return refuse("account_required");
  const user = await userOf(change, caller.userId);
  const isRenamed = name !== undefined && name !== user.name;
  const isTranslated = language !== undefined && language !== user.language;
  if (isRenamed || isTranslated) {
    await editUser(change, {
      userId: user.id,
      name: isRenamed ? name : undefined,
      language,
      ifMatch: undefined,
    });
  }
  return tx
    .updateTable("users")
    .set(({ ref }) => ({
      time_zone: timeZone === undefined ? ref("time_zone") : timeZone,
      color_scheme: colorScheme ?? ref("color_scheme"),
      hidden_notice: hiddenNotice === undefined ? ref("hidden_notice") : hiddenNotice,
    }))
    .where("id", "=", user.id)
    .returningAll()
    .executeTakeFirstOrThrow();
};
