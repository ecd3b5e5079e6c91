import type { Checked } from "../../contract/kit/operation.ts";
import { settingsOf } from "../../contract/kit/organization-settings.ts";
import { PROVIDERS } from "../../contract/kit/plain.ts";
import {
  type createProvider as creating,
  type editProvider as editing,
  type Provider,
  type ProviderSettings,
  providerSettings,
} from "../../contract/organization/providers.ts";
import { allFacts, changedFacts, type Facts, type Happened } from "../change/history.ts";
import { type Change, type Organization, type Queries, timeAfter } from "../change/organization.ts";
import type { ProviderRow } from "../db/provider-tables.ts";
import { type Seal, SealError } from "../db/seal.ts";
import { type IsAllowed, refuseInside } from "../lib/dialing.ts";
import { uuid7 } from "../lib/id.ts";
import { refuse } from "../lib/refusal.ts";
import { endAllOpened } from "./opened.ts";

/** Where browsers and providers reach the sign-in, below the service's own address. */
export const providerPath = (id: string): string => `/api/session/provider/${id}`;

/** Where a provider sends browsers back. */
export const callbackOf = (publicUrl: string, id: string): string =>
  `${publicUrl}${providerPath(id)}/callback`;

const initial = Object.fromEntries(
  Object.entries(providerSettings).map(([name, one]) => [name, one.initial]),
) as ProviderSettings;

/** The settings of a provider. */
export const settingsOfProvider = ({
  settings,
}: Pick<ProviderRow, "settings">): ProviderSettings => ({
  ...initial,
  ...JSON.parse(settings),
});

/** The context in which a client secret is sealed: it opens for its own provider only. */
const secretContext = (id: string): string => `provider:${id}`;

/** The client secret; undefined where there is none. @throws SealError where it was sealed with another key */
export const openClientSecret = (
  seal: Seal,
  { id, client_secret }: Pick<ProviderRow, "id" | "client_secret">,
): string | undefined =>
  client_secret === null ? undefined : seal.open(client_secret, secretContext(id));

/** Returns whether an error is that a secret was sealed with another key. */
export const isUnsealable = (error: unknown): boolean => error instanceof SealError;

/** A provider as the history names it. */
const subjectOf = ({ id, name }: Pick<ProviderRow, "id" | "name">): Happened["subject"] => ({
  kind: "provider",
  id,
  name,
});

/** The values of a provider in the history: never its secret. */
const factsOf = (row: ProviderRow): Facts => ({
  name: row.name,
  issuer: row.issuer,
  on: row.enabled,
  clientSecret: row.client_secret,
  ...settingsOfProvider(row),
});
const secrets: ReadonlySet<string> = new Set(["clientSecret"]);

