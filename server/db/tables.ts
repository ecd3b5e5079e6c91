import type { Insertable, Selectable, Updateable } from "kysely";

/**
 * Every table of the database as the queries see it. Times are UTC texts with milliseconds
 * (`2026-01-31T09:30:00.000Z`): they sort as they read and are answered as they are stored.
 * IDs are UUID version 7.
 */
export interface Tables {
  service: ServiceTable;
  organizations: OrganizationsTable;
  users: UsersTable;
  rooms: RoomsTable;
  room_owners: RoomOwnersTable;
  meetings: MeetingsTable;
  access_keys: AccessKeysTable;
  tokens: TokensTable;
  letters: LettersTable;
  throttles: ThrottlesTable;
}

/** One row, `id` 1: what belongs to the installation as a whole. */
export interface ServiceTable {
  id: number;
  /** A known text sealed with the sealing key: a wrong key is noticed at the start. */
  seal_check: string | null;
  /** When the first organization was made; null before the first start is complete. */
  initialized_at: string | null;
}

export interface OrganizationsTable {
  id: string;
  name: string;
  /** The folded name: unique, so that ORG on the command line may be a name. */
  name_key: string;
  /** The plan's label, shown to the administrator. */
  plan: string | null;
  /** The most rooms, null for no limit. */
  max_rooms: number | null;
  /** The most accounts that are not revoked, null for no limit. */
  max_users: number | null;
  /** Rooms that exist, those awaiting deletion not counted. */
  used_rooms: number;
  /** Accounts that are not revoked. */
  used_users: number;
  /** JSON: accounts by role, `{ role: { active, revoked } }`. Totals of lists without a search. */
  users_by_role: string;
  /** Another number after every change of what the lists of rooms hold, or of its order. */
  rooms_version: number;
  created_at: string;
}

export interface UsersTable {
  id: string;
  organization_id: string;
  /** As typed. */
  email: string;
  /** NFC, lower case, domain in ASCII; unique across the service. */
  email_key: string;
  /** Folded for search. */
  email_fold: string;
  name: string;
  /** Folded for order and search. */
  name_key: string;
  /** Lower-case ASCII, unique across the service. */
  username: string;
  profile_id: string;
  role: string;
  admin: boolean;
  location: string | null;
  meet_now_enabled: boolean;
  display_rating: boolean;
  /** JSON: array of text. */
  tags: string;
  account_suspended: boolean;
  account_deleted: boolean;
  password_digest: string;
  /** Raised whenever the password is replaced: a letter with an older number is withdrawn. */
  credentials: number;
  created_at: string;
  updated_at: string;
}

export interface RoomsTable {
  id: string;
  organization_id: string;
  /** The room ID of the interface, unique in the organization. */
  room: string;
  name: string;
  /** Folded for order and search. */
  name_key: string;
  /** The account that created it; null when an access key did, or the account is gone. */
  created_by: string | null;
  created_at: string;
  updated_at: string;
  /** Set when deletion waits for the end of a meeting: the room is in no answer any more. */
  deleted_at: string | null;
  /** The form in which `record` and `extras` were written. */
  form: number;
  /** The record exactly as it is answered. */
  record: string;
  /** JSON: the keys that only the edit answer carries. */
  extras: string;
}

export interface RoomOwnersTable {
  user_id: string;
  room_id: string;
  organization_id: string;
}

/** One row per meeting; a room is in use while its open meeting has somebody inside. */
export interface MeetingsTable {
  id: string;
  organization_id: string;
  room_id: string;
  started_at: string;
  /** When the last person left; null while the meeting runs. At most one such row per room. */
  ended_at: string | null;
  /** JSON: who is inside, `[{ person, seat, since }]`. */
  inside: string;
}

export interface AccessKeysTable {
  /** The access key itself: organization ID, hyphen, a number, hyphen, a number. */
  id: string;
  organization_id: string;
  secret_digest: string;
  created_at: string;
}

export interface TokensTable {
  /** SHA-256 of the token, hexadecimal. */
  digest: string;
  /** `access` opens operations, `renewal` (the cookie) only makes access tokens. */
  purpose: "access" | "renewal";
  organization_id: string;
  /** Exactly one of user_id and access_key_id is set. */
  user_id: string | null;
  access_key_id: string | null;
  created_at: string;
  expires_at: string;
}

/** How far the allowance of a signing-in account or address is used (server/access/throttle.ts). */
export interface ThrottlesTable {
  /** The kind of allowance, and a digest of whose it is. */
  key: string;
  used_until: string;
}

export interface LettersTable {
  id: string;
  organization_id: string;
  /** Null once the account is deleted for good. */
  user_id: string | null;
  kind: "welcome" | "password-reset";
  /** The address at the last delivery, or at the time of posting before any. */
  recipient: string;
  /** users.credentials when the letter was posted. */
  credentials: number;
  state: "waiting" | "sent" | "refused" | "withdrawn";
  /** Sealed (AES-256-GCM); null once sent or withdrawn. */
  content: string | null;
  attempts: number;
  /** Not before this time; the lease while a postman has it. */
  due_at: string;
  last_error: string | null;
  created_at: string;
  /** When it was sent, refused or withdrawn. */
  ended_at: string | null;
}

export type OrganizationRow = Selectable<OrganizationsTable>;
export type UserRow = Selectable<UsersTable>;
export type NewUser = Insertable<UsersTable>;
export type UserUpdate = Updateable<UsersTable>;
export type RoomRow = Selectable<RoomsTable>;
export type NewRoom = Insertable<RoomsTable>;
export type LetterRow = Selectable<LettersTable>;
