/** A value that parts of the page watch; every change makes a new object. */
export interface Store<T extends object> {
  readonly get: () => T;
  readonly set: (change: Partial<T>) => void;
  /** Calls back after each change. Returns a function that ends this. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** @param first with every key: `set` keeps what a change leaves out */
export const createStore = <T extends object>(first: Required<T>): Store<T> => {
  let value: T = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (change) => {
      value = { ...value, ...change };
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
