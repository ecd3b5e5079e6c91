/** The authenticator app of an account (server/access/authenticator.ts). */
export interface AuthenticatorsTable {
  readonly user_id: string;
  readonly organization_id: string;
  /** The shared secret, base32, sealed for this account. */
  readonly secret: string;
  /** The time step of the last code that was accepted: a code works once. */
  readonly last_step: number;
  readonly created_at: string;
  /** When a first code was right; null: it is being set up, and demanded nowhere. */
  readonly confirmed_at: string | null;
}

/** Recovery codes that have not been used. */
export interface RecoveryCodesTable {
  /** SHA-256 over the account and the code, hexadecimal. */
  readonly digest: string;
  readonly user_id: string;
  readonly organization_id: string;
}
