import type { Code } from "../../contract/kit/texts.ts";
import type { UserRow } from "../db/tables.ts";
import { refuse } from "../lib/refusal.ts";

/** The states of an account, as the interface names them (States and transitions). */
export type State = "active" | "suspended" | "revoked" | "permanently deleted";

type Outcome = State | Code;

/**
 * The result of each trigger in each state: the next state, or the code of the refusal. A trigger that leaves
 * the state as it is succeeds and changes nothing.
 */
export const transitions = {
  suspend: { active: "suspended", suspended: "suspended", revoked: "user_is_revoked" },
  restore: { active: "active", suspended: "active", revoked: "user_is_revoked" },
  revoke: { active: "revoked", suspended: "revoked", revoked: "revoked" },
  reactivate: { active: "user_not_revoked", suspended: "user_not_revoked", revoked: "active" },
  delete: {
    active: "user_not_revoked",
    suspended: "user_not_revoked",
    revoked: "permanently deleted",
  },
  "reset password": { active: "active", suspended: "suspended", revoked: "user_is_revoked" },
} as const satisfies Record<string, Record<Exclude<State, "permanently deleted">, Outcome>>;

export type Trigger = keyof typeof transitions;
type Flags = Pick<UserRow, "account_suspended" | "account_deleted">;

/** The state of an account by its flags. A revoked account keeps its suspension flag. */
export const userStateOf = ({ account_suspended, account_deleted }: Flags) =>
  account_deleted ? "revoked" : account_suspended ? "suspended" : "active";

const isState = (outcome: Outcome): outcome is State =>
  ["active", "suspended", "revoked", "permanently deleted"].includes(outcome);

/** Why a trigger is not possible for an account; undefined if it is. */
export const objection = (trigger: Trigger, account: Flags): Code | undefined => {
  const outcome: Outcome = transitions[trigger][userStateOf(account)];
  return isState(outcome) ? undefined : outcome;
};

/** Why an account cannot sign in; undefined where it can. */
export const whyKeptOut = ({
  account_deleted,
  account_suspended,
}: Flags): "account_revoked" | "account_suspended" | undefined => {
  if (account_deleted) return "account_revoked";
  return account_suspended ? "account_suspended" : undefined;
};

/**
 * Returns whether a trigger changes the state of an account.
 *
 * @throws Refusal if it is not possible in the account's state
 */
export const changesState = (trigger: Trigger, account: Flags): boolean => {
  const code = objection(trigger, account);
  if (code !== undefined) refuse(code);
  return transitions[trigger][userStateOf(account)] !== userStateOf(account);
};
