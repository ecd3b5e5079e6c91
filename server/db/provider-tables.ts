import type { Selectable } from "kysely";

/** A provider of OpenID Connect by which the people of an organization sign in (server/sign-in). */
export interface ProvidersTable {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly issuer: string;
  /** True if people can sign in by it. */
  readonly enabled: boolean;
  /** Sealed; null for none. */
  readonly client_secret: string | null;
  /** JSON: the settings (contract/organization/providers.ts). */
  readonly settings: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The accounts of a provider's people. */
export interface ProviderLinksTable {
  readonly provider_id: string;
  /** The provider's name for the person: `sub`. */
  readonly subject: string;
  readonly organization_id: string;
  readonly user_id: string;
  readonly created_at: string;
}

/** A session that began at a provider, for as long as it may last. */
export interface ProviderSessionsTable {
  /** `tokens.session` */
  readonly session: string;
  readonly provider_id: string;
  readonly user_id: string;
  /** The client ID with which it began; null if it began before that was kept. */
  readonly client_id: string | null;
  readonly subject: string;
  /** The provider's name for its own session: `sid`. */
  readonly sid: string | null;
  /** Sealed: the ID token, which the provider wants back when the session ends. */
  readonly id_token: string | null;
  readonly ends_at: string;
}

/** The values that an organization's directory keeps about its people by SCIM (server/scim). */
export interface DirectoryPeopleTable {
  readonly user_id: string;
  readonly organization_id: string;
  /** The directory's name for the person, which is no username here. */
  readonly user_name: string;
  /** Folded: unique in the organization. */
  readonly user_name_key: string;
  /** The directory's ID of the person. */
  readonly external_id: string | null;
  readonly given_name: string | null;
  readonly family_name: string | null;
}

export type ProviderRow = Selectable<ProvidersTable>;
