import type { Person } from "../../contract/access.ts";
import { emailKey } from "../../contract/fields.ts";
import type { Database } from "../db/open.ts";
import type { UserRow } from "../db/tables.ts";
import { digestOf } from "../digest.ts";
import { type Caller, type Organization, openOrganization } from "../organization.ts";
import { hashPassword, verifyPassword } from "../passwords.ts";
import { refuse, refuseField } from "../refusal.ts";
import type { Seal } from "../seal.ts";
import { findLogin, findUser, takeUser } from "../users/queries.ts";
import { replacePassword } from "../users/reset.ts";
import { isCommonPassword, resembles } from "./common-passwords.ts";
import { type Device, makeDevice, readDevice } from "./devices.ts";
import { countedAddress, countTry, forgiveTries, giveBackTry, type Tried } from "./throttle.ts";
import {
  type Authenticated,
  endMedia,
  endOldest,
  endTokensByDigest,
  findRenewal,
  type Holder,
  type IssuedToken,
  issueSession,
  issueToken,
} from "./tokens.ts";

/** A signed-in person, with a token. */
export interface Session extends IssuedToken {
  readonly user: Person;
}

/** Counts a request for its holder or its address. @throws Refusal `too_many_requests` */
export type Count = (holder: string) => void;

/** A person in the answer to a sign-in. */
export const presentPerson = (user: UserRow): Person => ({
  id: user.id,
  email: user.email,
  name: user.name,
  username: user.username,
  role: user.role,
  admin: user.admin,
});

/** A renewal has no caller yet. */
const nobody: Caller = { userId: null, accessKey: null, admin: false };

/**
 * The spelling under which a login is looked up and counted. It does not depend on the accounts:
 * otherwise the throttle would reveal which of them exist.
 */
const spellingOf = (login: string): string =>
  (login.includes("@") ? emailKey(login) : undefined) ?? login.toLowerCase();

const holderOf = (user: UserRow): Holder => ({
  organizationId: user.organization_id,
  userId: user.id,
});

/** The parts of a sign-in. */
export interface SignIn {
  readonly login: string;
  readonly password: string;
  readonly address: string;
  /** The request's device cookie. */
  readonly device: string | undefined;
}

/**
 * Counts a try and looks up its account. A device counts only for its own account, and only while the
 * password is the one that was given on it.
 */
const beginTry = async (
  { database, seal }: { readonly database: Database; readonly seal: Seal },
  { login, address, device: cookie }: SignIn,
): Promise<{
  readonly found: UserRow | undefined;
  readonly tried: Tried;
  readonly device?: Device;
}> => {
  const spelling = spellingOf(login);
  const finding = findLogin(
    database.read,
    spelling.includes("@") ? { emailKey: spelling } : { username: spelling },
  );
  const stranger: Tried = { login: spelling, address };
  const device = readDevice(seal, cookie);
  const tried: Tried = device ? { own: `device ${device.id}` } : stranger;
  // At the same time: each takes round trips.
  const counting = database.change((tx) => countTry(tx, tried));
  const [looked, counted] = await Promise.allSettled([finding, counting]);
  if (looked.status === "rejected") throw looked.reason;
  const found = looked.value;
  const isKnown = device?.userId === found?.id && device?.credentials === found?.credentials;
  if (device && !isKnown) {
    await database.change((tx) => countTry(tx, stranger));
    return { found, tried: stranger };
  }
  if (counted.status === "rejected") throw counted.reason;
  return { found, tried, ...(device && { device }) };
};

/** Runs a counted try. One that fails because too many wait does not count: it is given back. */
const orGiveBack = async <T>(work: Promise<T>, giveBack: () => Promise<void>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    await giveBack();
    throw error;
  }
};

/**
 * Signs a person in. Only the right password reveals the state of an account.
 *
 * @throws Refusal `wrong_login`, `account_suspended`, `account_revoked`, `too_many_requests`,
 *   `overloaded`
 */
export const signIn = async (
  service: { readonly database: Database; readonly seal: Seal },
  given: SignIn,
): Promise<Session & { readonly renewal: string; readonly device: string }> => {
  const { database, seal } = service;
  const { found, tried, device } = await beginTry(service, given);
  const lane = "own" in tried ? "known" : "strangers";
  const matches = await orGiveBack(
    verifyPassword(found?.password_digest, given.password, lane),
    () => database.change((tx) => giveBackTry(tx, tried)),
  );
  if (!found || !matches) return refuse("wrong_login");
  const holder = holderOf(found);
  const [session] = await Promise.all([
    database.change(async (tx) => {
      // A reset, suspension or removal may have come while the password was checked. They lock the
      // account's row before they end its tokens, and so end the new ones too.
      const user = await takeUser(tx, found);
      if (!user) return refuse("wrong_login");
      if (user.account_deleted) return refuse("account_revoked");
      if (user.account_suspended) return refuse("account_suspended");
      const { access, renewal } = await issueSession(tx, holder);
      return { ...access, user: presentPerson(user), renewal: renewal.token };
    }),
    database.change((tx) => Promise.all([forgiveTries(tx, tried), endOldest(tx, holder)])),
  ]);
  return { ...session, device: makeDevice(seal, found, device?.id) };
};

