import { emailKey } from "../../contract/kit/fields.ts";
import { ANY_DOMAIN, type ProviderSettings } from "../../contract/organization/providers.ts";
import { hasFactor, removeFactors } from "../access/authenticator.ts";
import { tellPerson } from "../access/notices.ts";
import { nobodysDigest } from "../access/passwords.ts";
import { userSubject } from "../change/history.ts";
import type { Change } from "../change/organization.ts";
import type { ProviderRow } from "../db/provider-tables.ts";
import type { UserRow } from "../db/tables.ts";
import { findUser, userOf } from "../records/user-queries.ts";
import { hasOtherAdministrator } from "../users/administrators.ts";
import { addUser } from "../users/create.ts";
import { editUser } from "../users/edit.ts";
import { forcePassword } from "../users/reset.ts";
import { takeFactors } from "../users/second-factor.ts";
import type { Claims, SaidOfPerson } from "./claims.ts";
import { endOpened } from "./opened.ts";
import { SignInRefused } from "./refused.ts";

/** The most characters of a subject: twice what the specification allows. */
const LONGEST_SUBJECT = 510;

/** The subject of an ID token. @throws SignInRefused */
export const subjectIn = ({ sub }: Claims): string => {
  const isSubject = typeof sub === "string" && sub !== "" && sub.length <= LONGEST_SUBJECT;
  if (isSubject && sub.isWellFormed() && !sub.includes("\0")) return sub;
  throw new SignInRefused(
    "provider_failed",
    "The subject of the ID token is no text that can be kept.",
  );
};

/** Returns whether a provider speaks for the domain of an email address. */
export const speaksFor = ({ domains }: Pick<ProviderSettings, "domains">, key: string): boolean =>
  domains.includes(ANY_DOMAIN) || domains.includes(key.slice(key.lastIndexOf("@") + 1));

/** The person to whom a subject of a provider is linked; null if the account is in the recycle bin. */
const findLinked = async (
  { tx, organization }: Pick<Change, "tx" | "organization">,
  providerId: string,
  subject: string,
): Promise<UserRow | null | undefined> => {
  const link = await tx
    .selectFrom("provider_links")
    .select("user_id")
    .where("provider_id", "=", providerId)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return link && ((await findUser(tx, organization.id, link.user_id)) ?? null);
};

/** Keeps who a subject of a provider is: no longer the person of an account in the recycle bin. */
const link = async (
  { tx, organization, now, happened }: Change,
  { id, name }: ProviderRow,
  subject: string,
  user: UserRow,
): Promise<void> => {
  await tx
    .insertInto("provider_links")
    .values({
      provider_id: id,
      subject,
      organization_id: organization.id,
      user_id: user.id,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["provider_id", "subject"])
        .doUpdateSet({ user_id: user.id, created_at: now }),
    )
    .execute();
  happened({ kind: "accountLinked", subject: userSubject(user), after: { provider: name } });
};

/**
 * The email address by which a subject may be linked: verified, and of a domain for which the provider
 * speaks. Otherwise somebody could take over an account by an address that is not theirs.
 */
const linkableEmail = (
  { email, isVerified }: SaidOfPerson,
  settings: ProviderSettings,
): { readonly email: string } | SignInRefused => {
  if (email === null) return new SignInRefused("email_missing");
  if (!isVerified) return new SignInRefused("email_unverified");
  if (speaksFor(settings, emailKey(email) ?? "")) return { email };
  return new SignInRefused("domain_not_trusted");
};

/** A person as their provider knows them. */
export interface Known {
  readonly provider: ProviderRow;
  readonly settings: ProviderSettings;
  readonly subject: string;
  readonly said: SaidOfPerson;
}

/** Ends a person's links to providers, except one, and the sessions that they opened. @returns how many */
const endLinks = async (change: Change, user: UserRow, kept = ""): Promise<number> => {
  const { tx, happened } = change;
  const ended = await tx
    .deleteFrom("provider_links")
    .where("user_id", "=", user.id)
    .where("provider_id", "<>", kept)
    .returning("provider_id")
    .execute();
  const opened = await tx
    .deleteFrom("provider_sessions")
    .where("user_id", "=", user.id)
    .where("provider_id", "<>", kept)
    .returning(["session", "user_id"])
    .execute();
  await endOpened(tx, opened);
  if (opened.length > 0) happened({ kind: "signedOut", subject: userSubject(user) });
  if (ended.length > 0) {
    happened({ kind: "accountUnlinked", subject: userSubject(user) });
    await tellPerson(change, user, "providerUnlinked");
  }
  return ended.length;
};

/**
 * Ends every way into an account of before it became an administrator's, except the provider that says so: an
 * access key with a narrower scope may have chosen its password, or signed in with it, or have given the account of
 * somebody else's link this address.
 */
