import { Client, type ClientConfig, type Pool } from "pg";
import type { Announcements } from "../announcements.ts";

/** The channel of NOTIFY; channels belong to one database. */
const CHANNEL = "parley_meetings";
/** The pause before a lost connection is made again. */
const RETRY_MS = 1_000;

/**
 * Announcements by NOTIFY (PostgreSQL, NOTIFY). Listening takes a connection of its own: a connection
 * of the pool would be given to others.
 */
export const announceByNotify = (pool: Pool, config: ClientConfig): Announcements => ({
  announce: (meetingIds) => {
    if (meetingIds.length === 0) return;
    pool
      .query("select pg_notify($1, id) from unnest($2::text[]) as id", [CHANNEL, meetingIds])
      .catch(() => {
        // The next look makes up for a lost announcement.
      });
  },
  listen: (handler) => {
    let ended = false;
    let client: Client | undefined;
    let retry: NodeJS.Timeout | undefined;

    const connect = async (): Promise<void> => {
      const own = new Client(config);
      client = own;
      const lost = (): void => {
        if (client !== own) return;
        client = undefined;
        own.end().catch(() => {});
        if (!ended) retry = setTimeout(() => void connect(), RETRY_MS).unref();
      };
      own.on("error", lost).on("end", lost);
      own.on("notification", ({ payload }) => handler(payload));
      try {
        await own.connect();
        await own.query(`listen ${CHANNEL}`);
        handler(undefined);
      } catch {
        lost();
      }
    };
    void connect();
    return async () => {
      ended = true;
      clearTimeout(retry);
      const last = client;
      client = undefined;
      await last?.end().catch(() => {});
    };
  },
});
