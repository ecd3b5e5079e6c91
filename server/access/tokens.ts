import { randomBytes } from "node:crypto";
import type { ExpressionBuilder, Selectable } from "kysely";
import { type OwnersMay, settingsOf } from "../../contract/kit/organization-settings.ts";
import type { Scope } from "../../contract/kit/scopes.ts";
import type { Caller, Queries } from "../change/organization.ts";
import type { Expiry } from "../change/removals.ts";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import { type Find, findIn, type Lookup } from "../db/prepared.ts";
import type { SessionLevel, Tables, TokensTable } from "../db/tables.ts";
import { digestOf } from "../lib/digest.ts";
import { HOUR_MS } from "../lib/durations.ts";
import { uuid7 } from "../lib/id.ts";
import { noteSignedOut } from "./notes.ts";
import { isFactorDemanded } from "./tickets.ts";

/** How long an access token is valid. */
export const TOKEN_SECONDS = 3600;
/** How long the renewal cookie is valid. */
export const RENEWAL_SECONDS = 12 * 3600;

/** The holder of a token: an account or an access key. */
export type Holder =
  | { readonly organizationId: string; readonly userId: string }
  | { readonly organizationId: string; readonly accessKey: string };

/** A new token, which is readable only now. */
export interface IssuedToken {
  readonly token: string;
  readonly expiresAt: string;
}

type Purpose = TokensTable["purpose"];

/** The most characters kept of a browser's own description. */
const LONGEST_AGENT = 300;

/** How long the cookie of a recording is valid. */
const MEDIA_SECONDS = 3600;

const SECONDS: Readonly<Record<Purpose, number>> = {
  access: TOKEN_SECONDS,
  renewal: RENEWAL_SECONDS,
  media: MEDIA_SECONDS,
};

/** The sign-in to which new tokens belong. */
interface SessionOf {
  readonly session: string | null;
  readonly userAgent?: string | null;
  readonly level?: SessionLevel;
  /** Omitted: now. */
  readonly provedAt?: string | null;
}

/** Makes tokens, one of each purpose, in one statement: 256 random bits, stored as their digest. */
const issue = async <P extends Purpose>(
  tx: Queries,
  holder: Holder,
  purposes: readonly P[],
  opens = "",
  { session, userAgent = null, level = "password", provedAt }: SessionOf = { session: null },
): Promise<Readonly<Record<P, IssuedToken>>> => {
  const made = purposes.map((purpose) => {
    const token = randomBytes(32).toString("base64url");
    return { purpose, token, digest: digestOf(opens + token) };
  });
  const rows = await tx
    .insertInto("tokens")
    .values(
      made.map(({ digest, purpose }) => ({
        digest,
        purpose,
        organization_id: holder.organizationId,
        user_id: "userId" in holder ? holder.userId : null,
        access_key_id: "accessKey" in holder ? holder.accessKey : null,
        created_at: now(),
        expires_at: now(SECONDS[purpose] * 1000),
        session,
        level,
        proved_at: provedAt === undefined ? now() : provedAt,
        user_agent: purpose === "renewal" ? userAgent : null,
      })),
    )
    .returning(["digest", "expires_at"])
    .execute();
  const expiry = new Map(rows.map(({ digest, expires_at }) => [digest, expires_at]));
  const issued = made.map(({ purpose, token, digest }) => [
    purpose,
    { token, expiresAt: expiry.get(digest) ?? "" },
  ]);
  return Object.fromEntries(issued) as Record<P, IssuedToken>;
};

export const issueToken = async (
  tx: Queries,
  holder: Holder,
  purpose: Purpose,
  of: SessionOf = { session: null },
): Promise<IssuedToken> => (await issue(tx, holder, [purpose], "", of))[purpose];

/**
 * Makes the tokens of a new session.
 *
 * @param userAgent what the browser says of itself
 * @param level how far the sign-in went
 */
export const issueSession = async (
  tx: Queries,
  holder: Holder,
  userAgent: string | undefined,
  level: SessionLevel,
) => {
  const session = uuid7();
  const tokens = await issue(tx, holder, ["access", "renewal"], "", {
    session,
    level,
    userAgent: userAgent?.slice(0, LONGEST_AGENT).toWellFormed().replaceAll("\0", "") || null,
  });
  return { ...tokens, session };
};

/**
 * Makes a token that opens the files of one recording. Its digest covers the recording as well: sent
 * for another recording, the token has a digest that was never issued.
 */
export const issueMedia = async (
  tx: Queries,
  holder: Holder,
  recordingId: string,
): Promise<IssuedToken> => (await issue(tx, holder, ["media"], recordingId)).media;

/** The most tokens of a holder, per purpose: more than a holder has clients. */
const MOST = 1_000;

