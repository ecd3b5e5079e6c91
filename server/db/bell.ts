/**
 * Work that a change may leave for the background: emails for the postman to send, old emails and files of
 * deleted ones for it to remove, chores for the mender.
 */
export type LeftWork = "emails" | "old emails" | "chores";

/** Tells this process that a change has left work for the background; the work itself is in the database. */
export interface Bell {
  /** Never fails. */
  ring(work: LeftWork): void;
  /** Calls the handler for each change that has left such work. */
  listen(work: LeftWork, handler: () => void): void;
}

export const openBell = (): Bell => {
  const handlers: Readonly<Record<LeftWork, (() => void)[]>> = {
    emails: [],
    "old emails": [],
    chores: [],
  };
  return {
    ring: (work) => {
      for (const handler of handlers[work]) handler();
    },
    listen: (work, handler) => void handlers[work].push(handler),
  };
};
