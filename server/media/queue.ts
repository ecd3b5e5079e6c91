/**
 * Runs at most `atOnce` tasks at a time; the others wait in the order in which they came.
 *
 * @returns a function that runs a task in its turn and settles as the task does
 */
export const openQueue = (atOnce: number) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running++;
    else await new Promise<void>((turn) => waiting.push(turn));
    try {
      return await task();
    } finally {
      // The next task takes over this one's place, so `running` does not change.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
};
