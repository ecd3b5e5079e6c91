import type { SignedByPasskey } from "../../contract/people/passkeys.ts";
import { findAccountNamed, isAccountNamed } from "../db/account.ts";
import { Refusal, refuse } from "../lib/refusal.ts";
import { askOptions, checkSigned, findPasskey, siteOf, usePasskey } from "./passkeys.ts";
import { keepRefused, type OpenedSession, type SignInService, signInByFactor } from "./sessions.ts";
import { countInTurn } from "./throttle.ts";
import { readTicket, useTicket } from "./tickets.ts";

/** The content of a ticket; undefined without one. @throws Refusal `session_ended` */
const contentOf = async (
  { database, seal }: Pick<SignInService, "database" | "seal">,
  ticket: string | undefined,
) => (ticket === undefined ? undefined : readTicket(database.read, seal, ticket));

/**
 * The options with which the browser asks for a passkey: of any account, or as the second step of a sign-in.
 *
 * @throws Refusal `session_ended`, `no_passkey`, `passkeys_unavailable`
 */
export const askForPasskey = async (
  service: Pick<SignInService, "database" | "seal" | "publicUrl">,
  ticket: string | undefined,
): Promise<Record<string, unknown>> => {
  const site = siteOf(service.publicUrl);
  const first = await contentOf(service, ticket);
  const owner =
    first && ((await findAccountNamed(service.database.read, first)) ?? refuse("session_ended"));
  return askOptions(service.database, site, "sign in", owner?.id ?? null);
};

interface Presented {
  readonly passkey: SignedByPasskey;
  readonly ticket: string | undefined;
  readonly address: string;
  readonly devices: readonly string[];
  readonly userAgent: string | undefined;
}

/** Refusals that the history of the account keeps. */
const KEPT: readonly string[] = ["wrong_passkey", "account_suspended", "account_revoked"];

/**
 * Signs in a person by a passkey: alone, or after the password with its ticket.
 *
 * @throws Refusal `wrong_passkey`, `session_ended` for a ticket that is over or used, `account_suspended`,
 *   `account_revoked`, `provider_required`, `passkeys_unavailable`, `too_many_requests`, `overloaded`;
 *   `password_to_choose` with a ticket, after the password
 */
export const signInWithPasskey = async (
  service: SignInService,
  { passkey, ticket, address, devices, userAgent }: Presented,
): Promise<OpenedSession & { readonly device: string }> => {
  const { database, seal, publicUrl } = service;
  const site = siteOf(publicUrl);
  const first = await contentOf(service, ticket);
  const tried = { login: `passkey ${passkey.id}`, address };
  const taken = await countInTurn(database, tried);
  const row = await findPasskey(database.read, passkey);
  const found =
    row &&
    (await database.read
      .selectFrom("users")
      .selectAll()
      .where("id", "=", row.user_id)
      .where("gone_at", "is", null)
      .executeTakeFirst());
  try {
    const asked = { database, site, userId: first?.userId ?? null };
    const counter = await checkSigned(asked, "sign in", row, passkey);
    const user = found ?? refuse("wrong_passkey");
    const given = { address, devices, userAgent, tried, taken };
    return await signInByFactor(service, user, given, async ({ tx }) => {
      if (first !== undefined) {
        await useTicket(tx, first);
        if (!isAccountNamed(first, user)) refuse("session_ended");
      }
      if (row !== undefined) await usePasskey(tx, row, counter);
      // Alone, a passkey needs no password, and so no new one.
      return { facts: { with: "passkey" }, ...(first && { byPassword: seal }) };
    });
  } catch (error) {
    if (found && error instanceof Refusal && KEPT.includes(error.code)) {
      keepRefused(database, found, error.code, address).catch(service.onError);
    }
    throw error;
  }
};
