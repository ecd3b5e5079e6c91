/**
 * What all of these answer, once each has ended: where one fails, none goes on behind its caller's back.
 *
 * @throws the first failure in the order of the list
 */
export const settled = async <const T extends readonly unknown[]>(
  asked: T,
): Promise<{ -readonly [At in keyof T]: Awaited<T[At]> }> => {
  await Promise.allSettled(asked);
  return Promise.all(asked);
};
