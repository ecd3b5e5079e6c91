/*
 * Announcements tell the processes of the service which meetings have changed; what has changed is in
 * the database alone. They may be lost or repeated: a listener also looks there by itself now and then.
 */

/** Gets the ID of a meeting that has changed; undefined when announcements may have been lost. */
export type OnAnnouncement = (meetingId: string | undefined) => void;

export interface Announcements {
  /** Notifies every process of the service, this one included. Never fails. */
  announce(meetingIds: readonly string[]): void;
  /** @returns a function that ends listening */
  listen(handler: OnAnnouncement): () => Promise<void>;
}

/** Announcements within this process: enough on SQLite, where one service runs. */
export const announceHere = (): Announcements => {
  const handlers = new Set<OnAnnouncement>();
  return {
    announce: (meetingIds) => {
      for (const id of meetingIds) for (const handler of handlers) handler(id);
    },
    listen: (handler) => {
      handlers.add(handler);
      return async () => void handlers.delete(handler);
    },
  };
};
