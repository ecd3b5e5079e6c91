import { type Reason, type ReasonValues, type reasonCodes, textOf } from "../kit/reasons.ts";
import { roomTypes } from "../rooms/settings.ts";

/*
 * An example of every reason, for the reference, the OpenAPI document and the types of the packed client. Neither
 * the client nor the console imports this file.
 */

type TableCode = (typeof reasonCodes)[number];
type NoValues = Readonly<Record<string, never>>;
type Example<C extends TableCode> =
  unknown extends ReasonValues<C> ? NoValues : Required<ReasonValues<C>>;

const text = { min: 1, max: 200 };
const seats = { min: 0, max: 1_000_000 };

/** All values of each code, optional ones too. */
const examples: { readonly [C in TableCode]: Example<C> } = {
  not_accepted: {},
  required: {},
  not_text: text,
  blank: text,
  too_long: text,
  not_storable: {},
  not_visible: {},
  not_one_line: {},
  not_plain_lines: {},
  not_true_or_false: {},
  not_whole_number: { ...seats, nullable: false },
  too_small: { ...seats, nullable: false },
  too_large: { ...seats, nullable: true },
  over_limit: { max: 1000 },
  not_one_of: { accepted: roomTypes },
  not_either_of: { accepted: ["until", "count"] },
  not_list: { of: "text" },
  not_list_of: { accepted: ["480p", "1080p", "2160p"] },
  not_bounded_list: { min: 1, max: 100, of: "room IDs" },
  too_few: { min: 1, of: "entry" },
  too_many: { max: 100, of: "entries" },
  too_many_entries: { max: 1000 },
  too_many_bytes: { max: 1024 },
  not_object: {},
  not_object_with: { key: "userId" },
  not_date_time: {},
  not_day: {},
  not_date: {},
  not_time_zone: {},
  not_future: {},
  too_far: { year: 10_000 },
  later_than: { than: "to" },
  span_too_long: { max: 366, until: "to" },
  not_web_address: {},
  not_https_address: {},
  not_domain: {},
  not_color: {},
  not_url: {},
  not_receiver: {},
  not_stream_target: {},
  not_public_address: {},
  not_email: {},
  not_id_of: { of: "room" },
  not_joined_ids: {},
  not_owners: { min: 1, max: 100 },
  not_new_room_id: {},
  not_new_user_id: {},
  not_entry_number: {},
  not_role: {},
  not_ban: { max: 525_600 },
  not_base64: {},
  not_picture: { max: 65_536 },
  picture_too_wide: { max: 4096, width: 6000, height: 2000 },
  not_entity_tag: {},
  not_idempotency_key: {},
  not_command: {},
  password_length: { min: 15, max: 256 },
  password_about_you: {},
  password_not_new: {},
  password_common: {},
  one_not_both: { other: "peerId" },
  nothing_to_set: {},
  repeated: { of: "event" },
  stands_for_secret: { text: "(set)" },
  unknown_owner: { at: 2, count: 3 },
  unknown_people: {},
  unknown_email: { email: "ann@example.org" },
  names_themselves: {},
  owners_fixed: { owners: "0199c2d7" },
  id_in_use: {},
  ends_before_start: {},
  not_on_weekday: {},
  hosts_only: {},
  no_stream_address: {},
  not_in_history: {},
  file_too_large: { max: 1_000_000 },
  file_over: { max: 1_000_000 },
  file_empty: {},
  file_too_many_lines: { max: 5000 },
  file_of_other_kind: { kind: "pdf" },
  file_not_in_encoding: { encoding: "utf-8" },
  file_encoding_uncertain: {},
  file_quotes_in_cell: { line: 3 },
  file_quote_open: { line: 3 },
  file_not_csv: { why: "Invalid Record Length" },
  file_not_json: {},
  file_not_list: {},
  file_not_xlsx: {},
  file_not_bytes: {},
  file_holds_too_much: {},
  file_unpacks_too_large: { max: 64 },
  file_without_sheet: { name: "People" },
  file_without_headings: {},
  file_column_twice: { name: "Email" },
  file_unknown_field: { name: "password" },
  file_too_many_assigned: { columns: 3, assigned: 4 },
  file_without_column: { column: "email" },
  form_without_people: { form: "jitsi" },
  body_not_utf8: {},
  body_too_deep: { max: 32 },
  body_broken: { position: 12 },
  body_cut_off: {},
  body_over: { max: 1_572_864 },
  body_over_without_token: { max: 65_536 },
  kind_not_undone: { kind: "roomDeleted" },
  undo_unfinished: { kind: "imported" },
  set_by_operator: {},
  former_erased: {},
  nothing_changed: {},
  nothing_to_undo: {},
  secrets_not_kept: {},
  is_now: { what: "name", now: "Board", of: "Board room" },
  erased: {},
  same_as_line: { line: 3, key: "email" },
  deleted_since_check: {},
  created_since_check: {},
  line_cells: { cells: 4, headings: 3 },
  line_cut_off: { cells: 2, headings: 4 },
  line_not_object: {},
  line_several_emails: {},
  line_damaged: {},
  line_not_storable: {},
  no_answer: {},
  no_answer_as: { detail: "ETIMEDOUT" },
  certificate_not_accepted: { detail: "CERT_HAS_EXPIRED" },
  no_encryption: { detail: "EPROTO" },
  name_not_resolved: { detail: "ENOTFOUND" },
  nothing_at_address: { detail: "ECONNREFUSED" },
  connection_closed: { detail: "ECONNRESET" },
  not_http: { detail: "HPE_INVALID_CONSTANT" },
  no_answer_within: { seconds: 15 },
  mail_server: { cause: "unreachable", detail: "ECONNREFUSED", said: "220 printer ready" },
  mail_server_remedy: { cause: "login" },
  email_unreadable: { detail: "SealError" },
  email_address_unwritable: {},
  webhook_answered: { status: 500 },
  webhook_redirected: { status: 302 },
  webhook_secret_unreadable: {},
  address_not_public: {},
  provider_of_other_issuer: {
    address: "https://login.example.org",
    issuer: "https://login.example.org/realms/university",
  },
  provider_document_lacks: { names: "jwks_uri" },
  provider_ways_unknown: {
    ways: "private_key_jwt",
    accepted: ["client_secret_post", "client_secret_basic", "none"],
  },
  provider_without_keys: { address: "https://login.example.org/keys", status: 404 },
  provider_without_client_id: {},
  provider_refuses_client: { said: "invalid_client" },
  provider_secret_unreadable: {},
  provider_answered: { status: 404 },
  provider_answered_error: { status: 400, said: "invalid_request" },
  provider_not_json: {},
  provider_unusable: { said: "invalid response encountered (OAUTH_INVALID_RESPONSE)" },
  free_seats: { count: 2 },
  email_of_other: { email: "ann@example.org" },
  nobody_excluded: {},
  no_such_invitation: {},
};

