import type { SignedByPasskey } from "../../contract/people/passkeys.ts";
import {
  addAuthenticator,
  findAuthenticator,
  hasApp,
  hasFactor,
  removeApps,
  removeFactors,
  replaceRecoveryCodes,
  useAppCode,
} from "../access/authenticator.ts";
import { tellPerson } from "../access/notices.ts";
import { endSessions } from "../access/own-sessions.ts";
import { checkSigned, findPasskey, siteOf, usePasskey } from "../access/passkeys.ts";
import { verifyPassword } from "../access/passwords.ts";
import { triesOfCodes, useCode } from "../access/second-step.ts";
import { countInTurn, forgiveTries, giveBackInTurn, judged } from "../access/throttle.ts";
import { isFactorDemanded } from "../access/tickets.ts";
import { type Authenticated, endSignIns, proveSession, setLevel } from "../access/tokens.ts";
import { userSubject } from "../change/history.ts";
import type { Change, Organization } from "../change/organization.ts";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { Seal } from "../db/seal.ts";
import type { UserRow } from "../db/tables.ts";
import { refuse } from "../lib/refusal.ts";
import { findUser, userOf } from "../records/user-queries.ts";

/*
 * The second factors of an account: set up and removed by its person, with a fresh proof, and reset by an
 * administrator or the operator.
 */

/** The account of the caller. @throws Refusal `account_required` */
export const ownAccount = async (change: Change): Promise<UserRow> =>
  change.caller.userId === null ? refuse("account_required") : userOf(change, change.caller.userId);

/**
 * Keeps a session that somebody else has got hold of from changing how its person signs in: the password was
 * given within some minutes, or a code where the account has a factor.
 *
 * @throws Refusal `proof_needed`
 */
export const keepFresh = async (
  { tx }: Change,
  { isFresh, level }: Authenticated,
  userId: string,
): Promise<void> => {
  if (!isFresh || (level !== "factor" && (await hasFactor(tx, userId)))) refuse("proof_needed");
};

/** The second factors of the caller. @throws Refusal `account_required` */
export const fetchFactors = async ({ read, caller: { userId } }: Organization) => {
  if (userId === null) return refuse("account_required");
  const [found, codes] = await Promise.all([
    findAuthenticator(read, userId),
    read
      .selectFrom("recovery_codes")
      .select(({ fn }) => fn.countAll<number | string>().as("count"))
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow(),
  ]);
  return { authenticatorSince: found?.confirmed_at ?? null, recoveryCodes: Number(codes.count) };
};

/** Begins an app. @throws Refusal `account_required`, `proof_needed`, `factor_exists` */
export const beginAuthenticator = async (change: Change, auth: Authenticated, seal: Seal) => {
  const user = await ownAccount(change);
  await keepFresh(change, auth, user.id);
  if (await hasApp(change.tx, user.id)) return refuse("factor_exists");
  return addAuthenticator(change.tx, seal, user);
};

/**
 * Finishes an app by its first code. All other sessions of the person end.
 *
 * @returns recovery codes, which are readable only now
 * @throws Refusal `account_required`, `proof_needed`, `factor_exists`, `no_factor`, `wrong_code`
 */
export const confirmAuthenticator = async (
  change: Change,
  auth: Authenticated,
  seal: Seal,
  code: string,
): Promise<readonly string[]> => {
  const { tx, happened } = change;
  const user = await ownAccount(change);
  await keepFresh(change, auth, user.id);
  const begun = (await findAuthenticator(tx, user.id)) ?? refuse("no_factor");
  if (begun.confirmed_at !== null) return refuse("factor_exists");
  if (!(await useAppCode(tx, seal, user.id, code))) return refuse("wrong_code");
  await tx
    .updateTable("authenticators")
    .set({ confirmed_at: now() })
    .where("user_id", "=", user.id)
    .execute();
  await proveSession(tx, auth, "factor");
  await endSessions(change, auth, { sessionId: undefined });
  happened({ kind: "factorAdded", subject: userSubject(user) });
  await tellPerson(change, user, "appAdded", { by: auth });
  return replaceRecoveryCodes(tx, user);
};

/**
 * Follows the removal of a factor: without another factor, the recovery codes go too, and sessions count as opened by
 * the password.
 *
 * @throws Refusal `factor_demanded` where the last one was removed, and one is demanded
 */
export const keepFactor = async (change: Change, user: UserRow): Promise<void> => {
  const { tx } = change;
  if (await hasFactor(tx, user.id)) return;
  if (isFactorDemanded(change.organization, user)) return refuse("factor_demanded");
  await removeFactors(tx, [user.id]);
  await setLevel(tx, user.id, "password");
};

/**
 * Lets the open sessions of somebody who has become an administrator only set up a second factor, where one is
 * demanded and missing. Those by a provider go on.
 */
export const demandOfPromoted = async (change: Change, user: UserRow): Promise<void> => {
  const { tx } = change;
  if (!isFactorDemanded(change.organization, user) || (await hasFactor(tx, user.id))) return;
  await tx
    .updateTable("tokens")
    .set({ level: "setup" })
    .where("user_id", "=", user.id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("provider_sessions as p")
            .select("p.session")
            .whereRef("p.session", "=", "tokens.session"),
        ),
      ),
    )
    .execute();
};

