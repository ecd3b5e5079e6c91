const shared: (() => Promise<unknown>)[] = [];

/** Ends something that the files of one process share, such as a browser, after the last of them. */
export const afterAllFiles = (end: () => Promise<unknown>): void => {
  shared.push(end);
};

/** Ends all of it. */
export const endShared = async (): Promise<void> => {
  for (const end of shared.splice(0)) await end();
};
