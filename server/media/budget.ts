/** How much a client may still send: each message costs one, and each field that is read costs one. */
export interface MessageBudget {
  left: number;
}

/** A page that shows a hundred people sends far less in five seconds. */
const MOST = 10_000;
const PER_SECOND = 2_000;
/** The bytes that a budget of one buys. */
const BYTES = 1024;

/** The budget of one person, which fills by itself. */
export const openBudget = () => {
  let since = performance.now();
  const budget: MessageBudget = { left: MOST };
  return {
    /** The budget for a message that has just arrived. */
    forMessage(bytes: Uint8Array): MessageBudget {
      const now = performance.now();
      budget.left = Math.min(MOST, budget.left + ((now - since) / 1000) * PER_SECOND);
      budget.left -= bytes.length / BYTES;
      since = now;
      return budget;
    },
  };
};
