/** Tells this process that a change has left work for the background; the work itself is in the database. */
export interface Bell {
  /** Never fails. */
  ring(): void;
  /** @returns a function that ends listening */
  listen(handler: () => void): () => void;
}

export const openBell = (): Bell => {
  const handlers = new Set<() => void>();
  return {
    ring: () => {
      for (const handler of handlers) handler();
    },
    listen: (handler) => {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
  };
};
