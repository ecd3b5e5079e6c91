/** How long a disk may take to answer: less than a recording's lease. */
const DISK_MS = 5_000;

const answerOf = async <T>(asking: Promise<T>): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("The disk does not answer.")), DISK_MS);
  return await Promise.race([asking, late]).finally(() => clearTimeout(timer));
};

/** Unanswered questions; each resolves with its answer. */
const asked = new Map<string, Promise<unknown>>();

/**
 * Asks a disk that may not answer. Until it answers, a further question of the same kind is not
 * asked, not even later: each takes one of few threads, and changes of files must not happen late.
 *
 * @param kind one question of each kind at a time
 * @throws Error if the disk does not answer in time
 */
export const askDisk = async <T>(kind: string, ask: () => Promise<T>): Promise<T> => {
  for (let before = asked.get(kind); before !== undefined; before = asked.get(kind)) {
    await answerOf(before);
  }
  const asking = ask().finally(() => asked.delete(kind));
  asked.set(
    kind,
    asking.catch(() => {}),
  );
  return await answerOf(asking);
};
