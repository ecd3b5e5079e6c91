import { createHash, randomBytes } from "node:crypto";
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import type { EmbeddedTurn } from "../config/media.ts";
import {
  attribute,
  portAt,
  readStun,
  type StunMessage,
  writeStun,
  xorAddress,
} from "./stun-message.ts";
import {
  LIFETIME_S,
  Relays,
  type TurnAccount,
  type TurnRefusal,
  type TurnRelay,
} from "./turn-relays.ts";

/*
 * A TURN server (RFC 8656, over UDP) whose relays reach nothing but each other. Two people who cannot connect
 * directly each take one, and what one relay sends to the other stays in this process: no relay has a
 * socket, so nobody gets a packet anywhere else by it.
 */

const method = {
  binding: 0x0001,
  allocate: 0x0003,
  refresh: 0x0004,
  send: 0x0016,
  data: 0x0017,
  permission: 0x0008,
  channel: 0x0009,
} as const;
const requests: ReadonlySet<number> = new Set([
  method.allocate,
  method.refresh,
  method.permission,
  method.channel,
]);
const SUCCESS = 0x0100;
const ERROR = 0x0110;

const REALM = "parley";
const UDP = 17;
/** The longest permission without renewal, in milliseconds. */
const PERMISSION_MS = 300_000;
const SWEEP_MS = 10_000;
const FIRST_CHANNEL = 0x4000;
const LAST_CHANNEL = 0x7ffe;

/** Finds an account; undefined if the user name is none. */
export type FindAccount = (username: string) => TurnAccount | undefined;

/** The sender of a request that was signed. */
interface Sender extends TurnAccount {
  readonly username: string;
  readonly key: Buffer;
}

type Attributes = readonly (readonly [number, Buffer])[];

const seconds = (count: number): Buffer => {
  const value = Buffer.alloc(4);
  value.writeUInt32BE(count);
  return value;
};

/** A running TURN server. */
export class TurnServer {
  readonly #turn: EmbeddedTurn;
  readonly #socket: Socket;
  readonly #find: FindAccount;
  readonly #nonce = Buffer.from(randomBytes(12).toString("hex"));
  readonly #relays: Relays;
  readonly #sweep = setInterval(() => this.#relays.endOld(), SWEEP_MS).unref();

  private constructor(turn: EmbeddedTurn, find: FindAccount) {
    this.#turn = turn;
    this.#find = find;
    this.#relays = new Relays(turn);
    this.#socket = createSocket(isIPv6(turn.address) ? "udp6" : "udp4");
    this.#socket.on("message", (bytes, client) => this.#take(bytes, client));
  }

  /** Starts it on all interfaces. @throws Error if the port is taken */
  static async open(turn: EmbeddedTurn, find: FindAccount): Promise<TurnServer> {
    const server = new TurnServer(turn, find);
    server.#socket.bind(turn.port);
    await once(server.#socket, "listening");
    // A packet that cannot be sent is lost, as on the way.
    server.#socket.on("error", () => {});
    return server;
  }

  close(): void {
    clearInterval(this.#sweep);
    this.#socket.close();
  }

  #take(bytes: Buffer, client: RemoteInfo): void {
    const first = bytes[0] ?? 0xff;
    if (first >= FIRST_CHANNEL >> 8 && first <= LAST_CHANNEL >> 8) {
      this.#takeChannelData(bytes, client);
      return;
    }
    const message = readStun(bytes);
    if (message === undefined) return;
    if (message.type === method.binding) {
      this.#answer(message, client, [[attribute.mapped, xorAddress(client, message.id)]]);
    } else if (message.type === method.send) this.#takeIndication(message, client);
    else this.#takeRequest(message, client);
  }

  #reply(bytes: Buffer, { port, address }: RemoteInfo): void {
    this.#socket.send(bytes, port, address, () => {});
  }

