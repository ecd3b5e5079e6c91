import { randomInt } from "node:crypto";
import type { RemoteInfo } from "node:dgram";
import type { EmbeddedTurn } from "../config/media.ts";

/** How long a relay lives without renewal. */
export const LIFETIME_S = 600;
/** A browser takes one for each connection and network interface: five people and the captures. */
const MOST_PER_PERSON = 40;

/** The person for whom a user name stands. */
export interface TurnAccount {
  readonly seat: string;
  readonly password: string;
  /** True if it may take a new relay; those that it has go on. */
  readonly isCurrent: boolean;
}

/** Why a request is refused (RFC 8656, 19). */
export type TurnRefusal = readonly [code: number, reason: string];

/** A relay that somebody has. */
export interface TurnRelay {
  readonly client: RemoteInfo;
  readonly port: number;
  readonly username: string;
  readonly seat: string;
  /** The ID of the request that made it, which may arrive twice. */
  readonly madeBy: Buffer;
  endsAt: number;
  /** Until when other relays may send to it. */
  permittedUntil: number;
  /** The port of the relay at the other end of each channel, and the other way round. */
  readonly ports: Map<number, number>;
  readonly channels: Map<number, number>;
}

const keyOf = ({ address, port }: RemoteInfo): string => `${address} ${port}`;

/** The relays of a TURN server. */
export class Relays {
  readonly #range: Pick<EmbeddedTurn, "from" | "to">;
  readonly #byClient = new Map<string, TurnRelay>();
  readonly #byPort = new Map<number, TurnRelay>();

  constructor(range: Pick<EmbeddedTurn, "from" | "to">) {
    this.#range = range;
  }

  of(client: RemoteInfo): TurnRelay | undefined {
    return this.#byClient.get(keyOf(client));
  }

  at(port: number): TurnRelay | undefined {
    return this.#byPort.get(port);
  }

  make(
    client: RemoteInfo,
    { username, seat, isCurrent }: TurnAccount & { readonly username: string },
    madeBy: Buffer,
  ): TurnRelay | TurnRefusal {
    if (!isCurrent) return [401, "Unauthorized"];
    const own = [...this.#byPort.values()].filter((one) => one.seat === seat);
    if (own.length >= MOST_PER_PERSON) return [486, "Allocation Quota Reached"];
    const { from, to } = this.#range;
    const count = to - from + 1;
    if (this.#byPort.size >= count) return [508, "Insufficient Capacity"];
    let port = from + randomInt(count);
    while (this.#byPort.has(port)) port = port === to ? from : port + 1;
    const relay: TurnRelay = {
      client,
      port,
      username,
      seat,
      madeBy: Buffer.from(madeBy),
      endsAt: 0,
      permittedUntil: 0,
      ports: new Map(),
      channels: new Map(),
    };
    this.renew(relay);
    this.#byClient.set(keyOf(client), relay);
    this.#byPort.set(port, relay);
    return relay;
  }

  renew(relay: TurnRelay): void {
    relay.endsAt = performance.now() + LIFETIME_S * 1000;
  }

  end(relay: TurnRelay): void {
    this.#byClient.delete(keyOf(relay.client));
    this.#byPort.delete(relay.port);
  }

  endOld(): void {
    const now = performance.now();
    for (const relay of this.#byPort.values()) if (relay.endsAt < now) this.end(relay);
  }
}
