import type { Checked } from "../../contract/kit/operation.ts";
import { PASSKEYS } from "../../contract/kit/plain.ts";
import type { addPasskey as contract, Passkey } from "../../contract/people/passkeys.ts";
import { hasRecoveryCodes, replaceRecoveryCodes } from "../access/authenticator.ts";
import { tellPerson } from "../access/notices.ts";
import { endSessions } from "../access/own-sessions.ts";
import { addOptions, askOptions, checkNew, passkeysOf, siteOf } from "../access/passkeys.ts";
import { countInTurn, forgiveTries, giveBackInTurn } from "../access/throttle.ts";
import { type Authenticated, endSignIns, proveSession } from "../access/tokens.ts";
import { userSubject } from "../change/history.ts";
import type { Change, Organization, Queries } from "../change/organization.ts";
import type { Database } from "../db/open.ts";
import type { PasskeysTable, UserRow } from "../db/tables.ts";
import { uuid7 } from "../lib/id.ts";
import { refuse } from "../lib/refusal.ts";
import { keepFactor, keepFresh, ownAccount } from "./second-factor.ts";

/* The passkeys of one account: for its person, and for the operator. */

interface Service {
  readonly database: Database;
  readonly publicUrl: string;
}

/** A passkey as answers show it. */
export const presentPasskey = ({ id, name, created_at, used_at }: PasskeysTable): Passkey => ({
  id,
  name,
  createdAt: created_at,
  usedAt: used_at,
});

/** The passkeys of the caller. @throws Refusal `account_required` */
export const listPasskeys = async ({
  read,
  caller: { userId },
}: Organization): Promise<Passkey[]> =>
  userId === null
    ? refuse("account_required")
    : (await passkeysOf(read, userId)).map(presentPasskey);

/** Begins a proof by a passkey. @throws Refusal `account_required`, `no_passkey`, `passkeys_unavailable` */
export const beginProof = async (
  { database, publicUrl }: Service,
  { caller: { userId } }: Organization,
): Promise<Record<string, unknown>> =>
  userId === null
    ? refuse("account_required")
    : askOptions(database, siteOf(publicUrl), "prove", userId);

/** The caller, who may add a passkey. @throws Refusal `account_required`, `proof_needed`, `passkey_limit` */
const whoAdds = async (change: Change, auth: Authenticated): Promise<UserRow> => {
  const user = await ownAccount(change);
  await keepFresh(change, auth, user.id);
  const own = await passkeysOf(change.tx, user.id);
  return own.length < PASSKEYS ? user : refuse("passkey_limit");
};

/**
 * Begins to add a passkey.
 *
 * @throws Refusal `account_required`, `proof_needed`, `passkey_limit`, `passkeys_unavailable`
 */
export const beginPasskey = async (
  { database, publicUrl }: Service,
  organization: Organization,
  auth: Authenticated,
): Promise<Record<string, unknown>> => {
  const site = siteOf(publicUrl);
  const user = await organization.change((change) => whoAdds(change, auth));
  return addOptions(database, site, user);
};

/**
 * Adds a passkey. All other sessions of the person end. With the first factor come recovery codes, which are
 * readable only now.
 *
 * @throws Refusal `account_required`, `proof_needed`, `wrong_passkey`, `passkey_exists`, `passkey_limit`,
 *   `passkeys_unavailable`, `too_many_requests`
 */
export const addPasskey = async (
  { database, publicUrl }: Service,
  organization: Organization,
  auth: Authenticated,
  { name, passkey }: Checked<typeof contract>,
): Promise<{ readonly passkey: Passkey; readonly recoveryCodes: string[] }> => {
  const { userId } = auth.caller;
  if (userId === null) return refuse("account_required");
  const tried = { own: `passkey ${userId}` };
  const taken = await countInTurn(database, tried);
  const checked = await checkNew({ database, site: siteOf(publicUrl), userId }, passkey);
  const added = await organization.change(async (change) => {
    const { tx, happened, now } = change;
    const user = await whoAdds(change, auth);
    const row = {
      ...checked,
      id: uuid7(),
      user_id: user.id,
      organization_id: user.organization_id,
      name,
      created_at: now,
      used_at: null,
    };
    const stored = await tx
      .insertInto("passkeys")
      .values(row)
      .onConflict((conflict) => conflict.column("credential_id").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (stored === undefined) refuse("passkey_exists");
    await proveSession(tx, auth, "factor");
    await endSessions(change, auth, { sessionId: undefined });
    happened({ kind: "factorAdded", subject: userSubject(user), after: { passkey: name } });
    await tellPerson(change, user, "passkeyAdded", { by: auth });
    const hasCodes = await hasRecoveryCodes(tx, user.id);
    const recoveryCodes = hasCodes ? [] : [...(await replaceRecoveryCodes(tx, user))];
    return { passkey: presentPasskey(row), recoveryCodes };
  });
  await giveBackInTurn(database, tried, (tx) => forgiveTries(tx, taken));
  return added;
};

/** A passkey of this account. @throws Refusal `passkey_not_found`, for that of somebody else too */
const passkeyOf = async (tx: Queries, userId: string, id: string): Promise<PasskeysTable> =>
  (await passkeysOf(tx, userId)).find((row) => row.id === id) ?? refuse("passkey_not_found");

/** Renames a passkey. @throws Refusal `account_required`, `passkey_not_found` */
export const renamePasskey = async (
  change: Change,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<Passkey> => {
  const user = await ownAccount(change);
  const row = await passkeyOf(change.tx, user.id, id);
  await change.tx.updateTable("passkeys").set({ name }).where("id", "=", row.id).execute();
  return presentPasskey({ ...row, name });
};

/**
 * Removes a passkey of an account, and ends sessions: a lost device must not stay signed in.
 *
 * @param keep the session that stays; undefined for none
 * @throws Refusal `passkey_not_found`, `factor_demanded`
 */
export const takePasskey = async (
  change: Change,
  user: UserRow,
  id: string,
  keep?: Authenticated,
): Promise<void> => {
  const { name } = await passkeyOf(change.tx, user.id, id);
  await change.tx.deleteFrom("passkeys").where("id", "=", id).execute();
  await keepFactor(change, user);
  if (keep === undefined) await endSignIns(change.tx, user.id);
  else await endSessions(change, keep, { sessionId: undefined });
  change.happened({ kind: "factorRemoved", subject: userSubject(user), before: { passkey: name } });
  await tellPerson(change, user, "passkeyRemoved", keep && { by: keep });
};

/**
 * Removes a passkey of the caller.
 *
 * @throws Refusal `account_required`, `proof_needed`, `passkey_not_found`, `factor_demanded`
 */
export const removePasskey = async (
  change: Change,
  auth: Authenticated,
  id: string,
): Promise<void> => {
  const user = await ownAccount(change);
  await keepFresh(change, auth, user.id);
  await takePasskey(change, user, id, auth);
};