  #answer({ type, id }: StunMessage, client: RemoteInfo, has: Attributes, key?: Buffer): void {
    this.#reply(writeStun(type | SUCCESS, id, has, key), client);
  }

  #refuse(
    { type, id }: StunMessage,
    client: RemoteInfo,
    [code, reason]: TurnRefusal,
    key?: Buffer,
  ): void {
    const error = Buffer.concat([
      Buffer.from([0, 0, Math.floor(code / 100), code % 100]),
      Buffer.from(reason),
    ]);
    const has: Attributes = [
      [attribute.error, error],
      [attribute.realm, Buffer.from(REALM)],
      [attribute.nonce, this.#nonce],
    ];
    this.#reply(writeStun(type | ERROR, id, has, key), client);
  }

  #senderOf(message: StunMessage): Sender | TurnRefusal {
    const [name] = message.attributes.get(attribute.username) ?? [];
    const [nonce] = message.attributes.get(attribute.nonce) ?? [];
    if (name === undefined || nonce === undefined) return [401, "Unauthorized"];
    // After a restart of this process, browsers ask again with the new one.
    if (!nonce.equals(this.#nonce)) return [438, "Stale Nonce"];
    const username = name.toString();
    const account = this.#find(username);
    if (account === undefined) return [401, "Unauthorized"];
    const key = createHash("md5").update(`${username}:${REALM}:${account.password}`).digest();
    return message.isSignedWith(key) ? { ...account, username, key } : [401, "Unauthorized"];
  }

  #takeRequest(message: StunMessage, client: RemoteInfo): void {
    if (!requests.has(message.type)) return;
    const sender = this.#senderOf(message);
    if (!("key" in sender)) {
      this.#refuse(message, client, sender);
      return;
    }
    const done = this.#carryOut(message, client, sender);
    if (isRefusal(done)) this.#refuse(message, client, done, sender.key);
    else this.#answer(message, client, done, sender.key);
  }

  #carryOut(message: StunMessage, client: RemoteInfo, sender: Sender): Attributes | TurnRefusal {
    const relay = this.#relays.of(client);
    if (message.type === method.allocate) return this.#allocate(message, client, sender, relay);
    if (relay === undefined) return [437, "Allocation Mismatch"];
    if (relay.username !== sender.username) return [441, "Wrong Credentials"];
    if (message.type === method.refresh) return this.#refresh(message, relay);
    const peers = message.attributes.get(attribute.peer) ?? [];
    const ports = peers.map((value) => portAt(value, this.#turn.address, message.id));
    if (ports.length === 0) return [400, "Bad Request"];
    // Only another relay is a peer.
    if (ports.includes(undefined)) return [403, "Forbidden"];
    if (message.type === method.channel) {
      const refused = this.#bind(relay, message.attributes.get(attribute.channel)?.[0], ports[0]);
      if (refused) return refused;
    }
    relay.permittedUntil = performance.now() + PERMISSION_MS;
    return [];
  }

  #allocate(
    { attributes, id }: StunMessage,
    client: RemoteInfo,
    sender: Sender,
    existing: TurnRelay | undefined,
  ): Attributes | TurnRefusal {
    if (existing !== undefined && !existing.madeBy.equals(id)) return [437, "Allocation Mismatch"];
    if (attributes.get(attribute.transport)?.[0]?.[0] !== UDP)
      return [442, "Unsupported Transport"];
    const relay = existing ?? this.#relays.make(client, sender, id);
    if (isRefusal(relay)) return relay;
    const relayed = { address: this.#turn.address, port: relay.port };
    return [
      [attribute.relayed, xorAddress(relayed, id)],
      [attribute.mapped, xorAddress(client, id)],
      [attribute.lifetime, seconds(LIFETIME_S)],
    ];
  }

  #refresh({ attributes }: StunMessage, relay: TurnRelay): Attributes {
    const [asked] = attributes.get(attribute.lifetime) ?? [];
    const isOver = asked?.length === 4 && asked.readUInt32BE() === 0;
    if (isOver) this.#relays.end(relay);
    else this.#relays.renew(relay);
    return [[attribute.lifetime, seconds(isOver ? 0 : LIFETIME_S)]];
  }

  /** Gives a channel's number to a relay at the other end. */
  #bind(relay: TurnRelay, value: Buffer | undefined, port = 0): TurnRefusal | undefined {
    const { from, to } = this.#turn;
    if (port < from || port > to) return [403, "Forbidden"];
    const number = value?.length === 4 ? value.readUInt16BE() : 0;
    const isFree =
      (relay.ports.get(number) ?? port) === port && (relay.channels.get(port) ?? number) === number;
    if (number < FIRST_CHANNEL || number > LAST_CHANNEL || !isFree) return [400, "Bad Request"];
    relay.ports.set(number, port);
    relay.channels.set(port, number);
    return undefined;
  }

  #takeIndication({ attributes, id }: StunMessage, client: RemoteInfo): void {
    const relay = this.#relays.of(client);
    const [peer] = attributes.get(attribute.peer) ?? [];
    const [data] = attributes.get(attribute.data) ?? [];
    const port = peer && portAt(peer, this.#turn.address, id);
    if (relay && data && port !== undefined) this.#pass(relay, port, data);
  }

  #takeChannelData(bytes: Buffer, client: RemoteInfo): void {
    const relay = this.#relays.of(client);
    if (relay === undefined || bytes.length < 4) return;
    const port = relay.ports.get(bytes.readUInt16BE());
    const data = bytes.subarray(4, 4 + bytes.readUInt16BE(2));
    if (port !== undefined) this.#pass(relay, port, data);
  }

  /** Passes data from one relay to another one; both must have agreed to hear of others. */
  #pass(from: TurnRelay, port: number, data: Buffer): void {
    const to = this.#relays.at(port);
    const now = performance.now();
    if (to === undefined || from.permittedUntil < now || to.permittedUntil < now) return;
    const channel = to.channels.get(from.port);
    if (channel === undefined) {
      const id = Buffer.concat([Buffer.from("2112a442", "hex"), randomBytes(12)]);
      const sender = { address: this.#turn.address, port: from.port };
      const has: Attributes = [
        [attribute.peer, xorAddress(sender, id)],
        [attribute.data, data],
      ];
      this.#reply(writeStun(method.data, id, has), to.client);
      return;
    }
    const head = Buffer.alloc(4);
    head.writeUInt16BE(channel, 0);
    head.writeUInt16BE(data.length, 2);
    this.#reply(Buffer.concat([head, data]), to.client);
  }
}

const isRefusal = (done: Attributes | TurnRelay | TurnRefusal): done is TurnRefusal =>
  Array.isArray(done) && typeof done[0] === "number";
