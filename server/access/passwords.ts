import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { uncounted } from "../db/deadline.ts";
import { openThread } from "../lib/thread.ts";
import { takeTurns } from "../lib/turns.ts";

/** Letters and digits that cannot be mistaken for each other. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/** 24 characters out of 55: 138 bits. */
const LENGTH = 24;

/** A password for a letter: at least 128 random bits. */
export const generatePassword = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/**
 * The cost of a new digest. The library's default is argon2id; OWASP's parameters for it: 19 MiB, 2
 * passes, 1 lane. Only tests change them, because they make thousands of digests.
 */
export const hashingCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each hash takes 19 MiB and a core: one core stays free for everything else. */
const AT_ONCE = Math.max(1, availableParallelism() - 1);
/** With more than this in one lane, all people together, the last caller would have given up before the answer. */
const WAITING = 200;

/**
 * The lanes in which passwords wait to be hashed: people who are signed in or on a known device, by
 * their user IDs, sign-ins of strangers, by their addresses, and accounts that get a new password. They
 * take turns, so that no lane blocks the others; so do the people and the addresses in one.
 */
export type Lane = { readonly known: string } | { readonly stranger: string } | "accounts";

/** A question to a thread: to hash a password, or to compare it with a digest. */
export type HashingQuestion =
  | { readonly password: string; readonly parameters: typeof hashingCost }
  | { readonly password: string; readonly digest: string };

const file = new URL("./hashing-thread.ts", import.meta.url);
const threads = Array.from({ length: AT_ONCE }, () =>
  openThread<HashingQuestion, string | boolean>(file),
);
const free = [...threads];
const turns = takeTurns(AT_ONCE, WAITING);

/** How many passwords are being hashed or wait. */
export const hashingLoad = turns.load;

const inTurn = (question: HashingQuestion, lane: Lane): Promise<string | boolean> => {
  const work = () => askFree(question);
  return uncounted(() => {
    if (lane === "accounts") return turns.run(lane, work);
    return "known" in lane
      ? turns.run("known", work, lane.known)
      : turns.run("strangers", work, lane.stranger);
  });
};

/** Asks a thread that is free; the one that became free last is warm. */
const askFree = async (question: HashingQuestion): Promise<string | boolean> => {
  const thread = free.pop();
  if (thread === undefined) throw new Error("More is hashed at once than there are threads.");
  try {
    return await thread.ask(question);
  } finally {
    free.push(thread);
  }
};

/**
 * The digest of a password (argon2id, PHC string), off the event loop and in turn.
 *
 * @throws Refusal `overloaded` when too many wait
 */
export const hashPassword = async (password: string, lane: Lane = "accounts"): Promise<string> =>
  String(await inTurn({ password, parameters: hashingCost }, lane));

let nobody: Promise<string> | undefined;

/** The digest of a password that nobody has, hashed once: for accounts that nobody signs in to by a password. */
export const nobodysDigest = (): Promise<string> => {
  if (nobody === undefined) {
    nobody = hashPassword(generatePassword(), { known: "nobody" });
    nobody.catch(() => {
      nobody = undefined;
    });
  }
  return nobody;
};

/** Starts a thread and makes what every sign-in needs, so that the first is not slower. */
export const prepareHashing = async (): Promise<void> => {
  await nobodysDigest();
};

/**
 * Returns whether the password matches the digest. Without a digest (an unknown login) it takes the same
 * time and returns false.
 *
 * @throws Refusal `overloaded` when too many wait
 */
export const verifyPassword = async (
  digest: string | undefined,
  password: string,
  lane: Lane,
): Promise<boolean> => {
  const ready = nobodysDigest();
  const against = digest ?? (await ready);
  const matches = await inTurn({ password, digest: against }, lane);
  return matches === true && digest !== undefined;
};
