/*
 * Passwords that nobody may choose (NIST SP 800-63B, 3.1.1.2): the commonest, and those that follow
 * from the person's name or email. Few of the commonest have 15 characters, which are the minimum:
 * people repeat a short one instead, or run along the keyboard.
 */

/** The commonest with 15 characters or more that are neither a repetition nor a run. */
const LISTED = ["mailcreated5240", "polniypizdec0211", "passwordpassword1", "iloveyousomuch1"];

const RUNS = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890123456789012345678901234567890",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
  "azertyuiopqsdfghjklmwxcvbn",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
  "1q2w3e4r5t6y7u8i9o0p",
];

/** Letters and digits only, folded: separators and case do not make another password. */
const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

const isRepeated = (text: string): boolean => /^(.{1,12}?)\1+.{0,7}$/su.test(text);

const isRun = (text: string): boolean =>
  RUNS.some((run) => {
    const there = run + run;
    return there.includes(text) || [...there].reverse().join("").includes(text);
  }) || /^0?123456789[09]{0,2}8?7654321/.test(text);

/** Returns whether a password is among those that a guesser tries first. */
export const isCommonPassword = (password: string): boolean => {
  const text = plain(password);
  return LISTED.includes(text) || new Set(text).size < 5 || isRepeated(text) || isRun(text);
};

/** Returns whether a password is one of these words, or a word repeated or followed by a few digits. */
export const resembles = (password: string, words: readonly string[]): boolean => {
  const text = plain(password);
  return words.map(plain).some((word) => {
    if (word.length < 3 || !text.includes(word)) return false;
    return text.replaceAll(word, "").replace(/\p{N}/gu, "").length < 4;
  });
};
