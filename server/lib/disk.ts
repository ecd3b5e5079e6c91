import { setTimeout as sleep } from "node:timers/promises";

/** How long a disk may take to answer, in milliseconds: less than the lease of a recording. */
const DISK_MS = 5_000;

const answerOf = async <T>(asking: Promise<T>): Promise<T> => {
  const answered = new AbortController();
  const late = sleep(DISK_MS, undefined, { signal: answered.signal }).then(() => {
    throw new Error("The disk does not answer.");
  });
  late.catch(() => {});
  return await Promise.race([asking, late]).finally(() => answered.abort());
};

/** The questions that no disk has answered yet: each resolves with its answer. */
const asked = new Map<string, Promise<unknown>>();

/**
 * Asks a disk that may not answer. While it has not answered a question, it gets no other one of this kind,
 * not later either: each takes one of few threads, and what changes files must not happen late.
 *
 * @param kind of which there is one question at a time, where the disk does not answer
 * @throws Error also where the disk does not answer
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
