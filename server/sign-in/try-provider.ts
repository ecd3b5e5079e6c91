import * as oidc from "openid-client";
import type { Finding, ProviderCheck } from "../../contract/organization/providers.ts";
import type { Organization } from "../change/organization.ts";
import type { ProviderRow } from "../db/provider-tables.ts";
import { asClient, discover, type Reaching } from "./as-client.ts";
import { checkedFetch } from "./checked-fetch.ts";
import { callbackOf, providerOf, settingsOfProvider } from "./providers.ts";
import { problemWith } from "./refused.ts";

/** Something that is wrong with a provider, as a sentence for its administrator. */
class Problem extends Error {
  override readonly name = "Problem";
}

/** The ways of proving itself that Parley knows. */
const KNOWN = ["client_secret_post", "client_secret_basic", "none"];

/** Whether a discovery document names an address that can be opened. */
const isAddress = (value: unknown): boolean =>
  typeof value === "string" && /^https?:$/.test(URL.parse(value)?.protocol ?? "");

const tryDiscovery = async (row: ProviderRow, { isAllowed }: Reaching): Promise<void> => {
  const found = await discover(row, isAllowed);
  const { authorization_endpoint, token_endpoint, jwks_uri } = found;
  const missing = Object.entries({ authorization_endpoint, token_endpoint, jwks_uri })
    .filter(([, value]) => !isAddress(value))
    .map(([name]) => name);
  if (missing.length > 0) {
    throw new Problem(`The discovery document names no web address for ${missing.join(", ")}.`);
  }
  const ways = found.token_endpoint_auth_methods_supported;
  if (ways !== undefined && !ways.some((way) => KNOWN.includes(way))) {
    throw new Problem(
      `The provider takes clients only by ${ways.join(", ")}; Parley knows ${KNOWN.join(", ")}.`,
    );
  }
};

const tryKeys = async (row: ProviderRow, { isAllowed }: Reaching): Promise<void> => {
  const { jwks_uri = "" } = await discover(row, isAllowed);
  const answer = await checkedFetch(row.organization_id, isAllowed)(jwks_uri, {
    method: "GET",
    headers: { accept: "application/json" },
    body: undefined,
    redirect: "manual",
  });
  const found = (await answer.json().catch(() => undefined)) as { keys?: unknown } | undefined;
  if (!answer.ok || !Array.isArray(found?.keys) || found.keys.length === 0) {
    throw new Problem(
      `The address of the keys, ${jwks_uri}, answers without any (${answer.status}).`,
    );
  }
};

/** Redeems a code that nobody has issued: a provider that knows the client refuses the code only. */
const tryClient = async (row: ProviderRow, reaching: Reaching): Promise<void> => {
  if (settingsOfProvider(row).clientId === "") throw new Problem("There is no client ID yet.");
  const client = await asClient(row, reaching);
  const current = new URL(callbackOf(reaching.config.publicUrl, row.id));
  current.searchParams.set("code", "a-code-that-nobody-has-issued");
  if (client.serverMetadata().authorization_response_iss_parameter_supported) {
    current.searchParams.set("iss", client.serverMetadata().issuer);
  }
  try {
    await oidc.authorizationCodeGrant(client, current, {
      pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
    });
  } catch (error) {
    const isOfCode = error instanceof oidc.ResponseBodyError && error.error === "invalid_grant";
    if (isOfCode) return;
    if (
      error instanceof oidc.ResponseBodyError ||
      error instanceof oidc.WWWAuthenticateChallengeError
    ) {
      const said = error instanceof oidc.ResponseBodyError ? error.error : String(error.status);
      throw new Problem(`The provider refuses the client ID or the secret: ${said}.`);
    }
    throw error;
  }
};

/**
 * Tries whether a provider answers as it should, and says what is wrong. Nobody is signed in.
 *
 * @throws Refusal `provider_not_found`
 */
export const tryProvider = async (
  { read, id: organizationId }: Organization,
  id: string,
  reaching: Reaching,
): Promise<Finding[]> => {
  const row = await providerOf(read, organizationId, id);
  const tries: readonly (readonly [ProviderCheck, typeof tryKeys])[] = [
    ["discovery", tryDiscovery],
    ["keys", tryKeys],
    ["clientSecret", tryClient],
  ];
  const findings: Finding[] = [];
  for (const [check, attempt] of tries) {
    try {
      await attempt(row, reaching);
      findings.push({ check, ok: true, problem: null });
    } catch (error) {
      const problem = error instanceof Problem ? error.message : problemWith(error);
      return [...findings, { check, ok: false, problem }];
    }
  }
  return findings;
};
