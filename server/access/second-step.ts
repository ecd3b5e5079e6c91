import type { Queries } from "../change/organization.ts";
import { type AccountKey, isAccountNamed } from "../db/account.ts";
import type { Seal } from "../db/seal.ts";
import { Refusal, refuse } from "../lib/refusal.ts";
import { hasApp, useAppCode, useRecoveryCode } from "./authenticator.ts";
import { readDevice } from "./devices.ts";
import { keepRefused, type OpenedSession, type SignInService, signInByFactor } from "./sessions.ts";
import { countInTurn, type Tried } from "./throttle.ts";
import { ownerOfTicket, readTicket, useTicket } from "./tickets.ts";

/**
 * Whose tries of a code count: those of a device on which the account has given a second factor, or those of all
 * others together. The password alone makes any number of known devices, also before there is a factor.
 */
export const triesOfCodes = (seal: Seal, user: AccountKey, cookies: readonly string[]): Tried => {
  const known = cookies
    .map((cookie) => readDevice(seal, cookie))
    .find((device) => device?.withFactor && isAccountNamed(device, user));
  return { factor: known === undefined ? user.id : `device ${known.id}` };
};

/** Uses a code of the app or a recovery code. @throws Refusal `wrong_code` */
export const useCode = async (
  tx: Queries,
  seal: Seal,
  userId: string,
  code: string,
): Promise<"app" | "recovery code"> => {
  // An app that was not finished is no factor.
  if ((await hasApp(tx, userId)) && (await useAppCode(tx, seal, userId, code))) return "app";
  return (await useRecoveryCode(tx, userId, code)) ? "recovery code" : refuse("wrong_code");
};

interface SecondStep {
  readonly ticket: string;
  readonly code: string;
  readonly address: string;
  readonly devices: readonly string[];
  readonly userAgent?: string | undefined;
}

/**
 * Signs in a person who has given the password, by a code.
 *
 * @throws Refusal `session_ended` for a ticket that is over or used, `wrong_code`, `account_suspended`,
 *   `account_revoked`, `provider_required`, `too_many_requests`, `overloaded`; `password_to_choose` with a ticket
 */
export const signInWithFactor = async (
  service: SignInService,
  { ticket, code, address, devices, userAgent }: SecondStep,
): Promise<OpenedSession & { readonly device: string }> => {
  const { database, seal } = service;
  const written = await readTicket(database.read, seal, ticket);
  const found = await ownerOfTicket(database.read, written);
  const tried = triesOfCodes(seal, found, devices);
  const taken = await countInTurn(database, tried);
  const given = { address, devices, userAgent, tried, taken };
  return signInByFactor(service, found, given, async ({ tx }) => {
    await useTicket(tx, written);
    return { facts: { with: await useCode(tx, seal, found.id, code) }, byPassword: seal };
  }).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === "wrong_code") {
      keepRefused(database, found, error.code, address).catch(service.onError);
    }
    throw error;
  });
};
