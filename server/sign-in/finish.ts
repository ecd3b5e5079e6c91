import * as oidc from "openid-client";
import { noteOf, noteOnce } from "../access/notes.ts";
import { noteSignedIn } from "../access/places.ts";
import { beginSession, keepRefused } from "../access/sessions.ts";
import { RENEWAL_SECONDS, TOKEN_SECONDS } from "../access/tokens.ts";
import { type Caller, type Change, nobody, openOrganization } from "../change/organization.ts";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { UserRow } from "../db/tables.ts";
import { Refusal } from "../lib/refusal.ts";
import { accountOfKnown, type Known, subjectIn } from "./accounts.ts";
import { asClient, type Reaching } from "./as-client.ts";
import {
  type CurrentProvider,
  type Pending,
  readPending,
  SIGN_IN_SECONDS,
  usableProvider,
} from "./begin.ts";
import { type Claims, claimOf, readClaims } from "./claims.ts";
import { wasEnded } from "./logout.ts";
import { callbackOf, settingsOfProvider } from "./providers.ts";
import { failed, SignInRefused } from "./refused.ts";

/** The parts of the service that finish a sign-in. */
export interface Finishing extends Reaching {
  readonly database: Database;
  readonly onError: (error: unknown) => void;
}

/** The parameters with which the browser returns from a provider. */
export interface CameBack {
  /** The query of the request, as it came. */
  readonly search: string;
  readonly cookies: readonly string[];
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** The person who is in, and the address to which the browser goes. */
export interface Entered {
  readonly to: string;
  readonly renewal: string;
}

/** The longest ID token that is kept for the sign-out. */
const LONGEST_TOKEN = 8_000;

/** The provider's name of its session; null where it gives none that can be kept. */
const sidIn = ({ sid }: Claims): string | null =>
  typeof sid === "string" && sid.length <= LONGEST_TOKEN ? sid.replaceAll("\0", "") : null;

/**
 * Takes the sign-in that this browser began, once: an answer to one that was begun elsewhere, or a repeated
 * answer, opens nothing.
 *
 * @throws SignInRefused `ended`
 */
const takePending = async (
  { seal, database }: Finishing,
  { id, issuer, currentTime }: CurrentProvider,
  { search, cookies }: CameBack,
): Promise<Pending> => {
  const state = new URLSearchParams(search).get("state");
  const pending = cookies
    .map((cookie) => readPending(seal, cookie, currentTime))
    .find((one) => one?.provider === id && one.state === state);
  if (pending?.issuer !== issuer) throw new SignInRefused("ended");
  const note = noteOf(SIGN_IN_SECONDS * 1000, "sign-in", pending.state);
  const isFirst = await database.change((tx) => noteOnce(tx, note));
  if (!isFirst) throw new SignInRefused("ended");
  return pending;
};

/** The claims of a provider, in its ID token and beside it. */
const claimsOf = async (
  client: oidc.Configuration,
  tokens: Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>,
  emailClaim: string,
): Promise<Claims> => {
  const signed: Claims = tokens.claims() ?? {};
  if (client.serverMetadata().userinfo_endpoint === undefined) return signed;
  const beside: Claims = await oidc.fetchUserInfo(client, tokens.access_token, subjectIn(signed));
  const [one, other] = [claimOf(signed, emailClaim), claimOf(beside, emailClaim)];
  // Otherwise the address of one could count as verified by the word of the other.
  if (one !== undefined && other !== undefined && one !== other) {
    throw new SignInRefused(
      "provider_failed",
      "The ID token and the user info name two addresses.",
    );
  }
  return { ...beside, ...signed };
};

/** Keeps what the end of the session needs, at the provider and here. */
const keepSession = async (
  { tx }: Change,
  { seal }: Finishing,
  { provider, settings, subject }: Known,
  {
    session,
    user,
    sid,
    idToken,
  }: {
    readonly session: string;
    readonly user: Pick<UserRow, "id">;
    readonly sid: string | null;
    readonly idToken: string;
  },
): Promise<void> => {
  await tx
    .insertInto("provider_sessions")
    .values({
      session,
      provider_id: provider.id,
      user_id: user.id,
      client_id: settings.clientId,
      subject,
      sid,
      id_token: idToken.length > LONGEST_TOKEN ? null : seal.seal(idToken, `session:${session}`),
      ends_at: now((RENEWAL_SECONDS + TOKEN_SECONDS) * 1000),
    })
    .execute();
};

const words = ["user_limit", "account_suspended", "account_revoked"] as const;

/** The word for what a rule refuses. */
const refusedBy = (error: unknown): never => {
  if (!(error instanceof Refusal)) throw error;
  const word = words.find((one) => one === error.code);
  if (word) throw new SignInRefused(word);
  if (error.code === "email_taken" || error.code === "wrong_login") {
    throw new SignInRefused("no_account");
  }
  throw error;
};

/** A sign-in that began here, with what the provider says of its session. */
interface Begun {
  readonly pending: Pending;
  readonly sid: string | null;
  readonly idToken: string;
}

/** Opens the session of a person whom a provider has shown, in one change. */
const enter = async (
  finishing: Finishing,
  known: Known,
  { address, userAgent }: CameBack,
  { pending, sid, idToken }: Begun,
): Promise<string> => {
  const { database, onError } = finishing;
  const { provider } = known;
  const caller: Caller = { ...nobody, name: provider.name };
  const organization = openOrganization(database, provider.organization_id, caller, { address });
  let found: UserRow | undefined;
  try {
    return await organization.change(async (change) => {
      // Again, under the lock: it may have been switched off or edited meanwhile.
      const current = await usableProvider({ read: change.tx }, provider.id);
      if (current.updated_at !== provider.updated_at) throw new SignInRefused("ended");
      const { subject } = known;
      if (await wasEnded(change.tx, pending, { subject, sid })) throw new SignInRefused("ended");
      const user = await accountOfKnown(change, known, userAgent);
      found = user;
      const facts = { provider: provider.name };
      const { session, opened } = await beginSession(change, user, {
        userAgent,
        facts,
        by: "provider",
      });
      await noteSignedIn(change.tx, user);
      await keepSession(change, finishing, known, { session, user, sid, idToken });
      return opened.renewal;
    });
  } catch (error) {
    if (found && error instanceof Refusal) {
      keepRefused(database, found, error.code, address).catch(onError);
    }
    return refusedBy(error);
  }
};

/**
 * Finishes a sign-in: checks what came back, and opens a session.
 *
 * @throws SignInRefused
 */
export const finishSignIn = async (
  finishing: Finishing,
  row: CurrentProvider,
  arrival: CameBack,
): Promise<Entered> => {
  const pending = await takePending(finishing, row, arrival);
  const { state, nonce, verifier, to } = pending;
  const client = await asClient(row, finishing).catch(failed);
  const settings = settingsOfProvider(row);
  const current = new URL(callbackOf(finishing.config.publicUrl, row.id));
  current.search = arrival.search;
  const tokens = await oidc
    .authorizationCodeGrant(client, current, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    .catch(failed);
  const claims = await claimsOf(client, tokens, settings.emailClaim).catch(failed);
  const known: Known = {
    provider: row,
    settings,
    subject: subjectIn(claims),
    said: readClaims(claims, settings),
  };
  const idToken = tokens.id_token ?? "";
  const renewal = await enter(finishing, known, arrival, { pending, sid: sidIn(claims), idToken });
  return { to, renewal };
};
