import type { Generated, Insertable, Selectable, Updateable } from "kysely";
import type { Language } from "../../contract/kit/languages.ts";
import type { ColorScheme, LetterKind } from "../../contract/kit/plain.ts";
import type { Scope } from "../../contract/kit/scopes.ts";
import type { BinTable, HandOversTable } from "./bin-table.ts";
import type {
  AuthenticatorsTable,
  PasskeyChallengesTable,
  PasskeysTable,
  RecoveryCodesTable,
} from "./factor-tables.ts";
import type { HistoryTable, UndoingsTable } from "./history-tables.ts";
import type {
  ImportColumnsTable,
  ImportLinesTable,
  ImportsTable,
  LineErasuresTable,
} from "./import-tables.ts";
import type { CaptionsTable, RunsTable } from "./live-tables.ts";
import type {
  BansTable,
  ChatTable,
  InvitationsTable,
  MeetingsTable,
  ProcessesTable,
  RoomLinksTable,
  SeatMessagesTable,
  SeatsTable,
} from "./meeting-tables.ts";
import type {
  DirectoryPeopleTable,
  ProviderLinksTable,
  ProviderSessionsTable,
  ProvidersTable,
} from "./provider-tables.ts";
import type { ErasuresTable, RecordingLinksTable, RecordingsTable } from "./recording-tables.ts";
import type { InviteesTable, NoticesTable, SchedulesTable } from "./schedule-tables.ts";
import type {
  UsageMeetingsTable,
  UsagePeopleTable,
  UsageQuartersTable,
  UsageRefusedTable,
} from "./usage-tables.ts";
import type { DeliveriesTable, WebhooksTable } from "./webhook-tables.ts";

/**
 * Every table of the database as the queries see it. Times are UTC texts with milliseconds
 * (`2026-01-31T09:30:00.000Z`): they sort as they read and are answered as they are stored.
 * IDs are UUID version 7.
 */
export interface Tables {
  readonly service: ServiceTable;
  readonly organizations: OrganizationsTable;
  readonly history: HistoryTable;
  readonly undoings: UndoingsTable;
  readonly logos: LogosTable;
  readonly users: UsersTable;
  readonly rooms: RoomsTable;
  readonly room_owners: RoomOwnersTable;
  readonly bin: BinTable;
  readonly hand_overs: HandOversTable;
  readonly meetings: MeetingsTable;
  readonly seats: SeatsTable;
  readonly captions: CaptionsTable;
  readonly chat: ChatTable;
  readonly runs: RunsTable;
  readonly seat_messages: SeatMessagesTable;
  readonly bans: BansTable;
  readonly room_links: RoomLinksTable;
  readonly invitations: InvitationsTable;
  readonly processes: ProcessesTable;
  readonly recordings: RecordingsTable;
  readonly recording_links: RecordingLinksTable;
  readonly erasures: ErasuresTable;
  readonly access_keys: AccessKeysTable;
  readonly tokens: TokensTable;
  readonly letters: LettersTable;
  readonly authenticators: AuthenticatorsTable;
  readonly recovery_codes: RecoveryCodesTable;
  readonly passkeys: PasskeysTable;
  readonly passkey_challenges: PasskeyChallengesTable;
  readonly throttles: ThrottlesTable;
  readonly kept_answers: KeptAnswersTable;
  readonly imports: ImportsTable;
  readonly import_lines: ImportLinesTable;
  readonly import_columns: ImportColumnsTable;
  readonly line_erasures: LineErasuresTable;
  readonly webhooks: WebhooksTable;
  readonly deliveries: DeliveriesTable;
  readonly providers: ProvidersTable;
  readonly provider_links: ProviderLinksTable;
  readonly provider_sessions: ProviderSessionsTable;
  readonly directory_people: DirectoryPeopleTable;
  readonly schedules: SchedulesTable;
  readonly invitees: InviteesTable;
  readonly notices: NoticesTable;
  readonly usage_meetings: UsageMeetingsTable;
  readonly usage_people: UsagePeopleTable;
  readonly usage_quarters: UsageQuartersTable;
  readonly usage_refused: UsageRefusedTable;
}

/** One row, `id` 1: what belongs to the installation as a whole. */
export interface ServiceTable {
  readonly id: number;
  /** A known text sealed with the sealing key: a wrong key is noticed at the start. */
  readonly seal_check: string | null;
  /** When the first organization was made; null until the first start is complete. */
  readonly initialized_at: string | null;
}

