import { randomUUID } from "node:crypto";
import { settingsOf } from "../../contract/kit/organization-settings.ts";
import type { Facts } from "../change/history.ts";
import type { Change, Queries } from "../change/organization.ts";
import {
  type AccountKey,
  type AccountNamed,
  findAccount,
  isAccountNamed,
  nameAccount,
} from "../db/account.ts";
import { timeOf } from "../db/now.ts";
import { openUntil, type Seal } from "../db/seal.ts";
import type { OrganizationRow, UserRow } from "../db/tables.ts";
import { Refusal, refuse } from "../lib/refusal.ts";
import { whyKeptOut } from "../records/user-states.ts";
import { hasFactor } from "./authenticator.ts";
import { noteOf, noteOnce } from "./notes.ts";

/*
 * The later steps of a sign-in. The step before gives a ticket: sealed and not stored, for one step of one account
 * and its current password, for some minutes and one sign-in.
 */

/** The step that a ticket opens. */
type Step = "second step" | "new password";
/** How long a ticket lasts, in milliseconds. */
const TICKET_MS = 5 * 60_000;

interface Ticket extends AccountNamed {
  readonly id: string;
  /** In milliseconds, by the database's clock: another process may take the next step. */
  readonly until: number;
}

/** The ticket of somebody who must choose a new password. */
interface PasswordTicket extends Ticket {
  /** By what the steps before were taken, as the history keeps it. */
  readonly facts: Facts | null;
  /** True if a second factor was given. */
  readonly byFactor: boolean;
}

const open = async <T extends Ticket>(
  read: Queries,
  seal: Seal,
  ticket: string,
  step: Step,
): Promise<T> => openUntil<T>(seal, ticket, step, await timeOf(read)) ?? refuse("session_ended");

/** The content of a ticket for the second step. @throws Refusal `session_ended` if it opens nothing */
export const readTicket = (read: Queries, seal: Seal, ticket: string): Promise<Ticket> =>
  open(read, seal, ticket, "second step");

/** The content of a ticket for a new password. @throws Refusal `session_ended` if it opens nothing */
export const readPasswordTicket = (
  read: Queries,
  seal: Seal,
  ticket: string,
): Promise<PasswordTicket> => open(read, seal, ticket, "new password");

/**
 * The account that a ticket signs in.
 *
 * @throws Refusal `account_suspended`, `account_revoked`; `session_ended` if its password was replaced, or its access
 *   ended for a while
 */
export const ownerOfTicket = async (read: Queries, ticket: Ticket): Promise<UserRow> => {
  const user = await findAccount(read, ticket);
  const code = user && whyKeptOut(user);
  if (code) refuse(code);
  return user && isAccountNamed(ticket, user) ? user : refuse("session_ended");
};

/** Uses a ticket up. @throws Refusal `session_ended` if it was used before */
export const useTicket = async (tx: Queries, { id }: Pick<Ticket, "id">): Promise<void> => {
  if (!(await noteOnce(tx, noteOf(TICKET_MS, "ticket", id)))) refuse("session_ended");
};

/** Ends a step with a ticket for the next one. */
const sendOn = async (
  tx: Queries,
  seal: Seal,
  step: Step,
  user: AccountKey,
  more: Omit<PasswordTicket, keyof Ticket> | null = null,
): Promise<never> => {
  const until = (await timeOf(tx)) + TICKET_MS;
  const ticket: Ticket = { id: randomUUID(), ...nameAccount(user), until, ...more };
  const code = step === "second step" ? "second_factor_needed" : "password_to_choose";
  throw new Refusal(code, [], undefined, undefined, {
    ticket: seal.seal(JSON.stringify(ticket), step),
  });
};

/**
 * Refuses a sign-in by the password alone where the account has a second factor.
 *
 * @throws Refusal `second_factor_needed` with a ticket
 */
export const demandFactor = async (tx: Queries, seal: Seal, user: AccountKey): Promise<void> => {
  if (await hasFactor(tx, user.id)) await sendOn(tx, seal, "second step", user);
};

/**
 * Refuses a sign-in by a password that must be replaced.
 *
 * @throws Refusal `password_to_choose` with a ticket
 */
export const demandNewPassword = async (
  tx: Queries,
  seal: Seal,
  user: AccountKey & Pick<UserRow, "must_choose_password">,
  taken: Pick<PasswordTicket, "facts" | "byFactor">,
): Promise<void> => {
  if (user.must_choose_password) await sendOn(tx, seal, "new password", user, taken);
};

/**
 * Refuses a sign-in by anything but a provider where the organization has chosen so.
 *
 * @throws Refusal `provider_required`
 */
export const refuseWithoutProvider = ({ organization }: Pick<Change, "organization">): void => {
  if (settingsOf(organization).signInBy === "providers") refuse("provider_required");
};

/** Returns whether the organization demands a second factor of this person. */
export const isFactorDemanded = (
  organization: Pick<OrganizationRow, "settings">,
  { admin }: Pick<UserRow, "admin">,
): boolean => {
  const { secondFactorFor } = settingsOf(organization);
  return secondFactorFor === "everybody" || (secondFactorFor === "administrators" && admin);
};
