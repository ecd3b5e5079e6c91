import type { Person } from "../../contract/access.ts";
import { emailKey } from "../../contract/fields.ts";
import type { Database } from "../db/open.ts";
import type { UserRow } from "../db/tables.ts";
import { type Caller, type Organization, openOrganization, type Queries } from "../organization.ts";
import { hashPassword, verifyPassword } from "../passwords.ts";
import { refuse, refuseField } from "../refusal.ts";
import { findLogin, findUser } from "../users/queries.ts";
import { replacePassword } from "../users/reset.ts";
import { isCommonPassword, resembles } from "./common-passwords.ts";
import { countTry, forgiveTry } from "./throttle.ts";
import {
  type Authenticated,
  digestOf,
  endTokensByDigest,
  findRenewal,
  type IssuedToken,
  issueToken,
} from "./tokens.ts";

/** A signed-in person's token, and who it is. */
export interface Session extends IssuedToken {
  readonly user: Person;
}

/** A person as sign-in answers it. */
export const presentPerson = (user: UserRow): Person => ({
  id: user.id,
  email: user.email,
  name: user.name,
  username: user.username,
  role: user.role,
  admin: user.admin,
});

/** Whoever asks for a session is nobody yet. */
const nobody: Caller = { userId: null, accessKey: null, admin: false };

const findByLogin = async (db: Queries, login: string): Promise<UserRow | undefined> => {
  if (!login.includes("@")) return findLogin(db, { username: login.toLowerCase() });
  const key = emailKey(login);
  return key === undefined ? undefined : findLogin(db, { emailKey: key });
};

const holderOf = (user: UserRow) => ({ organizationId: user.organization_id, userId: user.id });

/**
 * Signs a person in. The state of an account is told only to who gave the right password.
 *
 * @throws Refusal `wrong_login`, `account_suspended`, `account_revoked`, `too_many_requests`
 */
export const signIn = async (
  database: Database,
  login: string,
  password: string,
  address: string,
): Promise<Session & { readonly renewal: string }> => {
  const found = await findByLogin(database.read, login);
  // By account, so that its email and its username are no two allowances.
  const tried = { login: found?.id ?? login.toLowerCase(), address };
  await database.change((tx) => countTry(tx, tried));
  const matches = await verifyPassword(found?.password_digest, password);
  if (!found || !matches) return refuse("wrong_login");
  return openOrganization(database, found.organization_id, nobody).change(async ({ tx }) => {
    // Again, inside: a reset, suspension or removal may have come while the password was checked.
    const user = await findUser(tx, found.organization_id, found.id);
    if (!user || user.credentials !== found.credentials) return refuse("wrong_login");
    if (user.account_deleted) return refuse("account_revoked");
    if (user.account_suspended) return refuse("account_suspended");
    await forgiveTry(tx, tried);
    const renewal = await issueToken(tx, holderOf(user), "renewal");
    const access = await issueToken(tx, holderOf(user), "access");
    return { ...access, user: presentPerson(user), renewal: renewal.token };
  });
};

/**
 * A new token by the renewal cookie.
 *
 * @throws Refusal `session_ended`
 */
export const renewSession = async (
  database: Database,
  renewal: string | undefined,
): Promise<Session> => {
  const held = renewal && (await findRenewal(database.read, renewal));
  if (!held) return refuse("session_ended");
  return openOrganization(database, held.organizationId, nobody).change(async ({ tx }) => {
    // Again, inside: the cookie may have been ended meanwhile.
    const session = await findRenewal(tx, renewal);
    const user =
      session && (await findUser(tx, session.organizationId, session.caller.userId ?? ""));
    if (!user) return refuse("session_ended");
    return { ...(await issueToken(tx, holderOf(user), "access")), user: presentPerson(user) };
  });
};

/** Who calls: the person, or undefined for an access key. */
export const findPerson = async (
  db: Queries,
  organizationId: string,
  { userId }: Caller,
): Promise<Person | undefined> => {
  const user = userId === null ? undefined : await findUser(db, organizationId, userId);
  return user && presentPerson(user);
};

/** Ends the token of the call and the renewal cookie that came with it. */
export const signOut = (
  organization: Organization,
  { digest }: Authenticated,
  renewal: string | undefined,
): Promise<void> =>
  organization.change(({ tx }) => endTokensByDigest(tx, withCookie(digest, renewal)));

/** The digests of a token and of the cookie that came with it. */
const withCookie = (digest: string, renewal: string | undefined): string[] =>
  renewal === undefined ? [digest] : [digest, digestOf(renewal)];

/**
 * Changes the caller's own password; every other token and cookie of the account ends.
 *
 * @throws Refusal `account_required`, `wrong_password`, `too_many_requests`; `invalid_input` for a new password that is
 *   too easily guessed
 */
export const changePassword = async (
  organization: Organization,
  { caller, digest }: Authenticated,
  { password, newPassword }: { readonly password: string; readonly newPassword: string },
  renewal: string | undefined,
  address: string,
): Promise<void> => {
  const found =
    caller.userId === null
      ? undefined
      : await findUser(organization.read, organization.id, caller.userId);
  if (!found) return refuse("account_required");
  const { name } = await organization.read
    .selectFrom("organizations")
    .select("name")
    .where("id", "=", organization.id)
    .executeTakeFirstOrThrow();
  if (resembles(newPassword, [found.name, found.email, found.username, name])) {
    refuseField("newPassword", "must not be your name, email or organization");
  }
  if (isCommonPassword(newPassword)) {
    refuseField("newPassword", "is among the most common passwords: choose another");
  }
  // After the new password: whoever looks for one that is accepted does not guess the present one.
  const tried = { login: found.id, address };
  await organization.change(({ tx }) => countTry(tx, tried));
  if (!(await verifyPassword(found.password_digest, password))) refuse("wrong_password");
  const hashed = await hashPassword(newPassword);
  await organization.change(async (change) => {
    const user = await findUser(change.tx, organization.id, found.id);
    if (!user || user.credentials !== found.credentials) return refuse("wrong_password");
    await forgiveTry(change.tx, tried);
    await replacePassword(change, user, hashed, withCookie(digest, renewal));
  });
};
