/**
 * Files that begin so run once: their tests would pass and fail alike on any database, or need this
 * one. All others run on both.
 */
export const onOneDatabase = {
  sqlite: [
    "test/access/hashing.",
    "test/cli/commands.",
    "test/cli/help.",
    "test/cli/settings.",
    "test/cli/start.",
    "test/console/",
    "test/faults/damaged-file.",
    "test/faults/disk-",
    "test/faults/many-connections.",
    "test/faults/slow-clients.",
    "test/faults/media-",
    "test/faults/sqlite-locked.",
    "test/faults/unexpected.",
    "test/http/client.",
    "test/http/console-page.",
    "test/http/docs-page.",
    "test/http/document.",
    "test/http/hang-up.",
    "test/http/headers.",
    "test/http/methods.",
    "test/http/raw.",
    "test/http/routes.",
    "test/http/stop.",
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
    "test/transcription/engine.",
    "test/recordings/browser.",
    "test/recordings/kills.",
    "test/recordings/kept-console.",
    "test/unit/",
    "test/users/common-passwords.",
    "test/users/email-addresses.",
  ],
  postgres: [
    "test/access/slow-database.",
    "test/db/away.",
    "test/faults/clocks.",
    "test/faults/deadline.",
    "test/faults/postgres-away.",
    // Two processes.
    "test/live/kills.",
    "test/meetings/engine-handover.",
    "test/properties/",
  ],
} as const;

export type Database = keyof typeof onOneDatabase;

/**
 * Files that begin so run several to a process, which then loads the service once. Not for those
 * that fill what a whole process shares (the threads that hash, the memory), nor for long ones,
 * behind which others would wait.
 */
export const together: readonly string[] = [
  "test/access/",
  "test/cli/",
  "test/console/",
  "test/db/",
  "test/http/",
  "test/input/",
  "test/isolation/",
  "test/letters/addresses.",
  "test/letters/contents.",
  "test/letters/folder.",
  "test/letters/injection.",
  "test/letters/login-url.",
  "test/letters/private-authority.",
  "test/letters/stalled.",
  "test/letters/withdrawn.",
  "test/mail/",
  "test/moving/",
  "test/races/",
  "test/rooms/",
  "test/unit/",
  "test/users/",
];
export const alone: readonly string[] = [
  "test/access/hashing.",
  "test/access/strangers.",
  "test/access/throttle.",
  "test/cli/start.",
  "test/console/appearance.",
  "test/moving/backup.",
  "test/moving/interrupted.",
  "test/races/former-owners.",
  "test/unit/packages.",
];

/**
 * Files that begin so wait for clocks, leases and deadlines, and compute little: they run beside
 * those that compute. The longest come first, so that none of them is left at the end.
 */
export const waiting: readonly string[] = [
  "test/faults/deadline.",
  "test/faults/many-connections.",
  "test/http/https.",
  "test/meetings/seats.",
  "test/faults/postgres-away.",
  "test/meetings/engine.",
  "test/meetings/restart.",
  "test/faults/media-foreign-hosts.",
  "test/races/resets.",
  "test/isolation/late-bodies.",
  "test/db/away.",
  "test/access/slow-database.",
];

/**
 * Files that begin so drive browsers, which fill a core with their pictures: one after the other, or
 * what they wait for would come too late. The longest come first.
 */
export const drawing: readonly string[] = [
  "test/meetings/browser",
  "test/recordings/browser.",
  "test/recordings/kills.",
  "test/recordings/kept-console.",
  "test/capture/",
  "test/live/browser.",
  "test/live/kills.",
  "test/media/pictures.",
  "test/meetings/pictures.",
  "test/console/",
];

/** Of the others, those that take longest begin first. */
export const longest: readonly string[] = [
  "test/cli/",
  "test/faults/",
  "test/letters/",
  "test/meetings/",
  "test/races/",
];

const AT_MOST = 7;

const startsWithOne = (file: string, beginnings: readonly string[]): boolean =>
  beginnings.some((beginning) => file.startsWith(beginning));

/** The files that run on a database, in groups that share a process. */
export const groupsFor = (database: Database, files: readonly string[]): string[][] => {
  const others = onOneDatabase[database === "sqlite" ? "postgres" : "sqlite"];
  const wanted = files.filter((file) => !startsWithOne(file, others));
  const isAlone = (file: string) =>
    !startsWithOne(file, together) || startsWithOne(file, [...alone, ...waiting]);
  const folders = Map.groupBy(
    wanted.filter((file) => !isAlone(file)),
    (file) => file.slice(0, file.lastIndexOf("/")),
  );
  const groups = [...folders.values()].flatMap((inFolder) =>
    Array.from({ length: Math.ceil(inFolder.length / AT_MOST) }, (_, n) =>
      inFolder.slice(n * AT_MOST, (n + 1) * AT_MOST),
    ),
  );
  return [...groups, ...wanted.filter(isAlone).map((file) => [file])];
};

/** Files that run in one process, on one database. */
export interface Group {
  readonly database: Database;
  readonly files: readonly string[];
}

/** The groups of all databases, in the order in which they begin. */
export const queuesFor = (
  databases: readonly Database[],
  files: readonly string[],
): { readonly drawing: Group[]; readonly computing: Group[]; readonly waiting: Group[] } => {
  const all = databases.flatMap((database) =>
    groupsFor(database, files).map((group): Group => ({ database, files: group })),
  );
  const placeIn = (order: readonly string[], { files: [first = ""] }: Group): number => {
    const at = order.findIndex((beginning) => first.startsWith(beginning));
    return at < 0 ? order.length : at;
  };
  const inOrder = (groups: readonly Group[], order: readonly string[]): Group[] =>
    groups.toSorted((one, other) => placeIn(order, one) - placeIn(order, other));
  const oneOf =
    (beginnings: readonly string[]) =>
    ({ files: some }: Group): boolean =>
      some.some((file) => startsWithOne(file, beginnings));
  const others = all.filter((group) => !oneOf([...waiting, ...drawing])(group));
  return {
    drawing: inOrder(all.filter(oneOf(drawing)), drawing),
    computing: inOrder(others, longest),
    waiting: inOrder(all.filter(oneOf(waiting)), waiting),
  };
};
