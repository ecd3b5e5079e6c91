import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from "jose";
import * as oidc from "openid-client";
import { reason } from "../../contract/kit/reasons.ts";
import { isOneNoted, type Note, noteAgain, noteOf, noteOnce } from "../access/notes.ts";
import { signOut } from "../access/sessions.ts";
import type { Authenticated } from "../access/tokens.ts";
import { userSubject } from "../change/history.ts";
import {
  type Change,
  nobody,
  type Organization,
  openOrganization,
  type Queries,
} from "../change/organization.ts";
import type { Expiry } from "../change/removals.ts";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { ProviderRow } from "../db/provider-tables.ts";
import { SealError } from "../db/seal.ts";
import { DAY_MS } from "../lib/durations.ts";
import { leastRecentlyUsed } from "../lib/lru.ts";
import {
  asClient,
  isAddress,
  ProviderProblem,
  type Reaching,
  recentlyDiscovered,
} from "./as-client.ts";
import { type Pending, SIGN_IN_SECONDS } from "./begin.ts";
import { ANSWER_MS, checkedFetch } from "./checked-fetch.ts";
import { endOpened, type OpenedByProvider } from "./opened.ts";
import { settingsOfProvider } from "./providers.ts";
import { failed, problemWith } from "./refused.ts";

/** Sessions of providers that can no longer go on. */
export const endedProviderSessions: Expiry = {
  table: "provider_sessions",
  key: "session",
  by: "ends_at",
  until: now(),
};

/** The session of a request, as its provider knows it; undefined for one that began with a password. */
const findKept = (db: Queries, session: string | null) =>
  db
    .selectFrom("provider_sessions")
    .innerJoin("providers", "providers.id", "provider_sessions.provider_id")
    .selectAll("providers")
    .select(["provider_sessions.id_token", "provider_sessions.session"])
    .select("provider_sessions.client_id")
    .where("provider_sessions.session", "=", session ?? "")
    .executeTakeFirst();

