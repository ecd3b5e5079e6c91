import * as oidc from "openid-client";
import { type Reason, reason, textOf } from "../../contract/kit/reasons.ts";
import type { Config } from "../config/config.ts";
import type { ProviderRow } from "../db/provider-tables.ts";
import type { Seal } from "../db/seal.ts";
import type { IsAllowed } from "../lib/dialing.ts";
import { leastRecentlyUsed } from "../lib/lru.ts";
import { ANSWER_MS, checkedFetch } from "./checked-fetch.ts";
import { openClientSecret, settingsOfProvider } from "./providers.ts";

/** The parts of the service that reach providers. */
export interface Reaching {
  readonly seal: Seal;
  readonly isAllowed: IsAllowed;
  readonly config: Pick<Config, "publicUrl">;
}

/** How long the discovery document of a provider is cached: many people may sign in at once. */
const FRESH_MS = 60_000;

/** How far the clocks of provider and service may differ, in seconds. */
const SKEW_S = 60;

interface Discovered {
  readonly metadata: oidc.ServerMetadata;
  readonly until: number;
}
const discovered = leastRecentlyUsed<string, Discovered>(200);

const optionsFor = (
  { organization_id, issuer }: Pick<ProviderRow, "organization_id" | "issuer">,
  isAllowed: IsAllowed,
): oidc.DiscoveryRequestOptions => ({
  [oidc.customFetch]: checkedFetch(organization_id, isAllowed),
  timeout: ANSWER_MS / 1000,
  // The fetch lets plain http pass to addresses that the operator allows, and to no others.
  ...(issuer.startsWith("http:") && { execute: [oidc.allowInsecureRequests] }),
});

/** Something that is wrong with a provider. */
export class ProviderProblem extends Error {
  override readonly name = "ProviderProblem";
  readonly reason: Reason;

  constructor(given: Reason) {
    super(textOf(given));
    this.reason = given;
  }
}

const otherIssuer = (address: string, issuer: string): ProviderProblem =>
  new ProviderProblem(reason("provider_of_other_issuer", { address, issuer }));

/** The issuer that a discovery document names, where the library refused it as another one. */
const issuerRefused = (error: unknown): string | undefined => {
  if (!(error instanceof oidc.ClientError)) return undefined;
  if (error.code !== "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED") return undefined;
  const { body } = error.cause as { readonly body?: oidc.ServerMetadata };
  return body?.issuer;
};

/** The discovery document of a provider. Throws what the library or the network throws. */
export const discover = async (
  row: Pick<ProviderRow, "organization_id" | "issuer">,
  isAllowed: IsAllowed,
): Promise<oidc.ServerMetadata> => {
  const issuer = new URL(row.issuer);
  const options = optionsFor(row, isAllowed);
  const found = await oidc
    .discovery(issuer, "parley", undefined, oidc.None(), options)
    .catch((error: unknown) => {
      const other = issuerRefused(error);
      throw other === undefined ? error : otherIssuer(row.issuer, other);
    });
  const metadata = found.serverMetadata();
  // The library lets some issuers pass that stand for the tenants of everybody.
  if (new URL(metadata.issuer).href !== issuer.href) {
    throw otherIssuer(row.issuer, metadata.issuer);
  }
  return structuredClone(metadata) as oidc.ServerMetadata;
};

/** Returns whether a discovery document names an address that Parley or a browser may open. */
export const isAddress = ({ issuer }: Pick<ProviderRow, "issuer">, value: unknown): boolean => {
  const protocol = typeof value === "string" ? URL.parse(value)?.protocol : undefined;
  return protocol === "https:" || (protocol === "http:" && issuer.startsWith("http:"));
};

/** The discovery document of a provider, as it was at most a minute ago. Throws what `discover` throws. */
export const recentlyDiscovered = async (
  row: Pick<ProviderRow, "organization_id" | "issuer">,
  isAllowed: IsAllowed,
): Promise<oidc.ServerMetadata> => {
  const key = `${row.organization_id} ${row.issuer}`;
  const kept = discovered.get(key);
  if (kept !== undefined && kept.until > performance.now()) return kept.metadata;
  const metadata = await discover(row, isAllowed);
  discovered.set(key, { metadata, until: performance.now() + FRESH_MS });
  return metadata;
};

/** How the client proves itself: as the provider says that it may, a form before a header. */
const authentication = (
  { token_endpoint_auth_methods_supported: ways = ["client_secret_basic"] }: oidc.ServerMetadata,
  secret: string | undefined,
): oidc.ClientAuth => {
  if (secret === undefined) return oidc.None();
  return ways.includes("client_secret_post")
    ? oidc.ClientSecretPost(secret)
    : oidc.ClientSecretBasic(secret);
};

/**
 * Parley as a client of a provider. Each request makes a new one, because a client caches the provider's keys:
 * signatures are checked with the keys that the provider publishes at that moment.
 */
export const asClient = async (
  row: ProviderRow,
  { seal, isAllowed }: Pick<Reaching, "seal" | "isAllowed">,
): Promise<oidc.Configuration> => {
  const metadata = await recentlyDiscovered(row, isAllowed);
  const { clientId } = settingsOfProvider(row);
  const secret = openClientSecret(seal, row);
  const client = new oidc.Configuration(
    metadata,
    clientId,
    { [oidc.clockTolerance]: SKEW_S },
    authentication(metadata, secret),
  );
  client[oidc.customFetch] = checkedFetch(row.organization_id, isAllowed);
  client.timeout = ANSWER_MS / 1000;
  if (row.issuer.startsWith("http:")) oidc.allowInsecureRequests(client);
  // The library would trust TLS for tokens that come from the token endpoint.
  oidc.enableNonRepudiationChecks(client);
  return client;
};
