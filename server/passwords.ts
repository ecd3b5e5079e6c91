import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { Refusal } from "./refusal.ts";
import { openThread } from "./thread.ts";

/** Letters and digits that no two of read alike. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/** 24 of 55 letters: 138 bits. */
const LENGTH = 24;

/** A password for a letter: at least 128 random bits. */
export const generatePassword = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/** The library's default is argon2id; OWASP's parameters for it: 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = {
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
} as const;

/** Each takes 19 MiB and a core for its time: one core stays for everybody else. */
const AT_ONCE = Math.max(1, availableParallelism() - 1);
/** More than this would be answered later than anybody waits. */
const WAITING = 200;

/** What a thread is asked: to hash a password, or to hold it against a digest. */
export type HashingQuestion =
  | { readonly password: string; readonly parameters: typeof PARAMETERS }
  | { readonly password: string; readonly digest: string };

const file = new URL("./hashing-thread.ts", import.meta.url);
const threads = Array.from({ length: AT_ONCE }, () =>
  openThread<HashingQuestion, string | boolean>(file),
);
const free = [...threads];
const waiting: ((thread: (typeof threads)[number]) => void)[] = [];

/** How many are hashed and wait to be. */
export const hashingLoad = () => ({
  running: threads.length - free.length,
  waiting: waiting.length,
});

const inTurn = async (question: HashingQuestion): Promise<string | boolean> => {
  let thread = free.pop();
  if (thread === undefined) {
    if (waiting.length >= WAITING) throw new Refusal("overloaded");
    thread = await new Promise<(typeof threads)[number]>((resolve) => waiting.push(resolve));
  }
  try {
    return await thread.ask(question);
  } finally {
    const next = waiting.shift();
    if (next) next(thread);
    else free.push(thread);
  }
};

/**
 * The digest of a password (argon2id, PHC string), off the event loop and in turn.
 *
 * @throws Refusal `overloaded` when too many wait
 */
export const hashPassword = async (password: string): Promise<string> =>
  String(await inTurn({ password, parameters: PARAMETERS }));

let nobody: Promise<string> | undefined;

/** The digest of a password that nobody has. */
const nobodysDigest = (): Promise<string> => {
  if (nobody === undefined) {
    nobody = hashPassword(generatePassword());
    nobody.catch(() => {
      nobody = undefined;
    });
  }
  return nobody;
};

/**
 * Whether the password is the digest's. Without a digest (nobody has that name) it takes the same
 * time and says no.
 *
 * @throws Refusal `overloaded` when too many wait
 */
export const verifyPassword = async (
  digest: string | undefined,
  password: string,
): Promise<boolean> => {
  const ready = nobodysDigest();
  const against = digest ?? (await ready);
  const matches = await inTurn({ password, digest: against });
  return matches === true && digest !== undefined;
};
