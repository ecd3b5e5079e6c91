import { emailKey } from "../../contract/kit/fields.ts";
import type { UserWays } from "../../contract/people/ways.ts";
import { findAuthenticator } from "../access/authenticator.ts";
import { passkeysOf } from "../access/passkeys.ts";
import type { Organization, Queries } from "../change/organization.ts";
import { now } from "../db/now.ts";
import type { UserRow } from "../db/tables.ts";
import { refuse } from "../lib/refusal.ts";
import { linkLasts } from "../mail/password-code.ts";
import { findUser } from "../records/user-queries.ts";
import { presentPasskey } from "./passkeys.ts";

/** Until when an emailed link to choose the password of an account opens; null for none. */
const linkUntil = async (
  read: Queries,
  { id, credentials, email_key }: UserRow,
): Promise<string | null> => {
  const letters = await read
    .selectFrom("letters")
    .select(["kind", "recipient", "ended_at", now().as("currentTime")])
    .where("user_id", "=", id)
    .where("credentials", "=", credentials)
    .where("state", "in", ["waiting", "sent"])
    .execute();
  const ends = letters.flatMap(({ kind, recipient, ended_at, currentTime }) => {
    const lasts = linkLasts[kind];
    // A link in a letter that waits opens from when it leaves, for the address of then.
    const isOurs = ended_at === null || emailKey(recipient) === email_key;
    if (lasts === undefined || !isOurs) return [];
    const until = new Date(Date.parse(ended_at ?? currentTime) + lasts).toISOString();
    return until > currentTime ? [until] : [];
  });
  return ends.sort().at(-1) ?? null;
};

/** The ways into an account beside its password. @throws Refusal `user_not_found` */
export const fetchUserWays = async (
  { read, id }: Organization,
  userId: string,
): Promise<UserWays> => {
  const user = (await findUser(read, id, userId)) ?? refuse("user_not_found");
  const [link, passkeys, app, providers, { sessions }] = await Promise.all([
    linkUntil(read, user),
    passkeysOf(read, userId),
    findAuthenticator(read, userId),
    read
      .selectFrom("provider_links as l")
      .innerJoin("providers as p", "p.id", "l.provider_id")
      .select(["p.name", "l.created_at as linkedAt"])
      .where("l.user_id", "=", userId)
      .orderBy("l.created_at")
      .execute(),
    read
      .selectFrom("tokens")
      .select(({ fn }) => fn.countAll<number | string>().as("sessions"))
      .where("user_id", "=", userId)
      .where("purpose", "=", "renewal")
      .where("expires_at", ">", now())
      .executeTakeFirstOrThrow(),
  ]);
  return {
    linkUntil: link,
    passkeys: passkeys.map(presentPasskey),
    authenticatorSince: app?.confirmed_at ?? null,
    providers,
    sessions: Number(sessions),
  };
};
