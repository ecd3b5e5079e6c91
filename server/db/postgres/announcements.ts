import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { Client, type ClientConfig, type Pool } from "pg";
import type { Announcements, OnAnnouncement } from "../announcements.ts";

/** How long a server has to confirm the end of connections, in milliseconds: a frozen one never does. */
const END_MS = 2_000;

/** Waits until connections have ended, as long as that makes sense. */
export const ended = async (ending: Promise<unknown>): Promise<void> => {
  await Promise.race([ending, sleep(END_MS, undefined, { ref: false })]);
};

/** The channel of NOTIFY; channels belong to one database. */
const CHANNEL = "parley_meetings";
/** The pause before a lost connection is made again. */
const RETRY_MS = 1_000;

/**
 * Announcements by NOTIFY (PostgreSQL, NOTIFY). Listening takes a connection of its own, one for all that
 * listen: a connection of the pool would be given to others.
 */
export const announceByNotify = (pool: Pool, config: ClientConfig): Announcements => {
  const listener = new Listener(config);
  const waiting = new Set<string>();
  const send = (): void => {
    const meetingIds = [...waiting];
    waiting.clear();
    pool
      .query("select pg_notify($1, id) from unnest($2::text[]) as id", [CHANNEL, meetingIds])
      .catch(() => {
        // The next look makes up for a lost announcement.
      });
  };
  return {
    announce: (meetingIds) => {
      if (meetingIds.length === 0) return;
      // Changes that shared a commit end in one turn of the event loop: one statement announces all of them.
      if (waiting.size === 0) setImmediate(send);
      for (const id of meetingIds) waiting.add(id);
    },
    listen: (handler) => listener.listen(handler),
  };
};

/** The connection that listens, as long as somebody wants it. */
class Listener {
  readonly #config: ClientConfig;
  readonly #handlers = new Set<OnAnnouncement>();
  #client: Client | undefined;
  #hears = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(config: ClientConfig) {
    this.#config = config;
  }

  listen(handler: OnAnnouncement): () => Promise<void> {
    const own: OnAnnouncement = (meetingId) => handler(meetingId);
    this.#handlers.add(own);
    if (this.#handlers.size === 1) void this.#connect();
    else void this.#welcome(own);
    return async () => {
      this.#handlers.delete(own);
      if (this.#handlers.size === 0) await this.#end();
    };
  }

  /** Tells one that comes later what the others heard when the connection was made. */
  async #welcome(handler: OnAnnouncement): Promise<void> {
    await nextTurn();
    if (this.#hears && this.#handlers.has(handler)) handler(undefined);
  }

  async #connect(): Promise<void> {
    const client = new Client(this.#config);
    this.#client = client;
    const lost = (): void => this.#lose(client);
    client.on("error", lost).on("end", lost);
    client.on("notification", ({ payload }) => this.#tell(payload));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch {
      lost();
      return;
    }
    if (this.#client !== client) return;
    this.#hears = true;
    this.#tell(undefined);
  }

  #tell(meetingId: string | undefined): void {
    for (const handler of this.#handlers) handler(meetingId);
  }

  #lose(client: Client): void {
    if (this.#client !== client) return;
    this.#forget();
    client.end().catch(() => {});
    this.#retry = setTimeout(() => void this.#connect(), RETRY_MS).unref();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#retry);
    const last = this.#client;
    this.#forget();
    if (last !== undefined) await ended(last.end().catch(() => {}));
  }

  #forget(): void {
    this.#client = undefined;
    this.#hears = false;
  }
}
