import { createHash, randomBytes } from "node:crypto";
import { now } from "../db/now.ts";
import type { Caller, Queries } from "../organization.ts";

/** How long a token opens operations. */
export const TOKEN_SECONDS = 3600;
/** How long the renewal cookie makes new tokens. */
export const RENEWAL_SECONDS = 12 * 3600;

/** What a token or secret is stored as. It is random and long, so a plain SHA-256 is enough. */
export const digestOf = (secret: string): string =>
  createHash("sha256").update(secret).digest("hex");

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

/**
 * Who calls with this token. One read, joined with the holder's state: suspension, revocation and
 * removal end access with the next request, on every process.
 *
 * @returns undefined for an unknown, expired or ended token alike
 */
export const findCaller = async (
  db: Queries,
  token: string,
  purpose: "access" | "renewal",
): Promise<Authenticated | undefined> => {
  const digest = digestOf(token);
  const row = await db
    .selectFrom("tokens as t")
    .leftJoin("users as u", "u.id", "t.user_id")
    .select([
      "t.organization_id",
      "t.user_id",
      "t.access_key_id",
      "t.expires_at",
      "u.admin",
      "u.account_suspended",
      "u.account_deleted",
    ])
    .where("t.digest", "=", digest)
    .where("t.purpose", "=", purpose)
    .where("t.expires_at", ">", now())
    .executeTakeFirst();
  if (!row || row.account_suspended || row.account_deleted) return undefined;
  return {
    caller: {
      userId: row.user_id,
      accessKey: row.access_key_id,
      admin: row.access_key_id !== null || row.admin === true,
    },
    organizationId: row.organization_id,
    digest,
    expiresAt: row.expires_at,
  };
};

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
