import type { UserWays } from "../../contract/people/ways.ts";
import { findAuthenticator } from "../access/authenticator.ts";
import { passkeysOf } from "../access/passkeys.ts";
import type { Organization } from "../change/organization.ts";
import { now } from "../db/now.ts";
import { refuse } from "../lib/refusal.ts";
import { findUser } from "../records/user-queries.ts";
import { presentPasskey } from "./passkeys.ts";

/** The ways into an account beside its password. @throws Refusal `user_not_found` */
export const fetchUserWays = async (
  { read, id }: Organization,
  userId: string,
): Promise<UserWays> => {
  if ((await findUser(read, id, userId)) === undefined) return refuse("user_not_found");
  const [passkeys, app, providers, { sessions }] = await Promise.all([
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
    passkeys: passkeys.map(presentPasskey),
    authenticatorSince: app?.confirmed_at ?? null,
    providers,
    sessions: Number(sessions),
  };
};
