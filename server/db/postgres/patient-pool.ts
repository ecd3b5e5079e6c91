import { setTimeout as sleep } from "node:timers/promises";
import { Pool, type PoolClient, type PoolConfig } from "pg";
import { isOutOfConnections } from "../errors.ts";

/** The pause before the pool tries to have more connections again. */
const FEWER_MS = 5_000;
/** The pause of a caller where the pool has no connection at all. */
const NONE_MS = 250;

/**
 * A pool that makes do with fewer connections where the server allows no more (CONNECTION LIMIT,
 * max_connections): callers then wait for one of the others.
 */
export class PatientPool extends Pool {
  readonly #most: number;
  /** Connections that were made and are not closed; `totalCount` also counts those that may fail. */
  #open = 0;
  #fewer: NodeJS.Timeout | undefined;
  /** Connections that are used no more once their callers have finished. */
  #trusted = new WeakSet<PoolClient>();

  constructor(config: PoolConfig & { readonly max: number }) {
    super(config);
    this.#most = config.max;
    this.on("connect", (client) => {
      this.#open += 1;
      this.#trusted.add(client);
    });
    this.on("remove", () => {
      this.#open -= 1;
    });
  }

  /** @param until when the caller gives up, in the time of `performance` */
  async connectBy(until: number): Promise<PoolClient> {
    for (;;) {
      try {
        const client = await this.connect();
        if (this.trusts(client)) return client;
        client.release(true);
        continue;
      } catch (error) {
        if (!isOutOfConnections(error) || performance.now() + NONE_MS > until) throw error;
      }
      this.#makeDo();
      if (this.#open === 0) await sleep(NONE_MS);
    }
  }

  /** Returns whether a connection was made after the last doubt about all of them. */
  trusts(client: PoolClient): boolean {
    return this.#trusted.has(client);
  }

  /** Uses none of the present connections for another caller. */
  distrustAll(): void {
    this.#trusted = new WeakSet();
  }

  /** pg-pool reads its limit each time that somebody wants a connection. */
  #makeDo(): void {
    this.options.max = Math.max(1, this.#open);
    clearTimeout(this.#fewer);
    this.#fewer = setTimeout(() => {
      this.options.max = this.#most;
    }, FEWER_MS).unref();
  }
}
