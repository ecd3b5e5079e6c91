import * as oidc from "openid-client";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { ProviderRow } from "../db/provider-tables.ts";
import { openUntil, type Seal } from "../db/seal.ts";
import { asClient, type Reaching } from "./as-client.ts";
import { callbackOf, isUsable, settingsOfProvider } from "./providers.ts";
import { failed, SignInRefused } from "./refused.ts";

/** How long somebody may take at the provider. */
export const SIGN_IN_SECONDS = 600;

/** The state that the browser keeps, sealed, while its person is at the provider. */
interface Pending {
  readonly provider: string;
  /** Where the code is redeemed, and nowhere else: the provider may be edited meanwhile. */
  readonly issuer: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The page of the service to which the browser returns. */
  readonly to: string;
  /** In milliseconds, by the database's clock: what the provider ends meanwhile is noted by the same. */
  readonly until: number;
}

export type { Pending };

const CONTEXT = "sign-in";

/**
 * Opens the cookie of a browser; undefined if it is none of this service, or too old.
 *
 * @param time by the database's clock
 */
export const readPending = (seal: Seal, cookie: string, time: string): Pending | undefined =>
  openUntil<Pending>(seal, cookie, CONTEXT, Date.parse(time));

/** A page of the service itself: its path below the service's address; otherwise the first page. */
export const localPage = (to: string | undefined, publicUrl: string): string => {
  const own = new URL(`${publicUrl}/`);
  const url = to?.startsWith("/") ? URL.parse(`${publicUrl}${to}`) : null;
  const isLocal =
    url !== null && url.origin === own.origin && url.pathname.startsWith(own.pathname);
  if (!isLocal || /^\/*api(?:\/|$)/i.test(url.pathname.slice(own.pathname.length - 1))) return "/";
  // One slash: two would begin the name of a host.
  return url.href.slice(publicUrl.length).replace(/^\/+/, "/");
};

/** A provider, with the time by the database's clock. */
export type CurrentProvider = ProviderRow & { readonly currentTime: string };

/** A provider, also one by which nobody can sign in now. @throws SignInRefused `ended` */
export const knownProvider = async (
  { read }: Pick<Database, "read">,
  id: string,
): Promise<CurrentProvider> => {
  const row = await read
    .selectFrom("providers")
    .selectAll()
    .select(now().as("currentTime"))
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) throw new SignInRefused("ended");
  return row;
};

/** A provider by which people can sign in. @throws SignInRefused `ended` */
export const usableProvider = async (
  ...given: Parameters<typeof knownProvider>
): Promise<CurrentProvider> => {
  const row = await knownProvider(...given);
  if (!isUsable(row)) throw new SignInRefused("ended");
  return row;
};

/** Where the browser goes. @throws SignInRefused if the provider names no address that a browser may open */
const authorizationAddress = (
  ...asked: Parameters<typeof oidc.buildAuthorizationUrl>
): ReturnType<typeof oidc.buildAuthorizationUrl> => {
  try {
    return oidc.buildAuthorizationUrl(...asked);
  } catch (error) {
    return failed(error);
  }
};

/**
 * Begins a sign-in: where the browser goes, and what it keeps meanwhile.
 *
 * @throws SignInRefused
 */
export const beginSignIn = async (
  reaching: Reaching,
  row: CurrentProvider,
  { to, login }: { readonly to: string | undefined; readonly login: string | undefined },
): Promise<{ readonly address: string; readonly cookie: string }> => {
  const { seal, config } = reaching;
  const client = await asClient(row, reaching).catch(failed);
  const [state, nonce, verifier] = [
    oidc.randomState(),
    oidc.randomNonce(),
    oidc.randomPKCECodeVerifier(),
  ];
  const scopes = new Set(["openid", ...settingsOfProvider(row).scopes.split(/\s+/)]);
  scopes.delete("");
  const address = authorizationAddress(client, {
    redirect_uri: callbackOf(config.publicUrl, row.id),
    scope: [...scopes].join(" "),
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(login && { login_hint: login }),
  });
  const pending: Pending = {
    provider: row.id,
    issuer: row.issuer,
    state,
    nonce,
    verifier,
    to: localPage(to, config.publicUrl),
    until: Date.parse(row.currentTime) + SIGN_IN_SECONDS * 1000,
  };
  return { address: address.href, cookie: seal.seal(JSON.stringify(pending), CONTEXT) };
};