const endFormerWays = async (
  change: Change,
  user: UserRow,
  provider: ProviderRow,
): Promise<UserRow> => {
  await endLinks(change, user, provider.id);
  const renewed = await forcePassword(change, user, await nobodysDigest());
  await tellPerson(change, renewed, "passwordChanged");
  if (await hasFactor(change.tx, user.id)) await takeFactors(change, renewed);
  // An app that was begun is no factor yet.
  else await removeFactors(change.tx, [user.id]);
  return renewed;
};

/** Returns whether the email address of an account is the one that the provider has verified. */
const isAddressVerified = (
  { email_key }: UserRow,
  said: SaidOfPerson,
  settings: ProviderSettings,
): boolean => {
  const linkable = linkableEmail(said, settings);
  return "email" in linkable && emailKey(linkable.email) === email_key;
};

/**
 * Lets role, `admin` and tags follow the claims that the provider sets. The last administrator stays one:
 * a mistake in the provider must not lock the organization out. Only an account with the address that the
 * provider has verified becomes an administrator's: an access key with a narrower scope could have set another.
 */
const follow = async (
  change: Change,
  user: UserRow,
  { provider, said, settings }: Known,
): Promise<UserRow> => {
  const { role, tags } = said;
  const isLast = said.admin === false && user.admin && !(await hasOtherAdministrator(change, user));
  const isRaised = said.admin === true && !user.admin;
  const isKept = isLast || (isRaised && !isAddressVerified(user, said, settings));
  const admin = isKept ? undefined : said.admin;
  const isOther =
    (role !== undefined && role !== user.role) ||
    (admin !== undefined && admin !== user.admin) ||
    (tags !== undefined && JSON.stringify(tags) !== user.tags);
  if (!isOther) return user;
  const edited = await editUser(change, {
    userId: user.id,
    ...(role !== undefined && { role }),
    ...(admin !== undefined && { admin }),
    ...(tags !== undefined && { tags: [...tags] }),
    ifMatch: undefined,
  });
  return edited.admin && !user.admin ? endFormerWays(change, edited, provider) : edited;
};

/** The organization's account with this email address. */
const findByEmail = ({ tx, organization }: Change, email: string): Promise<UserRow | undefined> =>
  tx
    .selectFrom("users")
    .selectAll()
    .where("organization_id", "=", organization.id)
    .where("email_key", "=", emailKey(email) ?? "")
    .where("gone_at", "is", null)
    .executeTakeFirst();

const addAccount = async (
  change: Change,
  email: string,
  { name, role, admin, tags }: SaidOfPerson,
): Promise<UserRow> =>
  addUser(
    change,
    {
      email,
      name: name ?? email.slice(0, email.lastIndexOf("@")),
      ...(role !== undefined && { role }),
      ...(admin !== undefined && { admin }),
      ...(tags !== undefined && { tags: [...tags] }),
    },
    { password: "", digest: await nobodysDigest() },
  );

/**
 * The account of a person who comes from a provider: the one to which the subject is linked; at the first
 * time the one with the same email address, which gets an email about that, or a new one. It is the first time too for
 * somebody whose former account is in the recycle bin.
 *
 * @throws SignInRefused; Refusal `user_limit`, `email_taken`
 */
export const accountOfKnown = async (
  change: Change,
  known: Known,
  userAgent: string | undefined,
): Promise<UserRow> => {
  const { provider, settings, subject, said } = known;
  const linked = await findLinked(change, provider.id, subject);
  if (linked) return follow(change, linked, known);
  const linkable = linkableEmail(said, settings);
  if (linkable instanceof SignInRefused) throw linkable;
  const { email } = linkable;
  const found = await findByEmail(change, email);
  if (found === undefined) {
    // From the recycle bin a person may come back to the account.
    const mayCreate = settings.createsAccounts && linked !== null;
    if (!mayCreate) throw new SignInRefused("no_account");
    const added = await addAccount(change, email, said);
    await link(change, provider, subject, added);
    return added;
  }
  const other = await change.tx
    .selectFrom("provider_links")
    .select("subject")
    .where("provider_id", "=", provider.id)
    .where("user_id", "=", found.id)
    .executeTakeFirst();
  if (other !== undefined) throw new SignInRefused("linked_otherwise");
  await link(change, provider, subject, found);
  await tellPerson(change, found, "providerLinked", { by: { userAgent } });
  return follow(change, found, known);
};

/**
 * Ends a person's links to providers, and the sessions that they opened.
 *
 * @returns how many links
 * @throws Refusal `user_not_found`
 */
export const unlinkUser = async (change: Change, userId: string): Promise<number> =>
  endLinks(change, await userOf(change, userId));
