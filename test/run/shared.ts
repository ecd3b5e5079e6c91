const shared: (() => Promise<unknown>)[] = [];

/**
 * Registers a function that ends something shared by the files of one process, such as a browser, after the
 * last file.
 */
export const afterAllFiles = (end: () => Promise<unknown>): void => {
  shared.push(end);
};

/** Ends all of it. */
export const endShared = async (): Promise<void> => {
  for (const end of shared.splice(0)) await end();
};