export interface OrganizationsTable {
  readonly id: string;
  readonly name: string;
  /** The folded name: unique, so that ORG on the command line may be a name. */
  readonly name_key: string;
  /** The plan's label, shown to the administrator. */
  readonly plan: string | null;
  /** The most rooms, null for no limit. */
  readonly max_rooms: number | null;
  /** The most accounts that are not revoked, null for no limit. */
  readonly max_users: number | null;
  /** Rooms that exist, without those that await deletion. */
  readonly used_rooms: number;
  /** Accounts that are not revoked. */
  readonly used_users: number;
  /** JSON: accounts by role, `[[role, active, revoked]]`. The totals of lists without a search. */
  readonly users_by_role: string;
  /** JSON: the settings that differ from their defaults (contract/kit/organization-settings.ts). */
  readonly settings: Generated<string>;
  readonly created_at: string;
  /** The last entry of the history, and its digest: the end of the chain. */
  readonly history_number: Generated<number>;
  readonly history_digest: Generated<string>;
  /** The last entry that was removed because of its age, and its digest: the chain begins there. */
  readonly history_before: Generated<number>;
  readonly history_before_digest: Generated<string>;
  /** Webhooks that are on: without any, no change looks for them. */
  readonly webhooks: Generated<number>;
  /** Up to where former meetings are counted for the usage (server/usage/fill.ts); null: all are. */
  readonly usage_filled_to: Generated<string | null>;
}

export interface UsersTable {
  readonly id: string;
  readonly organization_id: string;
  /** As typed. */
  readonly email: string;
  /** NFC, lower case, domain in ASCII; unique across the service. */
  readonly email_key: string;
  /** Folded for search. */
  readonly email_fold: string;
  readonly name: string;
  /** Folded for order and search. */
  readonly name_key: string;
  /** Lower-case ASCII, unique across the service. */
  readonly username: string;
  readonly profile_id: string;
  readonly role: string;
  readonly admin: boolean;
  readonly location: string | null;
  readonly meet_now_enabled: boolean;
  readonly display_rating: boolean;
  /** JSON: array of text. */
  readonly tags: string;
  readonly account_suspended: boolean;
  readonly account_deleted: boolean;
  /** The time zone that the person has chosen; null for that of the browser. */
  readonly time_zone: string | null;
  /** The language that the person has chosen; null for the browser's, and emails in the organization's. */
  readonly language: Generated<Language | null>;
  readonly color_scheme: Generated<ColorScheme>;
  /** The notice of the console that the person has put away; null: none. */
  readonly hidden_notice: Generated<string | null>;
  readonly password_digest: string;
  /**
   * Raised whenever the password is replaced: a letter with an older number is withdrawn. Also whenever access ends:
   * what was sealed for an older number opens nothing.
   */
  readonly credentials: number;
  /** True if the person must choose another password before it signs in. */
  readonly must_choose_password: Generated<boolean>;
  readonly created_at: string;
  readonly updated_at: string;
  /**
   * When the person was deleted. The person's data is gone, or rests in the bin; no answer contains the
   * row. It stays until no room names it any more (users/former.ts), or until it is restored.
   */
  readonly gone_at: string | null;
  /**
   * `rooms.id` of the room that was made for the person (server/rooms/personal.ts). It counts while that room
   * is there and the person owns it.
   */
  readonly personal_room: Generated<string | null>;
}

export interface RoomsTable {
  readonly id: string;
  readonly organization_id: string;
  /** The room ID of the interface, unique in the organization. */
  readonly room: string;
  readonly name: string;
  /** Folded for order and search. */
  readonly name_key: string;
  /** The name with numbers in their order ("2" before "10"). */
  readonly order_key: string;
  /** `roomType` of the record, shortened. */
  readonly type: string;
  /** `roomStatus` of the record. */
  readonly state: string;
  /** `scheduledDateTime` of the record. */
  readonly planned_at: string | null;
  /** The key of an order: rooms in use first, then by `order_key`. */
  readonly use_key: string;
  /** The account that created it; null when an access key did, or the account is gone. */
  readonly created_by: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** Set when the room rests in the bin, or waits for the end of a meeting: it is in no answer any more. */
  readonly deleted_at: string | null;
  /** The form in which `record` and `extras` were written. */
  readonly form: number;
  /** The record exactly as it is answered. */
  readonly record: string;
  /** JSON: the keys that only the edit answer carries. */
  readonly extras: string;
  /** True if guests wait until a host has come. It is no setting: the record has no such field. */
  readonly waits_for_host: Generated<boolean>;
}

export interface RoomOwnersTable {
  readonly user_id: string;
  readonly room_id: string;
  readonly organization_id: string;
}

export interface AccessKeysTable {
  /** The access key itself: organization ID, hyphen, a number, hyphen, a number. */
  readonly id: string;
  readonly organization_id: string;
  readonly secret_digest: string;
  readonly created_at: string;
  /** The purpose; may be empty. */
  readonly name: Generated<string>;
  readonly scope: Generated<Scope>;
  /** When it and its tokens end; null: when it is removed. */
  readonly expires_at: string | null;
  /** When a token or invitation was last made with it. */
  readonly last_used_at: string | null;
}

