/* The chunks that carry RTMP messages (Adobe's RTMP specification 1.0, section 5.3). */

/** Types of messages (sections 5.4, 6.2 and 7.1). */
export const TYPE = {
  chunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowSize: 5,
  bandwidth: 6,
  audio: 8,
  video: 9,
  data: 18,
  command: 20,
} as const;

export interface RtmpMessage {
  readonly type: number;
  /** The message stream: 0 for the connection itself. */
  readonly stream: number;
  /** Milliseconds. */
  readonly timestamp: number;
  readonly body: Buffer;
}

/** The size of chunks until a message sets another one (5.4.1). */
const FIRST_SIZE = 128;
/** A timestamp from here on is written after the header (5.3.1.3). */
const EXTENDED = 0xffffff;
/** No receiver sends more to a publisher; a larger length is not RTMP. */
const LARGEST_BODY = 1_000_000;
/** The most bytes of unfinished messages, over all chunk streams. */
const LARGEST_UNFINISHED = 4_000_000;

/** The message in chunks of this size, on a chunk stream from 2 to 63. */
export const writeChunks = (
  chunkStream: number,
  { type, stream, timestamp, body }: RtmpMessage,
  size: number,
): Buffer => {
  const time = timestamp % 0x1_0000_0000;
  const extended = Buffer.alloc(time >= EXTENDED ? 4 : 0);
  if (extended.length > 0) extended.writeUInt32BE(time);
  const header = Buffer.alloc(12);
  header[0] = chunkStream;
  header.writeUIntBE(Math.min(time, EXTENDED), 1, 3);
  header.writeUIntBE(body.length, 4, 3);
  header[7] = type;
  header.writeUInt32LE(stream, 8);
  const parts: Buffer[] = [header, extended];
  for (let at = 0; at < body.length || at === 0; at += size) {
    // A chunk of type 3 continues the message and repeats the long timestamp.
    if (at > 0) parts.push(Buffer.from([0xc0 | chunkStream]), extended);
    parts.push(body.subarray(at, at + size));
  }
  return Buffer.concat(parts);
};

/** The last header of a chunk stream: later ones leave out unchanged values. */
interface Known {
  readonly header: { type: number; stream: number; timestamp: number; length: number };
  delta: number;
  isExtended: boolean;
  /** The incomplete message. */
  body: Buffer | undefined;
  filled: number;
}

/** The bytes of a basic header, and of the message headers of types 0 to 3 (5.3.1). */
const HEADERS = [11, 7, 3, 0] as const;

/**
 * Assembles messages.
 *
 * @returns takes bytes, and returns the messages that they complete
 */
export const chunkReader = (): ((bytes: Buffer) => readonly RtmpMessage[]) => {
  const streams = new Map<number, Known>();
  let rest = Buffer.alloc(0);
  let size = FIRST_SIZE;
  let unfinished = 0;

  const knownOf = (id: number): Known => {
    const known = streams.get(id) ?? {
      header: { type: 0, stream: 0, timestamp: 0, length: 0 },
      delta: 0,
      isExtended: false,
      body: undefined,
      filled: 0,
    };
    streams.set(id, known);
    return known;
  };

  /** One chunk. @returns its length; undefined if it is incomplete */
  const readChunk = (found: RtmpMessage[]): number | undefined => {
    const [first] = rest;
    if (first === undefined) return undefined;
    const form = first >> 6;
    const basic = [2, 3][first & 0x3f] ?? 1;
    const start = basic + (HEADERS[form] ?? 0);
    if (rest.length < start) return undefined;
    const id = basic === 1 ? first & 0x3f : 64 + rest.readUIntLE(1, basic - 1);
    const known = knownOf(id);
    const { header } = known;
    const isExtended = form === 3 ? known.isExtended : rest.readUIntBE(basic, 3) === EXTENDED;
    const from = start + (isExtended ? 4 : 0);
    if (rest.length < from) return undefined;
    const length = form < 2 ? rest.readUIntBE(basic + 3, 3) : header.length;
    if (length > LARGEST_BODY) throw new RangeError("An RTMP message is too long.");
    if (known.body && known.body.length !== length) {
      throw new RangeError("An RTMP message changes its length.");
    }
    const until = from + Math.min(size, length - known.filled);
    if (rest.length < until) return undefined;

    known.isExtended = isExtended;
    header.length = length;
    if (form < 2) header.type = rest[basic + 6] ?? 0;
    if (form === 0) header.stream = rest.readUInt32LE(basic + 7);
    if (known.filled === 0) {
      const time = isExtended ? rest.readUInt32BE(start) : form < 3 ? rest.readUIntBE(basic, 3) : 0;
      if (form === 0) header.timestamp = time;
      else {
        if (form < 3) known.delta = time;
        header.timestamp += known.delta;
      }
    }
    if (known.body === undefined) {
      unfinished += length;
      if (unfinished > LARGEST_UNFINISHED) throw new RangeError("Too many RTMP messages begin.");
      // A copy: a view would keep all of the received buffer.
      known.body = Buffer.alloc(length);
    }
    known.filled += rest.copy(known.body, known.filled, from, until);
    if (known.filled === length) {
      const { type, stream, timestamp } = header;
      const { body } = known;
      known.body = undefined;
      known.filled = 0;
      unfinished -= length;
      if (type === TYPE.chunkSize) size = Math.max(1, body.readUInt32BE() & 0x7fffffff);
      found.push({ type, stream, timestamp, body });
    }
    return until;
  };

  return (bytes) => {
    const found: RtmpMessage[] = [];
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const used = readChunk(found);
      if (used === undefined) return found;
      rest = rest.subarray(used);
    }
  };
};
