import { randomInt } from "node:crypto";
import { emailKey } from "../../contract/kit/fields.ts";
import type { Language } from "../../contract/kit/languages.ts";
import type { Checked } from "../../contract/kit/operation.ts";
import { settingsOf } from "../../contract/kit/organization-settings.ts";
import { initialUserSettings, type UserSettings } from "../../contract/people/settings.ts";
import type { createUser as contract } from "../../contract/people/users.ts";
import { allFacts, userSubject } from "../change/history.ts";
import type { Change, Organization } from "../change/organization.ts";
import { demandProof } from "../change/proof.ts";
import type { Seal } from "../db/seal.ts";
import type { NewUser, UserRow } from "../db/tables.ts";
import { fold } from "../lib/fold.ts";
import { uuid7 } from "../lib/id.ts";
import { refuse, refuseField } from "../lib/refusal.ts";
import { letterLanguage, postLetter } from "../mail/outbox.ts";
import { userFacts } from "../records/facts.ts";
import { storedEmail, storedSettings } from "../records/user-columns.ts";
import { recount } from "../records/user-counters.ts";
import { keepFromAdministrators } from "../records/user-queries.ts";

/** A password and its digest, made before the transaction: hashing is slow on purpose. */
export interface HashedPassword {
  readonly password: string;
  readonly digest: string;
}

/** Ten random digits. */
export const tenDigits = (): string => String(randomInt(10 ** 10)).padStart(10, "0");

/** Latin letters that normalization does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
};

/**
 * A username for a name: its letters in lower-case ASCII words joined by underscores, then digits.
 *
 * @example usernameFor("Ann Lee") // "ann_lee_204817"
 */
export const usernameFor = (name: string): string => {
  const words = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ßæœþøłđðħı]/g, (letter) => LETTERS[letter] ?? "")
    .match(/[a-z0-9]+/g);
  const stem = (words ?? ["user"]).join("_").slice(0, 40).replace(/_$/, "");
  return `${stem}_${String(randomInt(10 ** 6)).padStart(6, "0")}`;
};

/**
 * Refuses a person who cannot be added, before a password is hashed for nothing. The change itself
 * checks again.
 *
 * @throws Refusal `user_limit`, `email_taken`
 */
export const refuseUserEarly = async (
  { read, id }: Organization,
  { email }: Pick<NewAccount, "email">,
): Promise<void> => {
  const { max_users, used_users, taken } = await read
    .selectFrom("organizations")
    .select(["max_users", "used_users"])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("users")
          .select("users.id")
          .where("email_key", "=", emailKey(email) ?? ""),
      ).as("taken"),
    )
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (max_users !== null && used_users >= max_users) refuse("user_limit");
  if (taken) refuse("email_taken");
};

/** A new account; omitted settings have their defaults. */
type NewAccount = Pick<Checked<typeof contract>, "email" | "name"> &
  Partial<UserSettings> & {
    readonly language?: Language | null | undefined;
    readonly mustChoosePassword?: boolean | undefined;
    /** The ID that the person had elsewhere; a new one if omitted or taken by another organization. */
    readonly id?: string | undefined;
  };

/** More collisions of random digits in a row than could happen by chance. */
const TRIES = 20;

/**
 * Adds an account; no letter is sent.
 *
 * @throws Refusal `user_limit`, `email_taken`, `proof_needed`, or on an ID that somebody of the organization has
 */