/** The ID token of a session, for the provider; undefined if it is not kept, or of another key. */
const openIdToken = (
  { seal }: Pick<Reaching, "seal">,
  { id_token, session }: { readonly id_token: string | null; readonly session: string },
): string | undefined => {
  try {
    return id_token === null ? undefined : seal.open(id_token, `session:${session}`);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
};

/**
 * Signs out here, and finds where the browser ends the session of the provider too (OpenID Connect
 * RP-Initiated Logout 1.0).
 *
 * @param onProblem takes why the provider could not be asked; the session here has ended all the same
 * @returns the address, null for none; and whether the renewal cookie ends too
 */
export const signOutOfProvider = async (
  reaching: Reaching,
  organization: Organization,
  auth: Authenticated,
  renewals: readonly string[],
  onProblem: (problem: string) => void,
): Promise<{ readonly address: string | null; readonly endsCookie: boolean }> => {
  const kept = await findKept(organization.read, auth.session);
  const endsCookie = await signOut(organization, auth, renewals);
  if (kept === undefined) return { address: null, endsCookie };
  try {
    const client = await asClient(kept, reaching);
    // Without such an address, only the session here ends; the provider's test says what is wrong with a strange one.
    if (!isAddress(kept, client.serverMetadata().end_session_endpoint)) {
      return { address: null, endsCookie };
    }
    const hint = openIdToken(reaching, kept);
    const address = oidc.buildEndSessionUrl(client, {
      post_logout_redirect_uri: `${reaching.config.publicUrl}/`,
      // The provider compares it with the ID token: another client may have been entered since.
      ...(kept.client_id !== null && { client_id: kept.client_id }),
      ...(hint && { id_token_hint: hint }),
    });
    return { address: address.href, endsCookie };
  } catch (error) {
    onProblem(problemWith(error));
    return { address: null, endsCookie };
  }
};

/** The event that a logout token has. */
const LOGOUT = "http://schemas.openid.net/event/backchannel-logout";
/** The oldest logout token that counts: an older one may have been recorded. */
const OLDEST = "5 minutes";

/** The logout token is not accepted. */
export class WrongLogout extends Error {
  override readonly name = "WrongLogout";
}

interface Ending {
  readonly subject: string | undefined;
  readonly sid: string | undefined;
  readonly id: string;
}

/** Returns whether a claim is missing, or a text that can be kept. */
const isTextOrMissing = (claim: unknown): claim is string | undefined =>
  claim === undefined || (typeof claim === "string" && claim !== "" && !claim.includes("\0"));

/** Finds the sessions that a logout token ends. @throws WrongLogout */
const readLogout = ({ events, nonce, sub, sid, jti, exp }: JWTPayload): Ending => {
  const isLogout = typeof events === "object" && events !== null && Object.hasOwn(events, LOGOUT);
  if (!isLogout || nonce !== undefined || exp === undefined) throw new WrongLogout();
  if (!isTextOrMissing(sub) || !isTextOrMissing(sid)) throw new WrongLogout();
  if (typeof jti !== "string" || (sub === undefined && sid === undefined)) throw new WrongLogout();
  return { subject: sub, sid, id: jti };
};

type KeySet = ReturnType<typeof createRemoteJWKSet>;

/** How long the keys of a provider are cached, and the shortest time between two fetches for an unknown key. */
const KEYS_MS = { kept: 60_000, apart: 5_000 } as const;
/** Kept, because anybody can post a token: each would make a request to the provider. */
const keySets = leastRecentlyUsed<string, KeySet>(200);

/** The keys of a provider. */
const keysOf = (
  { organization_id }: ProviderRow,
  address: string,
  isAllowed: Reaching["isAllowed"],
): KeySet => {
  const key = `${organization_id} ${address}`;
  const kept = keySets.get(key);
  if (kept !== undefined) return kept;
  const fetchKeys = checkedFetch(organization_id, isAllowed);
  const made = createRemoteJWKSet(new URL(address), {
    timeoutDuration: ANSWER_MS,
    cacheMaxAge: KEYS_MS.kept,
    cooldownDuration: KEYS_MS.apart,
    [customFetch]: (to, { headers, method, signal }) =>
      fetchKeys(to, {
        method,
        signal,
        headers: Object.fromEntries(new Headers(headers)),
        body: undefined,
        redirect: "manual",
      }),
  });
  keySets.set(key, made);
  return made;
};

/** The errors of the library that are about the keys of the provider, and not about a token. */
const aboutKeys: readonly string[] = [
  errors.JOSEError.code,
  errors.JWKSInvalid.code,
  errors.JWKSTimeout.code,
];

/** Throws that a token is wrong, or why it could not be checked. */
const unverified = (error: unknown): never => {
  if (error instanceof errors.JOSEError && !aboutKeys.includes(error.code)) {
    throw new WrongLogout(error.message);
  }
  return failed(error);
};

/** Returns whether a token is for Parley: for its current client, or one with which a session began. */
const isForParley = async (
  read: Database["read"],
  row: ProviderRow,
  { aud = [] }: JWTPayload,
): Promise<boolean> => {
  const clients = [aud].flat().filter(isTextOrMissing);
  if (clients.includes(settingsOfProvider(row).clientId)) return true;
  if (clients.length === 0) return false;
  const began = await read
    .selectFrom("provider_sessions")
    .select("session")
    .where("provider_id", "=", row.id)
    .where("client_id", "in", clients)
    .limit(1)
    .executeTakeFirst();
  return began !== undefined;
};

/** @throws WrongLogout; SignInRefused where the provider does not give what the check needs */
const verified = async (
  { database, isAllowed }: Pick<Reaching, "isAllowed"> & { readonly database: Database },
  row: ProviderRow,
  token: string,
): Promise<Ending> => {
  const { issuer, jwks_uri = "" } = await recentlyDiscovered(row, isAllowed).catch(failed);
  if (!isAddress(row, jwks_uri)) {
    return failed(new ProviderProblem(reason("provider_document_lacks", { names: "jwks_uri" })));
  }
  const { payload } = await jwtVerify(token, keysOf(row, jwks_uri, isAllowed), {
    issuer,
    clockTolerance: 60,
    maxTokenAge: OLDEST,
  }).catch(unverified);
  if (!(await isForParley(database.read, row, payload))) throw new WrongLogout();
  return readLogout(payload);
};

/**
 * The note that a provider has ended a session, all of a subject, or one of a subject: perhaps that of which the ID
 * token has no name.
 */
const endedNote = (provider: string, by: "sid" | "subject" | "unnamed", name: string): Note =>
  noteOf(SIGN_IN_SECONDS * 1000, "ended", provider, by, name);

/** Returns whether a provider has ended a session since its sign-in began here. */
export const wasEnded = async (
  tx: Queries,
  { provider, until }: Pending,
  { subject, sid }: { readonly subject: string; readonly sid: string | null },
): Promise<boolean> => {
  const notes = [
    endedNote(provider, "subject", subject),
    sid === null ? endedNote(provider, "unnamed", subject) : endedNote(provider, "sid", sid),
  ];
  return isOneNoted(tx, notes, until - SIGN_IN_SECONDS * 1000);
};

/** Adds the ends of these sessions to the history. */
const tellEnded = async (
  { tx, happened }: Change,
  opened: readonly OpenedByProvider[],
): Promise<void> => {
  const people = await tx
    .selectFrom("users")
    .select(["id", "name"])
    .where(
      "id",
      "in",
      opened.map(({ user_id }) => user_id),
    )
    .execute();
  happened(
    ...people.map((person) => ({ kind: "signedOut" as const, subject: userSubject(person) })),
  );
};

/**
 * Ends the sessions that a provider has ended: those of a name, and of the same person those of which the ID token
 * has no name; any of them may be meant.
 */
const endSessions = async (
  change: Change,
  { id }: ProviderRow,
  { subject, sid }: Ending,
): Promise<void> => {
  const { tx } = change;
  const ended = await tx
    .deleteFrom("provider_sessions")
    .where("provider_id", "=", id)
    .$if(subject !== undefined, (query) => query.where("subject", "=", subject ?? ""))
    .$if(sid !== undefined, (query) =>
      query.where(({ eb, or }) =>
        or([eb("sid", "=", sid ?? ""), ...(subject === undefined ? [] : [eb("sid", "is", null)])]),
      ),
    )
    .returning(["session", "user_id"])
    .execute();
  // One of them may be about to begin: its person is on the way back.
  if (sid !== undefined) await noteAgain(tx, endedNote(id, "sid", sid));
  if (subject !== undefined) {
    await noteAgain(tx, endedNote(id, sid === undefined ? "subject" : "unnamed", subject));
  }
  await endOpened(tx, ended);
  if (ended.length > 0) await tellEnded(change, ended);
};

/**
 * Ends the sessions that a provider's logout token names (OpenID Connect Back-Channel Logout 1.0).
 *
 * @throws WrongLogout; SignInRefused where the provider does not give what the check needs
 */
export const endByProvider = async (
  reaching: Reaching & { readonly database: Database },
  row: ProviderRow,
  token: string,
  address: string,
): Promise<void> => {
  const { database } = reaching;
  const ending = await verified(reaching, row, token);
  const caller = { ...nobody, name: row.name };
  const { change } = openOrganization(database, row.organization_id, caller, { address });
  await change(async (begun) => {
    const note = noteOf(DAY_MS, "logout", row.id, ending.id);
    if (!(await noteOnce(begun.tx, note))) throw new WrongLogout();
    await endSessions(begun, row, ending);
  });
};