export interface TokensTable {
  /** SHA-256 of the token, hexadecimal. */
  readonly digest: string;
  /**
   * `access` opens operations, `renewal` (the cookie) only makes access tokens, `media` (a cookie) opens
   * the files of one recording.
   */
  readonly purpose: "access" | "renewal" | "media";
  readonly organization_id: string;
  /** Exactly one of user_id and access_key_id is set. */
  readonly user_id: string | null;
  readonly access_key_id: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  /** The sign-in to which a token of a person belongs: its ID; null for a cookie of a recording. */
  readonly session: string | null;
  /** Of a renewal token: what the browser said of itself at the sign-in. */
  readonly user_agent: string | null;
  /** How the session was opened: by a password or a provider, or with a second factor. */
  readonly level: Generated<SessionLevel>;
  /** When its person last showed who they are; null for sessions from before this column. */
  readonly proved_at: string | null;
}

export type { PasskeyChallengesTable, PasskeysTable } from "./factor-tables.ts";

/** How far the sign-in of a session went; `setup`: its person must set up a second factor first. */
export type SessionLevel = "setup" | "password" | "factor";

/** The pictures of organizations (server/records/brand.ts). */
export interface LogosTable {
  readonly organization_id: string;
  /** SHA-256 of the picture, in its address: another picture has another address. */
  readonly digest: string;
  /** The media type. */
  readonly type: string;
  /** Base64. */
  readonly picture: string;
}

/** How much of an allowance to try something is used up (server/access/throttle.ts). */
export interface ThrottlesTable {
  /** The kind of allowance, and a digest of whose it is. */
  readonly key: string;
  readonly used_until: string;
}

/** The answers of requests with an Idempotency-Key (server/change/kept-answers.ts). */
export interface KeptAnswersTable {
  /** SHA-256 over the holder of the token and the key. */
  readonly digest: string;
  readonly organization_id: string;
  /** SHA-256 over the operation and its input. */
  readonly request: string;
  /** The claim of the request: a random text, so that nobody else's answer is kept. */
  readonly claim: string;
  /** Until when nobody else may run it; without meaning once there is an answer. */
  readonly lease_until: string;
  /** Sealed: status, headers and body; null while it runs. */
  readonly answer: string | null;
  /** The person in the answer, if it is one. */
  readonly subject_id: string | null;
  readonly created_at: string;
}

export interface LettersTable {
  readonly id: string;
  readonly organization_id: string;
  /** Null for an invited address without an account; the letters of an account are deleted with it. */
  readonly user_id: string | null;
  readonly kind: LetterKind;
  /** The address at the last try; before any, the address when the letter was posted. */
  readonly recipient: string;
  /** users.credentials when the letter was posted. */
  readonly credentials: number;
  readonly state: "waiting" | "sent" | "refused" | "withdrawn";
  /** Sealed (AES-256-GCM), or JSON for a letter without a secret; null once sent or withdrawn. */
  readonly content: string | null;
  readonly attempts: number;
  /** Not before this time; the lease while a postman has it. */
  readonly due_at: string;
  readonly last_error: string | null;
  /** JSON of the reason of last_error; null: another server's words, or a text of an earlier version. */
  readonly last_reason: string | null;
  readonly created_at: string;
  /** When somebody retried it after it was refused: it is tried for as long as a new one. */
  readonly retried_at: string | null;
  /** When it was sent, refused or withdrawn. */
  readonly ended_at: string | null;
  /** Where it went once it was sent; null before, and for what was sent before this column. */
  readonly sent_to: "server" | "file" | null;
  /** Why the mail server took no letters at the last try, whichever letter it was (MailCause); null otherwise. */
  readonly held_for: string | null;
  /** Where the change that posted it is traced (lib/traced.ts); null: nowhere. */
  readonly trace: string | null;
}

export type OrganizationRow = Selectable<OrganizationsTable>;
export type UserRow = Selectable<UsersTable>;
export type NewUser = Insertable<UsersTable>;
export type UserUpdate = Updateable<UsersTable>;
/** All columns of a room, for kept texts. */
export const allRoomColumns = [
  ...(["id", "organization_id", "room", "name", "name_key", "order_key", "type"] as const),
  ...(["state", "planned_at", "use_key", "created_by", "created_at", "updated_at"] as const),
  ...(["deleted_at", "form", "record", "extras", "waits_for_host"] as const),
];

export type RoomRow = Selectable<RoomsTable>;
export type NewRoom = Insertable<RoomsTable>;
export type AccessKeyRow = Selectable<AccessKeysTable>;
export type LetterRow = Selectable<LettersTable>;