/** Ends the oldest tokens of a holder that has too many, so that one more may be made. */
export const endOldest = async (
  tx: Queries,
  holder: Holder,
  purposes: readonly Purpose[] = ["access", "renewal"],
): Promise<void> => {
  const endOf = async (purpose: Purpose): Promise<void> => {
    const tooMany = tx
      .selectFrom("tokens")
      .select("digest")
      .$if("userId" in holder, (query) =>
        query.where("user_id", "=", (holder as { readonly userId: string }).userId),
      )
      .$if("accessKey" in holder, (query) =>
        query.where("access_key_id", "=", (holder as { readonly accessKey: string }).accessKey),
      )
      .where("purpose", "=", purpose)
      .orderBy("created_at", "desc")
      .orderBy("digest")
      // SQLite has no offset without a limit.
      .limit(MOST)
      .offset(MOST - 1);
    await tx.deleteFrom("tokens").where("digest", "in", tooMany).execute();
  };
  // Asked together: on PostgreSQL each round trip counts.
  await Promise.all(purposes.map(endOf));
};

/** A caller, with the data of its token. */
export interface Authenticated {
  readonly caller: Caller;
  readonly organizationId: string;
  readonly digest: string;
  readonly expiresAt: string;
  /** The sign-in to which the token belongs; null for a token of an access key. */
  readonly session: string | null;
  readonly level: SessionLevel;
  readonly provedAt: string | null;
  /** True if the person showed within some minutes who they are. */
  readonly isFresh: boolean;
  /** The caller's rights as an owner, which the organization sets; null if the caller has no such limit. */
  readonly ownersMay: OwnersMay | null;
}

/** A token, with the state of its holder. */
interface TokenRow extends Omit<Selectable<TokensTable>, "created_at" | "user_agent"> {
  readonly currentTime: string;
  readonly admin: boolean | null;
  readonly name: string | null;
  readonly account_created_at: string | null;
  readonly account_suspended: boolean | null;
  readonly account_deleted: boolean | null;
  readonly key_name: string | null;
  readonly scope: Scope | null;
  readonly key_expires_at: string | null;
  readonly settings: string;
}

/** One read, joined with the holder's state: access ends with the next request everywhere. */
const byDigest: Lookup<TokenRow> = {
  parts: 1,
  keyOf: ({ digest }) => [digest],
  query: (db, digest) =>
    db
      .selectFrom("tokens as t")
      .leftJoin("users as u", "u.id", "t.user_id")
      .leftJoin("access_keys as k", "k.id", "t.access_key_id")
      .innerJoin("organizations as o", "o.id", "t.organization_id")
      .select(["t.digest", "t.purpose", "t.organization_id", "t.user_id", "t.access_key_id"])
      .select(["t.expires_at", "t.session", "t.level", "t.proved_at", now().as("currentTime")])
      .select(["u.admin", "u.name", "u.account_suspended", "u.account_deleted"])
      .select("u.created_at as account_created_at")
      .select(["k.name as key_name", "k.scope", "k.expires_at as key_expires_at"])
      .select("o.settings")
      .where(digest("t.digest")),
};

/** For how many minutes a proof lasts. */
const FRESH_MINUTES = 10;

/**
 * Notes that the person of a session has just shown who they are, for all tokens of the session.
 *
 * @param level omitted: it stays; it may have changed while the proof was checked
 */
export const proveSession = async (
  tx: Queries,
  { caller, session, digest }: Pick<Authenticated, "caller" | "session" | "digest">,
  level?: SessionLevel,
): Promise<void> => {
  await tx
    .updateTable("tokens")
    .set({ proved_at: now(), ...(level !== undefined && { level }) })
    .where("user_id", "=", caller.userId)
    .where(({ eb }) => (session === null ? eb("digest", "=", digest) : eb("session", "=", session)))
    .execute();
};

/** Changes the level of all sessions of a person. */
export const setLevel = async (tx: Queries, userId: string, level: SessionLevel): Promise<void> => {
  await tx.updateTable("tokens").set({ level }).where("user_id", "=", userId).execute();
};

/** Which tokens are accepted. */
export type Accepted = "living" | "even expired";

const authenticated = (
  row: TokenRow | undefined,
  purpose: TokenRow["purpose"],
  accepted: Accepted = "living",
): Authenticated | undefined => {
  if (row === undefined || row.purpose !== purpose) return undefined;
  if (accepted === "living" && row.expires_at <= row.currentTime) return undefined;
  if (row.account_suspended || row.account_deleted) return undefined;
  if (row.key_expires_at !== null && row.key_expires_at <= row.currentTime) return undefined;
  // The key was narrowed to SCIM, which needs no token.
  if (row.scope === "scim") return undefined;
  const keyEnd = row.key_expires_at ?? row.expires_at;
  const admin = row.access_key_id !== null || row.admin === true;
  // The demand may have ended since: the person is no administrator any more, or the organization demands less.
  const isOver = row.level === "setup" && !isFactorDemanded(row, { admin });
  const level = isOver ? "password" : row.level;
  const isFresh =
    row.proved_at !== null &&
    Date.parse(row.currentTime) - Date.parse(row.proved_at) < FRESH_MINUTES * 60_000;
  return {
    caller: {
      userId: row.user_id,
      accessKey: row.access_key_id,
      admin,
      scope: row.scope ?? "everything",
      name: row.name ?? (row.key_name || row.access_key_id) ?? "",
      ...(row.account_created_at !== null && { accountCreatedAt: row.account_created_at }),
      ...(row.level === "factor" && !isFresh && { owesProof: true }),
    },
    organizationId: row.organization_id,
    digest: row.digest,
    session: row.session,
    level,
    provedAt: row.proved_at,
    isFresh,
    expiresAt: keyEnd < row.expires_at ? keyEnd : row.expires_at,
    ownersMay: admin ? null : settingsOf(row).ownersMay,
  };
};