/** The values that a code may leave out. */
const optional: Partial<Record<TableCode, readonly string[]>> = {
  not_whole_number: ["nullable"],
  too_small: ["nullable"],
  too_large: ["nullable"],
  is_now: ["of"],
  free_seats: ["count"],
  mail_server: ["detail", "said"],
  file_without_sheet: ["name"],
};

/** A value of a code. */
interface Value {
  readonly name: string;
  readonly example: unknown;
  /** In TypeScript. */
  readonly type: string;
  readonly optional: boolean;
}

/** A code with its values, and the text that it makes. */
interface Row {
  readonly code: TableCode;
  readonly values: readonly Value[];
  readonly text: string;
}

const typeOf = (name: string, example: unknown): string => {
  if (name === "now") return "unknown";
  return Array.isArray(example) ? "readonly string[]" : typeof example;
};

/** The table of reasons: every code, its values and its text for a field. */
export const reasonTable: readonly Row[] = Object.entries(examples).map(([key, values]) => {
  const code = key as TableCode;
  return {
    code,
    values: Object.entries(values).map(([name, example]) => ({
      name,
      example,
      type: typeOf(name, example),
      optional: optional[code]?.includes(name) ?? false,
    })),
    text: textOf({ code, ...values } as Reason, "FIELD"),
  };
});
