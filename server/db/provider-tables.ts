import type { Selectable } from "kysely";

/** A provider of OpenID Connect by which the people of an organization sign in (server/sign-in). */
export interface ProvidersTable {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly issuer: string;
  /** Whether people can sign in by it. */
  readonly enabled: boolean;
  /** Sealed; null for none. */
  readonly client_secret: string | null;
  /** JSON: the settings (contract/organization/providers.ts). */
  readonly settings: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Who a provider's people are here. */
export interface ProviderLinksTable {
  readonly provider_id: string;
  /** What the provider calls the person: `sub`. */
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
  readonly subject: string;
  /** What the provider calls its own session: `sid`. */
  readonly sid: string | null;
  /** Sealed: the ID token, which the provider wants back when the session ends. */
  readonly id_token: string | null;
  readonly ends_at: string;
}

export type ProviderRow = Selectable<ProvidersTable>;
