import { hash, randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import { type Find, findIn, type Lookup } from "../db/lookup.ts";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { TokensTable } from "../db/tables.ts";
import type { Caller, Queries } from "../organization.ts";

/** How long a token opens operations. */
export const TOKEN_SECONDS = 3600;
/** How long the renewal cookie makes new tokens. */
export const RENEWAL_SECONDS = 12 * 3600;

/** What a token or secret is stored as. It is random and long, so a plain SHA-256 is enough. */
export const digestOf = (secret: string): string => hash("sha256", secret);

/** Who holds a token: an account or an access key. */
export type Holder =
  | { readonly organizationId: string; readonly userId: string }
  | { readonly organizationId: string; readonly accessKey: string };

/** A token, readable this once. */
export interface IssuedToken {
  readonly token: string;
  readonly expiresAt: string;
}

/** Makes a token: 256 random bits, stored as its digest. */
export const issueToken = async (
  tx: Queries,
  holder: Holder,
  purpose: "access" | "renewal",
): Promise<IssuedToken> => {
  const token = randomBytes(32).toString("base64url");
  const seconds = purpose === "access" ? TOKEN_SECONDS : RENEWAL_SECONDS;
  const { expires_at } = await tx
    .insertInto("tokens")
    .values({
      digest: digestOf(token),
      purpose,
      organization_id: holder.organizationId,
      user_id: "userId" in holder ? holder.userId : null,
      access_key_id: "accessKey" in holder ? holder.accessKey : null,
      created_at: now(),
      expires_at: now(seconds * 1000),
    })
    .returning("expires_at")
    .executeTakeFirstOrThrow();
  return { token, expiresAt: expires_at };
};

/** A caller with what its token says. */
export interface Authenticated {
  readonly caller: Caller;
  readonly organizationId: string;
  readonly digest: string;
  readonly expiresAt: string;
}

/** A token with the state of its holder. */
interface TokenRow extends Omit<Selectable<TokensTable>, "created_at"> {
  readonly present: string;
  readonly admin: boolean | null;
  readonly account_suspended: boolean | null;
  readonly account_deleted: boolean | null;
}

/** One read, joined with the holder's state: it ends access with the next request, on every process. */
const byDigest: Lookup<TokenRow> = {
  parts: 1,
  keyOf: ({ digest }) => [digest],
  query: (db, digest) =>
    db
      .selectFrom("tokens as t")
      .leftJoin("users as u", "u.id", "t.user_id")
      .select(["t.digest", "t.purpose", "t.organization_id", "t.user_id", "t.access_key_id"])
      .select(["t.expires_at", now().as("present")])
      .select(["u.admin", "u.account_suspended", "u.account_deleted"])
      .where(digest("t.digest")),
};

const authenticated = (
  row: TokenRow | undefined,
  purpose: TokenRow["purpose"],
): Authenticated | undefined => {
  if (row === undefined || row.purpose !== purpose || row.expires_at <= row.present)
    return undefined;
  if (row.account_suspended || row.account_deleted) return undefined;
  return {
    caller: {
      userId: row.user_id,
      accessKey: row.access_key_id,
      admin: row.access_key_id !== null || row.admin === true,
    },
    organizationId: row.organization_id,
    digest: row.digest,
    expiresAt: row.expires_at,
  };
};

/**
 * Who calls with this access token.
 *
 * @returns undefined for an unknown, expired or ended token alike
 */
export const findCaller = async (
  { find }: Pick<Database, "find">,
  token: string,
): Promise<Authenticated | undefined> =>
  authenticated(await find(byDigest, [digestOf(token)]), "access");

/** The caller with this token as it is now; undefined once the token has ended. */
export const findAgain = async (
  find: Find,
  { digest }: Authenticated,
): Promise<Authenticated | undefined> => authenticated(await find(byDigest, [digest]), "access");

/** Whose renewal cookie this is. Inside a change: it may have been ended just now. */
export const findRenewal = async (
  tx: Queries,
  cookie: string,
): Promise<Authenticated | undefined> =>
  authenticated(await findIn(tx, byDigest, [digestOf(cookie)]), "renewal");

/** Ends every token of these accounts, those of these digests excepted. */
export const endTokens = async (
  tx: Queries,
  userIds: readonly string[],
  keep: readonly string[] = [],
): Promise<void> => {
  await tx
    .deleteFrom("tokens")
    .where("user_id", "in", userIds)
    .$if(keep.length > 0, (query) => query.where("digest", "not in", keep))
    .execute();
};

/** Ends these tokens. */
export const endTokensByDigest = async (tx: Queries, digests: readonly string[]): Promise<void> => {
  await tx.deleteFrom("tokens").where("digest", "in", digests).execute();
};

/** Removes tokens that expired. */
export const removeExpiredTokens = async (tx: Queries): Promise<void> => {
  await tx.deleteFrom("tokens").where("expires_at", "<=", now()).execute();
};
