/*
 * Announcements tell the processes of the service which meetings have changed, so that they look into
 * the database, which alone says how. They may be lost or repeated: a listener also looks now and
 * then by itself.
 */

/** Gets the ID of a meeting that has changed; undefined when announcements may have been lost. */
export type OnAnnouncement = (meetingId: string | undefined) => void;

export interface Announcements {
  /** Tells every process of the service, this one included. Never fails. */
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
