/** Files that begin like this run once: their tests would pass and fail alike on any database, or need this one. */
export const onOneDatabase = {
  sqlite: [
    "test/access/hashing.",
    // Their service is that of the browser tests, which is always on SQLite.
    "test/capture/",
    "test/cli/commands.",
    "test/cli/data-folder.",
    "test/cli/doctor-media.",
    "test/cli/help.",
    "test/cli/settings.",
    "test/cli/signals.",
    "test/cli/start.",
    "test/console/",
    "test/deploy/",
    "test/faults/damaged-file.",
    "test/faults/disk-",
    "test/faults/many-connections.",
    "test/faults/slow-clients.",
    "test/faults/media-",
    "test/faults/sqlite-locked.",
    "test/faults/unexpected.",
    "test/http/addresses.",
    "test/http/base-path.",
    "test/http/client.",
    "test/http/console-page.",
    "test/http/docs-page.",
    "test/http/document.",
    "test/http/hang-up.",
    "test/http/headers.",
    "test/http/methods.",
    "test/http/proxies.",
    "test/http/raw.",
    "test/http/routes.",
    "test/http/stop.",
    "test/imports/forms.",
    "test/imports/hostile.",
    "test/input/bodies.",
    "test/input/json.",
    "test/letters/addresses.",
    "test/letters/injection.",
    "test/letters/login-url.",
    "test/letters/private-authority.",
    "test/mail/message.",
    "test/mail/smtp.",
    "test/live/browser.",
    "test/live/rtmp.",
    "test/media/",
    "test/meetings/browser",
    "test/meetings/pictures.",
    "test/transcription/asked-to-wait.",
    "test/transcription/engine.",
    "test/transcription/words.",
    "test/recordings/asked-to-wait.",
    "test/recordings/browser.",
    "test/recordings/finish.",
    "test/recordings/kills.",
    "test/recordings/half-made.",
    "test/recordings/odd-store.",
    "test/meetings/paused.",
    "test/recordings/kept-console.",
    "test/sheets/",
    "test/unit/",
    "test/users/common-passwords.",
    "test/users/email-addresses.",
  ],
  postgres: [
    "test/access/crowd.",
    "test/access/slow-database.",
    "test/db/away.",
    "test/db/few-connections.",
    "test/db/plans.",
    "test/db/pooler.",
    "test/db/tls.",
    "test/faults/clocks.",
    "test/faults/deadline.",
    "test/faults/postgres-away.",
    // They need two processes.
    "test/live/kills.",
    "test/meetings/engine-handover.",
    "test/meetings/lost-announcements.",
    "test/meetings/stopped.",
    // A cluster is for several processes.
    "test/meetings/engine-cluster.",
    "test/properties/",
    "test/recordings/elsewhere.",
    "test/recordings/stopped.",
  ],
} as const;

export type Database = keyof typeof onOneDatabase;

/**
 * Files that begin like this run on both databases in every run: what they promise depends on transactions,
 * queries and the form of the data, or they do other things on each. The others could, and in a complete run do;
 * in a short one they run on SQLite, where they cost less than half.
 */
export const onBothDatabases: readonly string[] = [
  "test/access/expired.",
  "test/access/first-tries.",
  "test/access/strangers.",
  "test/cli/beside.",
  "test/cli/doctor.",
  "test/db/",
  "test/faults/clock-jumps.",
  "test/faults/crash.",
  "test/faults/drain.",
  "test/faults/long-run.",
  "test/http/idempotency.",
  "test/imports/once.",
  "test/input/",
  "test/isolation/late-bodies.",
  "test/isolation/lists.",
  "test/letters/away.",
  "test/letters/killed.",
  "test/letters/once.",
  "test/letters/paused.",
  "test/meetings/engine-deaths.",
  "test/meetings/engine-rush.",
  "test/meetings/restart.",
  "test/moving/",
  "test/races/",
  "test/recordings/left.",
  "test/rooms/list-",
  "test/usage/",
  "test/users/limits.",
  "test/users/list-",
  "test/users/states.",
  "test/webhooks/accounting.",
];

/**
 * Files that begin like this run on PostgreSQL in a short run: several services share one database in their tests,
 * which SQLite cannot, or wait for its locks and leases.
 */
export const onPostgresInShortRuns: readonly string[] = [
  "test/access/throttle.",
  "test/bin/races.",
  "test/history/history.",
  "test/history/undo.",
  "test/http/entity-tags.",
  "test/isolation/rights.",
  "test/isolation/token-ends.",
  "test/live/queue.",
  "test/live/settings.",
  "test/meetings/signals.",
  "test/rooms/bulk.",
  "test/meetings/claims.",
  "test/meetings/connections.",
  "test/meetings/controls.",
  "test/meetings/engine.",
  "test/meetings/engine-doors.",
  "test/meetings/engine-ways.",
  "test/meetings/full-rooms.",
  "test/meetings/invitations.",
  "test/meetings/leaving.",
  "test/meetings/lobby.",
  "test/meetings/moderation.",
  "test/meetings/seats.",
  "test/recordings/rules.",
  "test/rooms/owners-may.",
  "test/rooms/personal-room.",
  "test/rooms/rooms-in-use.",
  "test/users/hand-over.",
  "test/users/several-people.",
  "test/webhooks/captured.",
  "test/webhooks/retries.",
];

