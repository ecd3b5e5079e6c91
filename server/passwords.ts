import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { Refusal } from "./refusal.ts";

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

let running = 0;
const waiting: (() => void)[] = [];

/** How many are hashed and wait to be. */
export const hashingLoad = () => ({ running, waiting: waiting.length });

const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running >= AT_ONCE) {
    if (waiting.length >= WAITING) throw new Refusal("overloaded");
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
};

/**
 * The digest of a password (argon2id, PHC string), off the event loop and in turn.
 *
 * @throws Refusal `overloaded` when too many wait
 */
export const hashPassword = (password: string): Promise<string> =>
  inTurn(() => hash(password, PARAMETERS));

let nobody: Promise<string> | undefined;

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
  nobody ??= hash(generatePassword(), PARAMETERS);
  const against = digest ?? (await nobody);
  const matches = await inTurn(() => verify(against, password));
  return matches && digest !== undefined;
};
