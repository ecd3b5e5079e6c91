import { randomUUID } from "node:crypto";
import { settingsOf } from "../../contract/kit/organization-settings.ts";
import type { Change, Queries } from "../change/organization.ts";
import { type Seal, SealError } from "../db/seal.ts";
import type { UserRow } from "../db/tables.ts";
import { Refusal } from "../lib/refusal.ts";
import { hasFactor } from "./authenticator.ts";

/*
 * The second step of a sign-in. The first one gives a ticket: sealed and not stored, for one account and its
 * current password, for some minutes and one sign-in.
 */

/** What a ticket is sealed for. */
const CONTEXT = "second step";
/** How long a ticket lasts, in milliseconds. */
export const TICKET_MS = 5 * 60_000;

interface Ticket {
  readonly id: string;
  readonly userId: string;
  readonly credentials: number;
  /** In milliseconds. */
  readonly until: number;
}

/** The content of a ticket; undefined if it is over or not from this service. */
export const readTicket = (seal: Seal, ticket: string): Ticket | undefined => {
  try {
    const written = JSON.parse(seal.open(ticket, CONTEXT)) as Ticket;
    return written.until > Date.now() ? written : undefined;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
};

/**
 * Refuses a sign-in by the password alone where the account has a second factor.
 *
 * @throws Refusal `second_factor_needed` with a ticket
 */
export const demandFactor = async (
  tx: Queries,
  seal: Seal,
  { id: userId, credentials }: Pick<UserRow, "id" | "credentials">,
): Promise<void> => {
  if (!(await hasFactor(tx, userId))) return;
  const until = Date.now() + TICKET_MS;
  const ticket: Ticket = { id: randomUUID(), userId, credentials, until };
  throw new Refusal("second_factor_needed", [], undefined, undefined, {
    ticket: seal.seal(JSON.stringify(ticket), CONTEXT),
  });
};

/** Whether the organization demands a second factor of this person. */
export const isFactorDemanded = (
  { organization }: Pick<Change, "organization">,
  { admin }: Pick<UserRow, "admin">,
): boolean => {
  const { secondFactorFor } = settingsOf(organization);
  return secondFactorFor === "everybody" || (secondFactorFor === "administrators" && admin);
};
