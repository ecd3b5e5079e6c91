import { type CliCommand, UsageError } from "./command.ts";
import { cliCommands } from "./commands.ts";

/** The edit distance of two words: characters added, removed, replaced or swapped. */
const distance = (from: string, to: string): number => {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = row;
    row = next;
  }
  return row[to.length] ?? 0;
};

/** The name that was probably meant; undefined if none is near. */
export const nearest = (meant: string, names: readonly string[]): string | undefined => {
  const [best] = names
    .map((name) => ({ name, away: distance(meant, name) }))
    .toSorted((one, other) => one.away - other.away);
  return best && best.away <= Math.max(2, Math.ceil(best.name.length / 3)) ? best.name : undefined;
};

const unknown = (words: readonly string[]): UsageError => {
  const [first = "", second] = words;
  const names = cliCommands.map(({ name }) => name);
  const family = names.filter((name) => name.startsWith(`${first} `));
  if (family.length > 0 && second === undefined) {
    return new UsageError(`"${first}" needs one more word: ${family.join(", ")}.`);
  }
  const given = second === undefined ? first : `${first} ${second}`;
  const near = nearest(given, names) ?? nearest(first, names) ?? family[0];
  const hint = near === undefined ? "" : ` Did you mean "parley ${near}"?`;
  return new UsageError(
    `There is no command "${given}".${hint} "parley --help" shows all of them.`,
  );
};

/**
 * The command that the first words name, and the words after them; undefined if they name none.
 *
 * @param family whether the first word of several commands is enough
 * @throws UsageError with the nearest command
 */
export const findCommand = (
  args: readonly string[],
  family = false,
): { readonly command: CliCommand; readonly rest: readonly string[] } | undefined => {
  // `parley --json org list` is `parley org list --json`; and so with `--env-file FILE`.
  const start = args.findIndex((arg, at) => !arg.startsWith("-") && args[at - 1] !== "--env-file");
  if (start === -1) {
    const stray = args.find((arg) => !["--json", "--help", "-h"].includes(arg));
    if (stray === undefined) return undefined;
    throw new UsageError(`There is no option "${stray}" without a command. See "parley --help".`);
  }
  const words = args.slice(start);
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(" ");
    const command = cliCommands.find((one) => one.name === name);
    if (command) return { command, rest: [...args.slice(0, start), ...words.slice(length)] };
  }
  const named = words.filter((word) => !word.startsWith("-"));
  const isFamily = cliCommands.some(({ name }) => name.startsWith(`${named[0]} `));
  if (family && isFamily && named.length === 1) return undefined;
  throw unknown(words.slice(0, words[1]?.startsWith("-") ? 1 : 2));
};