export const addUser = async (
  change: Change,
  account: NewAccount,
  { digest }: HashedPassword,
): Promise<UserRow> => {
  const { tx, organization, now } = change;
  // The new administrator could do what the session may not.
  if (account.admin) demandProof(change);
  if (organization.max_users !== null && organization.used_users >= organization.max_users) {
    refuse("user_limit");
  }
  let id = account.id ?? uuid7();
  const row: Omit<NewUser, "id"> = {
    organization_id: organization.id,
    ...storedEmail(account.email),
    name: account.name,
    name_key: fold(account.name),
    username: usernameFor(account.name),
    profile_id: tenDigits(),
    ...storedSettings({ ...initialUserSettings, ...account }),
    language: account.language ?? null,
    account_suspended: false,
    account_deleted: false,
    password_digest: digest,
    must_choose_password: account.mustChoosePassword ?? false,
    credentials: 1,
    created_at: now,
    updated_at: now,
  };
  for (let tries = 0; tries < TRIES; tries += 1) {
    // A refused unique insert would end the transaction on PostgreSQL.
    const added = await tx
      .insertInto("users")
      .values({ ...row, id, username: usernameFor(account.name) })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (added) {
      await recount(change, [{ role: added.role, revoked: false, by: 1 }]);
      const { mustChoosePassword, ...facts } = userFacts(added);
      const after = allFacts({
        ...facts,
        ...(mustChoosePassword === true && { mustChoosePassword }),
      });
      change.happened({ kind: "userCreated", subject: userSubject(added), after });
      return added;
    }
    const holders = await tx
      .selectFrom("users")
      .select(["organization_id", "email_key"])
      .where((eb) => eb.or([eb("email_key", "=", row.email_key), eb("id", "=", id)]))
      .execute();
    if (holders.some(({ email_key }) => email_key === row.email_key)) refuse("email_taken");
    // Not with a new ID: a second account would keep a person in the recycle bin from coming back.
    if (holders.some(({ organization_id }) => organization_id === organization.id)) {
      refuseField("id", "id_in_use");
    }
    // IDs are unique across the service: a refusal would reveal the other organization's account, and let
    // it block this one.
    if (holders.length > 0) id = uuid7();
  }
  throw new Error(`No free username was found in ${TRIES} tries.`);
};

/** Posts a letter with a link to choose the first password. */
export const inviteUser = async (
  change: Pick<Change, "tx" | "organization" | "leaveWork">,
  user: UserRow,
  { seal, publicUrl }: { readonly seal: Seal; readonly publicUrl: string },
): Promise<void> => {
  await postLetter(change, seal, {
    organizationId: user.organization_id,
    userId: user.id,
    kind: "invitation",
    recipient: user.email,
    credentials: user.credentials,
    // The link's code is added when the email leaves, for its address.
    content: {
      language: letterLanguage(change.organization, user),
      name: user.name,
      loginUrl: `${publicUrl}/password`,
      username: user.username,
    },
  });
};

/**
 * Creates a person and posts the welcome letter (interface.md, Create user), or an invitation to choose the
 * first password by a link.
 *
 * @returns the person, with the password in the letter; empty where there is none
 * @throws Refusal `user_limit`, `email_taken`, `proof_needed`, `everything_scope_needed`
 */
export const createUser = async (
  change: Change,
  { loginUrl, passwordByLink, mustChoosePassword, ...account }: Checked<typeof contract>,
  credentials: HashedPassword,
  { seal, publicUrl }: { readonly seal: Seal; readonly publicUrl: string },
): Promise<{ readonly user: UserRow; readonly password: string }> => {
  keepFromAdministrators(change, [account]);
  const settings = settingsOf(change.organization);
  const byLink = passwordByLink ?? settings.firstPasswords === "link";
  // By a link the person chooses the first one.
  const mustChoose = mustChoosePassword ?? (settings.mustChoosePassword && !byLink);
  const asked = { ...account, mustChoosePassword: mustChoose };
  const user = await addUser(change, asked, credentials);
  if (byLink) {
    await inviteUser(change, user, { seal, publicUrl });
    return { user, password: "" };
  }
  const { password } = credentials;
  await postLetter(change, seal, {
    organizationId: user.organization_id,
    userId: user.id,
    kind: "welcome",
    recipient: user.email,
    credentials: user.credentials,
    content: {
      language: letterLanguage(change.organization, user),
      name: user.name,
      loginUrl,
      username: user.username,
      password,
    },
  });
  return { user, password };
};
