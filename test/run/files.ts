/**
 * Which database the tests of files need. What begins so runs once: its tests would pass and fail
 * alike on any database, or need a certain one. All others run on both.
 */
const onOneDatabase: readonly (readonly [path: string, database: "sqlite" | "postgres"])[] = [
  ["test/cli/help.", "sqlite"],
  ["test/mail/message.", "sqlite"],
  ["test/mail/smtp.", "sqlite"],
  ["test/console/", "sqlite"],
  ["test/unit/", "sqlite"],
];

/**
 * Files that begin so run several to a process, which then loads the service once. Not for those
 * that fill what a whole process shares (the threads that hash, the memory), nor for long ones,
 * behind which others would wait.
 */
const together: readonly string[] = [
  "test/access/",
  "test/db/",
  "test/http/",
  "test/input/",
  "test/isolation/",
  "test/mail/",
  "test/rooms/",
  "test/unit/",
  "test/users/",
];
const alone: readonly string[] = [
  "test/access/hashing.",
  "test/access/strangers.",
  "test/access/throttle.",
  "test/unit/packages.",
];

const AT_MOST = 7;

const startsWithOne = (file: string, beginnings: readonly string[]): boolean =>
  beginnings.some((beginning) => file.startsWith(beginning));

/** The files that run on a database, in groups that share a process: those of one file first. */
export const groupsFor = (database: string, files: readonly string[]): string[][] => {
  const wanted = files.filter((file) => {
    const only = onOneDatabase.find(([path]) => file.startsWith(path))?.[1];
    return only === undefined || only === database;
  });
  const isAlone = (file: string) => !startsWithOne(file, together) || startsWithOne(file, alone);
  const folders = Map.groupBy(
    wanted.filter((file) => !isAlone(file)),
    (file) => file.slice(0, file.lastIndexOf("/")),
  );
  const groups = [...folders.values()].flatMap((inFolder) =>
    Array.from({ length: Math.ceil(inFolder.length / AT_MOST) }, (_, n) =>
      inFolder.slice(n * AT_MOST, (n + 1) * AT_MOST),
    ),
  );
  return [...wanted.filter(isAlone).map((file) => [file]), ...groups];
};
