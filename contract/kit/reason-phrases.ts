/*
 * Why a field can be refused: by code, the phrase after the field's name, made from the code's
 * values ("noOfViewers must be a whole number from 0 to 1000000"). A phrase says what is accepted.
 */

interface Length {
  readonly min: number;
  readonly max: number;
}
interface Accepted {
  readonly accepted: readonly string[];
}
/** The entries of a list, or the object of an ID. */
interface Of {
  readonly of:
    | ("addresses" | "email addresses" | "entries" | "entry" | "event" | "events")
    | ("IDs" | "IDs of entries" | "people" | "recording" | "room" | "room IDs" | "text" | "user")
    | ("user IDs" | "weekdays");
}

const length = ({ min, max }: Length): string =>
  `must be text of ${min > 0 ? `${min} to` : "at most"} ${max} characters`;

/** The bounds of an accepted whole number. */
export const wholeNumberWords = ({
  min,
  max,
  unit,
}: Length & { readonly unit?: string | undefined }): string =>
  `a whole number${unit === undefined ? "" : ` of ${unit}`} from ${min} to ${max}`;

const range = ({ min, max, nullable }: Length & { readonly nullable?: boolean }): string =>
  `must be ${wholeNumberWords({ min, max })}${nullable ? ", or null" : ""}`;

const listOf = ({ min, max, of }: Length & Of): string =>
  `must be an array of ${min} to ${max} ${of}`;

export const phrases = {
  not_accepted: () => "is not accepted.",
  required: () => "is required.",
  not_text: length,
  blank: length,
  too_long: length,
  not_storable: () => "must be text without U+0000 and unpaired surrogates",
  not_visible: () => "must have at least one visible character",
  not_one_line: () =>
    "must be one line without control characters and characters that turn the direction of text",
  not_plain_lines: () =>
    "must be text without control characters, other than tabs and line ends, and characters that turn the direction of text",
  not_true_or_false: () => "must be true or false",
  not_whole_number: range,
  too_small: range,
  too_large: range,
  over_limit: ({ max }: { readonly max: number }) => `must be at most ${max}`,
  not_one_of: ({ accepted }: Accepted) => `must be one of ${accepted.join(", ")}`,
  not_either_of: ({ accepted }: Accepted) => `must have either ${accepted.join(" or ")}`,
  not_list: ({ of }: Of) => `must be an array of ${of}`,
  not_list_of: ({ accepted }: Accepted) => `must be an array of ${accepted.join(", ")}`,
  not_bounded_list: listOf,
  too_few: ({ min, of }: Of & { readonly min: number }) => `must have at least ${min} ${of}`,
  too_many: ({ max, of }: Of & { readonly max: number }) => `must have at most ${max} ${of}`,
  too_many_entries: ({ max }: { readonly max: number }) => `must be at most ${max} entries`,
  too_many_bytes: ({ max }: { readonly max: number }) => `must have at most ${max} bytes as JSON`,
  not_object: () => "must be a JSON object.",
  not_object_with: ({ key }: { readonly key: string }) => `must be an object with ${key}`,
  not_date_time: () => "must be a date and time with offset, such as 2026-01-31T09:30:00Z",
  not_day: () => "must be a day, such as 2026-01-31",
  not_date: () => "must be a date",
  not_time_zone: () => "must be a name of the IANA time zone database, such as Europe/Berlin",
  not_future: () => "must be in the future",
  too_far: ({ year }: { readonly year: number }) => `must be before the year ${year}`,
  later_than: ({ than }: { readonly than: string }) => `must not be later than ${than}`,
  span_too_long: ({ max, until }: { readonly max: number; readonly until: string }) =>
    `must be at most ${max} days before ${until}`,
  not_web_address: () => "must be an absolute http or https URL without user name and password",
  not_https_address: () => "must be an https address, or an http address of this machine",
  not_domain: () => "must be the domain of an email address, such as example.org, or *",
  not_color: () => "must be a color in hexadecimal, such as #3b5bb5",
  not_url: () => "must be an absolute URL, such as rtmps://live.example.org/app",
  not_receiver: () =>
    "must begin with rtmp:// or rtmps:// and have a path, such as rtmps://live.example.org/app",
  not_stream_target: () => "must be an address such as rtmps://live.example.org/app.",
  not_public_address: () =>
    "must be an address of the public Internet, or one that the operator allows: ALLOWED_NETWORKS",
  not_email: () => "must be an email address, such as ann@example.org",
  not_id_of: ({ of }: Of) => `must be a ${of} ID`,
  not_joined_ids: () => 'must be one text: user IDs joined by commas, such as "ID1,ID2"',
  not_owners: ({ min, max }: Length) => `must be ${min} to ${max} user IDs joined by commas`,
  not_new_room_id: () =>
    'must be a whole number from 0, or 1 to 128 of A-Z a-z 0-9 . _ ~ - (not only dots, not "paginated")',
  not_new_user_id: () => "must be 1 to 64 of A-Z a-z 0-9 . _ ~ -",
  not_entry_number: () => "must be the number of an entry",
  not_role: () => "must be a role of 1 to 64 characters without a comma and surrounding spaces",
  not_ban: ({ max }: { readonly max: number }) =>
    `must be no, meeting, always, or a whole number of minutes from 1 to ${max}`,
  not_base64: () => "must be base64",
  not_picture: ({ max }: { readonly max: number }) =>
    `must be a PNG, JPEG or WebP picture of at most ${max / 1024} KiB in Base64`,
  picture_too_wide: ({
    max,
    width,
    height,
  }: {
    readonly max: number;
    readonly width: number;
    readonly height: number;
  }) => `must have at most ${max} pixels on each side, and has ${width} x ${height}`,
  not_entity_tag: () => 'must be * or entity tags such as "abc"',
  not_idempotency_key: () => "must be 1 to 255 visible ASCII characters, without blanks",
  not_command: () => "must be a command",
  password_length: ({ min, max }: Length) => `must be ${min} to ${max} characters long`,
  password_about_you: () => "must not be your name, email or organization",
  password_not_new: () => "must not be the current password",
  password_common: () => "is among the most common passwords: choose another",
  one_not_both: ({ other }: { readonly other: string }) => `or ${other} is required, and not both`,
  nothing_to_set: () => "must come with a setting or roomOwnerId",
  repeated: ({ of }: Of) => `must have each ${of} once`,
  stands_for_secret: ({ text }: { readonly text: string }) =>
    `must be the value itself: ${text} stands for one that is not shown`,
  unknown_owner: ({ at, count }: { readonly at: number; readonly count: number }) =>
    `must name accounts of the organization that are not revoked${count === 1 ? "" : ` (number ${at} of ${count} does not)`}`,
  unknown_people: () => "must name people of the organization who are not revoked",
  unknown_email: ({ email }: { readonly email: string }) =>
    `names ${email}, who is not in the organization`,
  names_themselves: () => "must name others",
  owners_fixed: ({ owners }: { readonly owners: string }) =>
    `must be ${JSON.stringify(owners)}: only an administrator decides who owns a room.`,
  id_in_use: () => "is the ID of somebody in the organization or its recycle bin",
  ends_before_start: () => "must not end before the first date",
  not_on_weekday: () => "must begin from Monday to Friday",
  hosts_only: () => "may be given by administrators, access keys and the room's owners only.",
  no_stream_address: () => "is required: the room has no liveStreamUrl.",
  not_in_history: () => "is not kept in the history.",
};