/** Removes the app, and with the last factor the recovery codes. @throws Refusal `account_required`, `proof_needed`, `no_factor`, `factor_demanded` */
export const removeAuthenticator = async (change: Change, auth: Authenticated): Promise<void> => {
  const { tx, happened } = change;
  const user = await ownAccount(change);
  await keepFresh(change, auth, user.id);
  if (!(await hasApp(tx, user.id))) return refuse("no_factor");
  await removeApps(tx, [user.id]);
  await keepFactor(change, user);
  happened({ kind: "factorRemoved", subject: userSubject(user) });
  await tellPerson(change, user, "appRemoved", { by: auth });
};

/** Makes new recovery codes. @throws Refusal `account_required`, `proof_needed`, `no_factor` */
export const makeRecoveryCodes = async (
  change: Change,
  auth: Authenticated,
): Promise<readonly string[]> => {
  const user = await ownAccount(change);
  await keepFresh(change, auth, user.id);
  if (!(await hasFactor(change.tx, user.id))) return refuse("no_factor");
  change.happened({ kind: "recoveryCodesMade", subject: userSubject(user) });
  await tellPerson(change, user, "recoveryCodesMade", { by: auth });
  return replaceRecoveryCodes(change.tx, user);
};

/** Removes somebody's second factors for them. */
export const takeFactors = async (change: Change, user: UserRow): Promise<void> => {
  await removeFactors(change.tx, [user.id]);
  change.happened({ kind: "factorReset", subject: userSubject(user) });
  await tellPerson(change, user, "factorsReset");
};

/**
 * Removes somebody's second factors, and ends their sessions.
 *
 * @throws Refusal `user_not_found`, `everything_scope_needed`; `own_account` for the caller, who gives a proof
 *   and removes them instead
 */
export const resetFactors = async (change: Change, userId: string): Promise<void> => {
  const user = await userOf(change, userId);
  if (user.id === change.caller.userId) refuse("own_account");
  await endSignIns(change.tx, user.id);
  await takeFactors(change, user);
};

interface Proof {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
  readonly passkey?: SignedByPasskey | undefined;
  readonly devices: readonly string[];
}

interface Proving {
  readonly database: Database;
  readonly seal: Seal;
  readonly publicUrl: string;
}

/** A proof by a passkey of the caller. @throws Refusal `wrong_passkey`, `too_many_requests` */
const proveByPasskey = async (
  { database, publicUrl }: Proving,
  organization: Organization,
  auth: Authenticated,
  passkey: SignedByPasskey,
): Promise<void> => {
  const { userId } = auth.caller;
  if (userId === null) return refuse("account_required");
  const tried = { own: `passkey ${userId}` };
  const taken = await countInTurn(database, tried);
  const row = await findPasskey(organization.read, passkey);
  const asked = { database, site: siteOf(publicUrl), userId };
  const counter = await checkSigned(asked, "prove", row, passkey);
  await organization.change(async (change) => {
    if (row !== undefined) await usePasskey(change.tx, row, counter);
    await proveSession(change.tx, auth, "factor");
  });
  await giveBackInTurn(database, tried, (tx) => forgiveTries(tx, taken));
};

/**
 * Notes that the caller has just shown who they are: by a passkey or a code where the account has a factor,
 * otherwise by the password.
 *
 * @throws Refusal `account_required`, `wrong_password`, `wrong_code`, `wrong_passkey`, `too_many_requests`
 */
export const proveMyself = async (
  service: Proving,
  organization: Organization,
  auth: Authenticated,
  { password = "", code = "", passkey, devices }: Proof,
): Promise<void> => {
  if (passkey !== undefined) return proveByPasskey(service, organization, auth, passkey);
  const { database, seal } = service;
  const { userId } = auth.caller;
  const found =
    userId === null ? undefined : await findUser(organization.read, organization.id, userId);
  if (found === undefined) return refuse("account_required");
  const withCode = await hasFactor(organization.read, found.id);
  if ((withCode ? code : password) === "") refuse(withCode ? "wrong_code" : "wrong_password");
  const tried = withCode
    ? triesOfCodes(seal, found, devices)
    : ({ own: `password ${found.id}` } as const);
  const taken = await countInTurn(database, tried);
  const prove = async (): Promise<void> => {
    const lane = { known: found.id };
    if (!withCode && !(await verifyPassword(found.password_digest, password, lane))) {
      return refuse("wrong_password");
    }
    await organization.change(async (change) => {
      const user = await ownAccount(change);
      // A factor was added, or the password replaced, while this one was checked.
      if (user.credentials !== found.credentials) refuse("wrong_password");
      if (!withCode && (await hasFactor(change.tx, user.id))) refuse("wrong_code");
      if (withCode) await useCode(change.tx, seal, user.id, code);
      await proveSession(change.tx, auth, withCode ? "factor" : undefined);
    });
  };
  await judged(database, tried, taken, prove());
  await giveBackInTurn(database, tried, (tx) => forgiveTries(tx, taken));
};
