/**
 * Work that a change may leave for the background: emails for the postman to send, old emails and files of
 * deleted ones for it to remove, chores for the mender, deliveries for the sender of webhooks, erasures and
 * old recordings for the keeper, old history and meetings for the retention.
 */
export type LeftWork =
  | "emails"
  | "old emails"
  | "chores"
  | "deliveries"
  | "erasures"
  | "old recordings"
  | "old history";

/** Tells this process that a change has left work for the background; the work itself is in the database. */
export interface Bell {
  /** Never fails. */
  ring(work: LeftWork): void;
  /** Calls the handler for each change that has left such work. */
  listen(work: LeftWork, handler: () => void): void;
}

export const openBell = (): Bell => {
  const handlers: { readonly work: LeftWork; readonly handler: () => void }[] = [];
  return {
    ring: (rung) => {
      for (const { work, handler } of handlers) if (work === rung) handler();
    },
    listen: (work, handler) => void handlers.push({ work, handler }),
  };
};