/**
 * A new token by the renewal cookie.
 *
 * @throws Refusal `session_ended`, `too_many_requests`
 */
export const renewSession = async (
  database: Database,
  {
    renewal,
    address,
    count,
  }: {
    readonly renewal: string | undefined;
    readonly address: string;
    readonly count: Count;
  },
): Promise<Session> => {
  const held = renewal && (await findRenewal(database.read, renewal));
  count(held ? (held.caller.userId ?? "") : countedAddress(address));
  if (!held) return refuse("session_ended");
  return openOrganization(database, held.organizationId, nobody).change(async ({ tx }) => {
    // Again, inside the change: the cookie may have ended meanwhile.
    const [session, user] = await Promise.all([
      findRenewal(tx, renewal),
      findUser(tx, held.organizationId, held.caller.userId ?? ""),
    ]);
    if (!session || !user) return refuse("session_ended");
    await endOldest(tx, holderOf(user));
    return { ...(await issueToken(tx, holderOf(user), "access")), user: presentPerson(user) };
  });
};

/** The person who calls; undefined for an access key. */
export const findPerson = async ({
  read,
  id,
  caller: { userId },
}: Organization): Promise<Person | undefined> => {
  const user = userId === null ? undefined : await findUser(read, id, userId);
  return user && presentPerson(user);
};

/**
 * Ends the token of the request, its renewal cookie if that is the caller's, and the cookies of
 * recordings.
 *
 * @returns false when the cookie is somebody else's, and stays
 */
export const signOut = (
  organization: Organization,
  { digest, caller }: Authenticated,
  renewal: string | undefined,
): Promise<boolean> =>
  organization.change(async ({ tx }) => {
    const session = renewal === undefined ? undefined : await findRenewal(tx, renewal);
    const isOwn = session === undefined || session.caller.userId === caller.userId;
    const ended = session && isOwn ? [digest, session.digest] : [digest];
    await endTokensByDigest(tx, ended);
    if (caller.userId !== null) await endMedia(tx, caller.userId);
    return isOwn;
  });

/** The parts of a change of one's own password. */
export interface NewPassword {
  readonly password: string;
  readonly newPassword: string;
  /** The request's renewal cookie. */
  readonly renewal: string | undefined;
}

/** @throws Refusal `invalid_input` for a new password that is too easily guessed */
const refuseGuessable = async (
  { read, id }: Organization,
  person: UserRow,
  newPassword: string,
): Promise<void> => {
  const { name } = await read
    .selectFrom("organizations")
    .select("name")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (resembles(newPassword, [person.name, person.email, person.username, name])) {
    refuseField("newPassword", "must not be your name, email or organization");
  }
  if (isCommonPassword(newPassword)) {
    refuseField("newPassword", "is among the most common passwords: choose another");
  }
};

/**
 * Changes the caller's own password; every other token and cookie of the account ends.
 *
 * @returns the account, with the number of its new password
 * @throws Refusal `account_required`, `wrong_password`, `too_many_requests`; `invalid_input` for a
 *   new password that is too easily guessed
 */
export const changePassword = async (
  organization: Organization,
  { caller, digest }: Authenticated,
  { password, newPassword, renewal }: NewPassword,
): Promise<Pick<UserRow, "id" | "credentials">> => {
  const found =
    caller.userId === null
      ? undefined
      : await findUser(organization.read, organization.id, caller.userId);
  if (!found) return refuse("account_required");
  await refuseGuessable(organization, found, newPassword);
  // After the new password is checked: finding an accepted one must not count as guessing.
  const tried: Tried = { own: `password ${found.id}` };
  await organization.change(({ tx }) => countTry(tx, tried));
  const giveBack = () => organization.change(({ tx }) => giveBackTry(tx, tried));
  const verified = verifyPassword(found.password_digest, password, "known");
  if (!(await orGiveBack(verified, giveBack))) refuse("wrong_password");
  const hashed = await orGiveBack(hashPassword(newPassword, "known"), giveBack);
  return organization.change(async (change) => {
    const user = await takeUser(change.tx, found);
    if (!user) return refuse("wrong_password");
    await forgiveTries(change.tx, tried);
    const cookie = renewal === undefined ? undefined : digestOf(renewal);
    return replacePassword(change, user, hashed, { access: digest, renewal: cookie });
  });
};
