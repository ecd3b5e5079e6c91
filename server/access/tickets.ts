import { randomUUID } from "node:crypto";
import { settingsOf } from "../../contract/kit/organization-settings.ts";
import type { Facts } from "../change/history.ts";
import type { Change, Queries } from "../change/organization.ts";
import { type Seal, SealError } from "../db/seal.ts";
import type { UserRow } from "../db/tables.ts";
import { Refusal, refuse } from "../lib/refusal.ts";
import { hasFactor } from "./authenticator.ts";

/*
 * The later steps of a sign-in. The step before gives a ticket: sealed and not stored, for one step of one account
 * and its current password, for some minutes and one sign-in.
 */

/** The step that a ticket opens. */
type Step = "second step" | "new password";
/** How long a ticket lasts, in milliseconds. */
export const TICKET_MS = 5 * 60_000;

interface Ticket {
  readonly id: string;
  readonly userId: string;
  readonly credentials: number;
  /** When the account was made: another one may get the ID of a deleted one. */
  readonly createdAt: string;
  /** In milliseconds. */
  readonly until: number;
}

/** The ticket of somebody who must choose a new password. */
interface PasswordTicket extends Ticket {
  /** By what the steps before were taken, as the history keeps it. */
  readonly facts: Facts | null;
  /** Whether a second factor was given. */
  readonly byFactor: boolean;
}

/** The content of a ticket; undefined if it is over, for another step, or not from this service. */
const read = <T extends Ticket>(seal: Seal, ticket: string, step: Step): T | undefined => {
  try {
    const written = JSON.parse(seal.open(ticket, step)) as T;
    return written.until > Date.now() ? written : undefined;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
};

/** The content of a ticket for the second step; undefined if it opens nothing. */
export const readTicket = (seal: Seal, ticket: string): Ticket | undefined =>
  read<Ticket>(seal, ticket, "second step");

/** The content of a ticket for a new password; undefined if it opens nothing. */
export const readPasswordTicket = (seal: Seal, ticket: string): PasswordTicket | undefined =>
  read<PasswordTicket>(seal, ticket, "new password");

/** Whose sign-in a ticket belongs to. @throws Refusal `session_ended` if the password is another one by now */
export const ownerOfTicket = async (
  read: Queries,
  { userId, credentials, createdAt }: Ticket,
): Promise<UserRow> =>
  (await read
    .selectFrom("users")
    .selectAll()
    .where("id", "=", userId)
    .where("credentials", "=", credentials)
    .where("created_at", "=", createdAt)
    .where("gone_at", "is", null)
    .executeTakeFirst()) ?? refuse("session_ended");

/** The part of an account that a ticket is bound to. */
type SentOn = Pick<UserRow, "id" | "credentials" | "created_at">;

/** Ends a step with a ticket for the next one. */
const sendOn = (
  seal: Seal,
  step: Step,
  { id: userId, credentials, created_at: createdAt }: SentOn,
  more: Omit<PasswordTicket, keyof Ticket> | null = null,
): never => {
  const until = Date.now() + TICKET_MS;
  const ticket: Ticket = { id: randomUUID(), userId, credentials, createdAt, until, ...more };
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
export const demandFactor = async (tx: Queries, seal: Seal, user: SentOn): Promise<void> => {
  if (await hasFactor(tx, user.id)) sendOn(seal, "second step", user);
};

/**
 * Refuses a sign-in by a password that must be replaced.
 *
 * @throws Refusal `password_to_choose` with a ticket
 */
export const demandNewPassword = (
  seal: Seal,
  user: SentOn & Pick<UserRow, "must_choose_password">,
  taken: Pick<PasswordTicket, "facts" | "byFactor">,
): void => {
  if (user.must_choose_password) sendOn(seal, "new password", user, taken);
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
  { organization }: Pick<Change, "organization">,
  { admin }: Pick<UserRow, "admin">,
): boolean => {
  const { secondFactorFor } = settingsOf(organization);
  return secondFactorFor === "everybody" || (secondFactorFor === "administrators" && admin);
};