const present = (row: ProviderRow, publicUrl: string): Provider => ({
  id: row.id,
  name: row.name,
  issuer: row.issuer,
  on: row.enabled,
  hasSecret: row.client_secret !== null,
  ...settingsOfProvider(row),
  redirectAddress: callbackOf(publicUrl, row.id),
  backChannelAddress: `${publicUrl}${providerPath(row.id)}/logout`,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** The providers of an organization, oldest first. */
export const providersOf = (db: Queries, organizationId: string): Promise<ProviderRow[]> =>
  db
    .selectFrom("providers")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .orderBy("id")
    .execute();

/** A provider of the organization. @throws Refusal `provider_not_found` */
export const providerOf = async (
  db: Queries,
  organizationId: string,
  id: string,
): Promise<ProviderRow> =>
  (await db
    .selectFrom("providers")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst()) ?? refuse("provider_not_found");

/** Returns whether people can sign in by a provider. */
export const isUsable = (row: ProviderRow): boolean =>
  row.enabled && settingsOfProvider(row).clientId !== "";

/** Keeps a provider on while there is no other way in. @throws Refusal `provider_needed` */
const keepOne = async ({ tx, organization }: Change): Promise<void> => {
  if (settingsOf(organization).signInBy !== "providers") return;
  const all = await providersOf(tx, organization.id);
  if (!all.some(isUsable)) refuse("provider_needed");
};

/**
 * Refuses to end passwords before an administrator has come in without one: a person who asks, or anybody
 * else where an access key asks.
 *
 * @throws Refusal `provider_untried`
 */
export const refuseUntried = async ({ tx, organization, caller }: Change): Promise<void> => {
  const usable = (await providersOf(tx, organization.id)).filter(isUsable).map(({ id }) => id);
  const linked =
    usable.length > 0 &&
    (await tx
      .selectFrom("provider_links")
      .innerJoin("users", "users.id", "provider_links.user_id")
      .select("users.id")
      .where("provider_id", "in", usable)
      .where("users.admin", "=", true)
      .where("account_suspended", "=", false)
      .where("account_deleted", "=", false)
      .where("users.gone_at", "is", null)
      .$if(caller.userId !== null, (query) => query.where("users.id", "=", caller.userId ?? ""))
      .executeTakeFirst());
  if (!linked) refuse("provider_untried");
};

/** The dependencies of the rules of providers besides the change. */
export interface ProviderTools {
  readonly seal: Seal;
  readonly isAllowed: IsAllowed;
  readonly publicUrl: string;
}

/** The issuer; people also paste the address of its discovery document. */
const bareIssuer = (address: string): string =>
  new URL(address.replace(/\/\.well-known\/openid-configuration\/?$/, "")).href;

const sealed = (seal: Seal, id: string, secret: string | null): string | null =>
  secret === null || secret === "" ? null : seal.seal(secret, secretContext(id));

/** Adds a provider. @throws Refusal `provider_limit`, `invalid_input` for an address in the operator's network */
export const createProvider = async (
  change: Change,
  { name, issuer: address, on, clientSecret = null, ...settings }: Checked<typeof creating>,
  { seal, isAllowed, publicUrl }: ProviderTools,
): Promise<Provider> => {
  const { tx, organization, now: at } = change;
  const issuer = bareIssuer(address);
  refuseInside("issuer", issuer, isAllowed);
  const there = await providersOf(tx, organization.id);
  if (there.length >= PROVIDERS) refuse("provider_limit");
  const id = uuid7();
  const row: ProviderRow = {
    id,
    organization_id: organization.id,
    name,
    issuer,
    enabled: on,
    client_secret: sealed(seal, id, clientSecret),
    settings: JSON.stringify(settings),
    created_at: at,
    updated_at: at,
  };
  await tx.insertInto("providers").values(row).execute();
  change.happened({
    kind: "providerCreated",
    subject: subjectOf(row),
    after: allFacts(factsOf(row), secrets),
  });
  return present(row, publicUrl);
};

/** The providers of an organization, oldest first. */
export const listProviders = async (
  { read, id }: Organization,
  publicUrl: string,
): Promise<Provider[]> => (await providersOf(read, id)).map((row) => present(row, publicUrl));

/**
 * Edits a provider: only supplied fields change. Another issuer has other subjects, so its links end, and its sessions.
 *
 * @param own the session of the caller, which stays
 * @throws Refusal `provider_not_found`, `provider_needed`, `invalid_input` for an address in the operator's
 *   network
 */
export const editProvider = async (
  change: Change,
  { id, name, on, clientSecret, ...given }: Checked<typeof editing>,
  own: string | null,
  { seal, isAllowed, publicUrl }: ProviderTools,
): Promise<Provider> => {
  const { tx, organization } = change;
  const row = await providerOf(tx, organization.id, id);
  const issuer = given.issuer === undefined ? row.issuer : bareIssuer(given.issuer);
  const isOther = issuer !== row.issuer;
  if (isOther) refuseInside("issuer", issuer, isAllowed);
  const { issuer: _, ...changed } = given;
  const supplied = Object.entries(changed).filter(([, value]) => value !== undefined);
  const set = {
    name: name ?? row.name,
    issuer,
    enabled: on ?? row.enabled,
    // A secret does not follow to another issuer, which could be anybody's.
    client_secret: isOther
      ? sealed(seal, id, clientSecret ?? null)
      : clientSecret === undefined
        ? row.client_secret
        : sealed(seal, id, clientSecret),
    settings: JSON.stringify({ ...settingsOfProvider(row), ...Object.fromEntries(supplied) }),
    updated_at: timeAfter(change, row.updated_at),
  };
  const edited: ProviderRow = { ...row, ...set };
  await tx.updateTable("providers").set(set).where("id", "=", id).execute();
  if (isOther) {
    await tx.deleteFrom("provider_links").where("provider_id", "=", id).execute();
    await endAllOpened(change, id, own);
  }
  await keepOne(change);
  const facts = changedFacts(factsOf(row), factsOf(edited), secrets);
  if (Object.keys(facts.after).length > 0) {
    change.happened({ kind: "providerEdited", subject: subjectOf(edited), ...facts });
  }
  return present(edited, publicUrl);
};

/**
 * Removes a provider with its links, and ends the sessions that it opened.
 *
 * @param own the session of the caller, which stays
 * @throws Refusal `provider_not_found`, `provider_needed`
 */
export const removeProvider = async (
  change: Change,
  id: string,
  own: string | null,
): Promise<void> => {
  const { tx, organization } = change;
  const row = await providerOf(tx, organization.id, id);
  await endAllOpened(change, id, own);
  await tx.deleteFrom("providers").where("id", "=", id).execute();
  await keepOne(change);
  change.happened({
    kind: "providerRemoved",
    subject: subjectOf(row),
    before: allFacts(factsOf(row), secrets),
  });
};
