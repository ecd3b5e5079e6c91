import { createHmac, timingSafeEqual } from "node:crypto";
import { SocketAddress } from "node:net";

/*
 * The messages of STUN (RFC 8489, 5 and 14) and the attributes of TURN (RFC 8656, 18).
 */

const COOKIE = 0x2112a442;
const HEADER = 20;
const INTEGRITY = 0x0008;
/** A SHA-1, with the type and length before it. */
const INTEGRITY_BYTES = 24;

export const attribute = {
  username: 0x0006,
  error: 0x0009,
  channel: 0x000c,
  lifetime: 0x000d,
  peer: 0x0012,
  data: 0x0013,
  realm: 0x0014,
  nonce: 0x0015,
  relayed: 0x0016,
  transport: 0x0019,
  mapped: 0x0020,
} as const;

export interface StunMessage {
  readonly type: number;
  /** The magic cookie and the ID of the transaction. */
  readonly id: Buffer;
  /** The values of each attribute, in order. */
  readonly attributes: ReadonlyMap<number, readonly Buffer[]>;
  /** Returns whether its integrity was made with a key; false if it has none. */
  isSignedWith(key: Buffer): boolean;
}

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** The signature over a message up to it, whose length counts it already. */
const signature = (before: Buffer, key: Buffer): Buffer => {
  const counted = Buffer.from(before);
  counted.writeUInt16BE(before.length - HEADER + INTEGRITY_BYTES, 2);
  return createHmac("sha1", key).update(counted).digest();
};

/** Reads a message; undefined if the bytes are none. */
export const readStun = (bytes: Buffer): StunMessage | undefined => {
  if (bytes.length < HEADER || bytes.readUInt32BE(4) !== COOKIE) return undefined;
  if (bytes.readUInt16BE(2) !== bytes.length - HEADER) return undefined;
  const attributes = new Map<number, Buffer[]>();
  let signedTo: number | undefined;
  for (let at = HEADER; at < bytes.length; ) {
    if (at + 4 > bytes.length) return undefined;
    const type = bytes.readUInt16BE(at);
    const length = bytes.readUInt16BE(at + 2);
    const value = bytes.subarray(at + 4, at + 4 + length);
    if (value.length < length) return undefined;
    // Attributes after the signature are not signed, so they do not count.
    if (signedTo === undefined) attributes.set(type, [...(attributes.get(type) ?? []), value]);
    if (type === INTEGRITY) signedTo ??= at;
    at += 4 + Math.ceil(length / 4) * 4;
  }
  return {
    type: bytes.readUInt16BE(0),
    id: bytes.subarray(4, HEADER),
    attributes,
    isSignedWith(key) {
      const [given] = attributes.get(INTEGRITY) ?? [];
      if (given?.length !== 20 || signedTo === undefined) return false;
      return timingSafeEqual(given, signature(bytes.subarray(0, signedTo), key));
    },
  };
};

const field = (type: number, value: Buffer): Buffer => {
  const whole = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4);
  whole.writeUInt16BE(type, 0);
  whole.writeUInt16BE(value.length, 2);
  value.copy(whole, 4);
  return whole;
};

/** Writes a message. @param key signs it */
export const writeStun = (
  type: number,
  id: Buffer,
  attributes: readonly (readonly [type: number, value: Buffer])[],
  key?: Buffer,
): Buffer => {
  const body = attributes.map(([name, value]) => field(name, value));
  const message = Buffer.concat([Buffer.alloc(4), id, ...body]);
  message.writeUInt16BE(type, 0);
  message.writeUInt16BE(message.length - HEADER, 2);
  if (key === undefined) return message;
  const signed = Buffer.concat([message, field(INTEGRITY, signature(message, key))]);
  signed.writeUInt16BE(signed.length - HEADER, 2);
  return signed;
};

/** The bytes of an IPv6 address, whichever way it is written. */
const bytesOf6 = (address: string): Buffer => {
  const [head = "", tail] = new SocketAddress({ address, family: "ipv6" }).address
    .replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
      [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)]
        .map((n) => n.toString(16))
        .join(":"),
    )
    .split("::");
  const groups = (text: string | undefined) => (text ? text.split(":") : []);
  const [first, last] = [groups(head), groups(tail)];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => "0");
  return Buffer.from(
    [...first, ...zeros, ...last].map((group) => group.padStart(4, "0")).join(""),
    "hex",
  );
};

const bytesOf = (address: string): Buffer =>
  address.includes(":") ? bytesOf6(address) : Buffer.from(address.split(".").map(Number));

/** With the cookie and the ID, as routers that rewrite addresses in packets leave it alone. */
const masked = (bytes: Buffer, id: Buffer): Buffer =>
  Buffer.from(bytes.map((byte, at) => byte ^ (id[at] ?? 0)));

/** An address as an attribute (RFC 8489, 14.2). */
export const xorAddress = ({ address, port }: Endpoint, id: Buffer): Buffer => {
  const bytes = bytesOf(address);
  const head = Buffer.from([0, bytes.length === 4 ? 1 : 2, 0, 0]);
  head.writeUInt16BE(port ^ (COOKIE >>> 16), 2);
  return Buffer.concat([head, masked(bytes, id)]);
};

/** The port of an attribute that is this address; undefined for any other address. */
export const portAt = (value: Buffer, address: string, id: Buffer): number | undefined => {
  const bytes = bytesOf(address);
  if (value.length !== 4 + bytes.length || !masked(value.subarray(4), id).equals(bytes)) {
    return undefined;
  }
  return value.readUInt16BE(2) ^ (COOKIE >>> 16);
};