/**
 * Files that begin like this run in complete runs only. They take browsers through finer points of the pages or
 * of the console, whose every request other files send too, or need a minute each. Decision 0039 says
 * what they alone show.
 */
export const inCompleteRuns: readonly string[] = [
  "test/capture/engine.",
  "test/capture/faults.",
  "test/console/access.",
  "test/console/account.",
  "test/console/appearance.",
  "test/console/bin.",
  "test/console/focus.",
  "test/console/forms.",
  "test/console/history.",
  "test/console/imports.",
  "test/console/many.",
  "test/console/new-room.",
  "test/console/meetings.",
  "test/console/people-states.",
  "test/console/rooms-table.",
  "test/console/webhooks.",
  "test/http/docs-page.",
  "test/live/browser.",
  "test/live/kills.",
  "test/media/pictures.",
  "test/meetings/browser-again.",
  "test/meetings/browser-back.",
  "test/meetings/browser-chat.",
  "test/meetings/browser-controls.",
  "test/meetings/browser-devices.",
  "test/meetings/browser-doors.",
  "test/meetings/browser-edits.",
  "test/meetings/browser-engine-cut.",
  "test/meetings/browser-engine-entry.",
  "test/meetings/browser-engine-settings.",
  "test/meetings/browser-engine-turn.",
  "test/meetings/browser-engine-ways.",
  "test/meetings/browser-looks.",
  "test/meetings/browser-page.",
  "test/meetings/browser-relay.",
  "test/meetings/browser-stage.",
  "test/recordings/kept-console.",
  "test/recordings/kills.",
  "test/recordings/stopped.",
  "test/unit/packages.",
];

/**
 * Files that begin like this have a separate process: they fill what a process shares (the threads that
 * hash), change it, or measure it. Most of what a short file costs is loading the service: all others share
 * processes, which load it once.
 */
export const alone: readonly string[] = [
  "test/access/hashing.",
  "test/input/limits.",
  "test/unit/packages.",
];

/**
 * Files that begin like this wait for clocks, leases and deadlines, and compute little: they run beside files
 * that compute. The longest come first, so that none of them is left at the end.
 */
export const waiting: readonly string[] = [
  "test/properties/",
  "test/faults/deadline.",
  "test/faults/many-connections.",
  "test/recordings/left.",
  "test/recordings/kept-store.",
  "test/recordings/still",
  "test/meetings/engine-rush.",
  "test/meetings/seats.",
  "test/http/idempotency.",
  "test/meetings/restart.",
  "test/transcription/transcripts.",
  "test/recordings/elsewhere.",
  "test/meetings/connections.",
  "test/meetings/controls.",
  "test/http/https.",
  "test/db/away.",
  "test/access/slow-database.",
  "test/faults/media-foreign-hosts.",
  "test/cli/doctor.",
  "test/faults/slow-clients.",
  "test/webhooks/",
  "test/faults/postgres-away.",
  "test/meetings/engine.",
  "test/meetings/engine-doors.",
  "test/meetings/engine-ways.",
  "test/meetings/engine-cluster.",
  "test/live/rtmp.",
  "test/faults/clock",
  "test/meetings/leaving.",
  "test/recordings/downloads.",
  "test/db/changes.",
  "test/letters/away.",
  "test/letters/withdrawn.",
  "test/letters/once.",
  "test/letters/killed.",
  "test/meetings/paused.",
  "test/letters/faults.",
  "test/recordings/asked-to-wait.",
  "test/transcription/asked-to-wait.",
  "test/meetings/signals.",
  "test/meetings/lost-announcements.",
  "test/meetings/stopped.",
  "test/access/expired.",
  "test/access/throttle.",
  "test/faults/sqlite-locked.",
  "test/moving/restore-refused.",
  "test/media/livekit.",
  "test/recordings/uploads.",
  "test/races/resets.",
  "test/isolation/late-bodies.",
  "test/access/crowd.",
];

/**
 * Files that begin like this drive browsers that play pictures, which fill a core: one at a time, or what
 * they wait for would come too late. The longest come first.
 */
export const drawing: readonly string[] = [
  "test/meetings/browser",
  "test/recordings/browser.",
  "test/recordings/kills.",
  "test/recordings/stopped.",
  "test/capture/",
  "test/live/browser.",
  "test/live/kills.",
  "test/media/pictures.",
  "test/meetings/pictures.",
];

/**
 * Files that begin like this drive browsers whose pages show no moving pictures: they run beside files that
 * play pictures.
 */
export const paging: readonly string[] = ["test/recordings/kept-console.", "test/console/"];

/** Of the other files, those that take longest begin first. */
export const longest: readonly string[] = [
  "test/cli/",
  "test/faults/",
  "test/letters/",
  "test/meetings/",
  "test/races/",
  "test/unit/packages.",
];