/**
 * The caller with this access token.
 *
 * @returns undefined for an unknown, expired or ended token alike
 */
export const findCaller = async (
  { find }: Pick<Database, "find">,
  token: string,
): Promise<Authenticated | undefined> =>
  authenticated(await find(byDigest, [digestOf(token)]), "access");

/** The caller who may open a recording's files with this token; undefined for any other token. */
export const findViewer = async (
  { find }: Pick<Database, "find">,
  token: string,
  recordingId: string,
  accepted?: Accepted,
): Promise<Authenticated | undefined> =>
  authenticated(await find(byDigest, [digestOf(recordingId + token)]), "media", accepted);

/** The caller with this token as it is now; undefined once the token has ended. */
export const findAgain = async (
  find: Find,
  { digest }: Authenticated,
  accepted?: Accepted,
): Promise<Authenticated | undefined> =>
  authenticated(await find(byDigest, [digest]), "access", accepted);

/** The person of a renewal cookie. Inside a change: the cookie may have ended just now. */
export const findRenewal = async (
  tx: Queries,
  cookie: string,
): Promise<Authenticated | undefined> =>
  authenticated(await findIn(tx, byDigest, [digestOf(cookie)]), "renewal");

/** The tokens of a request that stay when the account's other tokens end, by their digests. */
export interface KeptTokens {
  readonly access: string;
  readonly renewals: readonly string[];
  /** The session of the access token: a page of another host below the same domain can set another one's cookie. */
  readonly session: string | null;
}

/** Ends every token of these accounts, except those that are kept. */
export const endTokens = async (
  tx: Queries,
  userIds: readonly string[],
  keep?: KeptTokens,
): Promise<void> => {
  await tx
    .deleteFrom("tokens")
    .where("user_id", "in", userIds)
    .$if(keep !== undefined, (query) =>
      // Each by its purpose: an access token that is sent as the cookie is not kept.
      query.where(({ eb, not, or, and }) =>
        not(
          or([
            and([eb("purpose", "=", "access"), eb("digest", "=", keep?.access ?? "")]),
            and([
              eb("purpose", "=", "renewal"),
              eb("digest", "in", ["", ...(keep?.renewals ?? [])]),
              eb("session", keep?.session == null ? "is" : "=", keep?.session ?? null),
            ]),
          ]),
        ),
      ),
    )
    .execute();
};

/**
 * Ends every token of a person who stays, except those that are kept, and the way back to a meeting without a
 * session.
 */
export const endSignIns = async (tx: Queries, userId: string, keep?: KeptTokens): Promise<void> => {
  await endTokens(tx, [userId], keep);
  await noteSignedOut(tx, [userId]);
};

export const endTokensByDigest = async (tx: Queries, digests: readonly string[]): Promise<void> => {
  await tx.deleteFrom("tokens").where("digest", "in", digests).execute();
};

/** Ends the tokens of sign-ins of these people, those of all tabs. */
export const endTokensOf = async (
  tx: Queries,
  userIds: readonly string[],
  sessions: readonly string[],
): Promise<void> => {
  if (sessions.length === 0) return;
  // By people, because no index has sessions.
  await tx
    .deleteFrom("tokens")
    .where("user_id", "in", userIds)
    .where("session", "in", sessions)
    .execute();
};

/** Finds what else ends with a sign-out: opened recordings, and answers begun with an expired token. */
export const isRemains = ({ eb, or }: ExpressionBuilder<Tables, "tokens">) =>
  or([eb("purpose", "=", "media"), eb("expires_at", "<=", now())]);

/**
 * Ends what else of these people ends with a sign-out: opened recordings, answers begun with an
 * expired token, and the way back to a meeting without a session.
 */
export const endRemains = async (tx: Queries, userIds: readonly string[]): Promise<void> => {
  await tx.deleteFrom("tokens").where("user_id", "in", userIds).where(isRemains).execute();
  await noteSignedOut(tx, userIds);
};

/** How long an answer may be on its way after the token that asked for it has expired. */
const ANSWER_MS = 12 * HOUR_MS;

/** Expired tokens are kept for the answers that they began: those end when the token is removed (0016). */
export const expiredTokens: Expiry = {
  table: "tokens",
  key: "digest",
  by: "expires_at",
  until: now(-ANSWER_MS),
};
