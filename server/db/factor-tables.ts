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

/** Passkeys of accounts (server/access/passkeys.ts). */
export interface PasskeysTable {
  readonly id: string;
  readonly user_id: string;
  readonly organization_id: string;
  /** The ID that the authenticator gave it, base64url. */
  readonly credential_id: string;
  /** Its public key, COSE, base64url. */
  readonly public_key: string;
  /** How often it signed, as the authenticator counts; 0 where it does not. */
  readonly counter: number;
  /** Ways to reach the authenticator, as the browser named them, with spaces between. */
  readonly transports: string;
  readonly name: string;
  readonly created_at: string;
  readonly used_at: string | null;
}

/** The challenges that passkeys sign: each once, and for some minutes. */
export interface PasskeyChallengesTable {
  readonly challenge: string;
  readonly purpose: "add" | "prove" | "sign in";
  /** For whom; null: for anybody who signs in. */
  readonly user_id: string | null;
  readonly expires_at: string;
}
