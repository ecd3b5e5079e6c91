import * as oidc from "openid-client";
import { reason, textOf } from "../../contract/kit/reasons.ts";
import type { Finding, ProviderCheck } from "../../contract/organization/providers.ts";
import type { Organization } from "../change/organization.ts";
import type { ProviderRow } from "../db/provider-tables.ts";
import { asClient, discover, isAddress, ProviderProblem, type Reaching } from "./as-client.ts";
import { checkedFetch } from "./checked-fetch.ts";
import { callbackOf, providerOf, settingsOfProvider } from "./providers.ts";
import { providerFault } from "./refused.ts";

/** The ways of proving itself that Parley knows. */
const KNOWN = ["client_secret_post", "client_secret_basic", "none"];

const tryDiscovery = async (row: ProviderRow, { isAllowed }: Reaching): Promise<void> => {
  const found = await discover(row, isAllowed);
  const { authorization_endpoint, token_endpoint, jwks_uri } = found;
  const { userinfo_endpoint, end_session_endpoint } = found;
  const needed = Object.entries({ authorization_endpoint, token_endpoint, jwks_uri });
  const named = Object.entries({ userinfo_endpoint, end_session_endpoint }).filter(
    ([, value]) => value !== undefined,
  );
  const missing = [...needed, ...named]
    .filter(([, value]) => !isAddress(row, value))
    .map(([name]) => name);
  if (missing.length > 0) {
    throw new ProviderProblem(reason("provider_document_lacks", { names: missing.join(", ") }));
  }
  const ways = found.token_endpoint_auth_methods_supported;
  if (ways !== undefined && !ways.some((way) => KNOWN.includes(way))) {
    throw new ProviderProblem(
      reason("provider_ways_unknown", { ways: ways.join(", "), accepted: KNOWN }),
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
    throw new ProviderProblem(
      reason("provider_without_keys", { address: jwks_uri, status: answer.status }),
    );
  }
};

/** Redeems a code that nobody has issued: a provider that knows the client refuses the code only. */
const tryClient = async (row: ProviderRow, reaching: Reaching): Promise<void> => {
  if (settingsOfProvider(row).clientId === "") {
    throw new ProviderProblem(reason("provider_without_client_id"));
  }
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
      throw new ProviderProblem(reason("provider_refuses_client", { said }));
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
      findings.push({ check, ok: true, problem: null, code: null });
    } catch (error) {
      const fault = providerFault(error);
      return [...findings, { check, ok: false, problem: textOf(fault), ...fault }];
    }
  }
  return findings;
};
