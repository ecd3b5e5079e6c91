import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { openBucket } from "../lib/bucket.ts";
import { checkedLookup, ForbiddenAddress, type IsAllowed } from "../lib/dialing.ts";
import { isCertificate } from "../lib/no-answer.ts";
import { type AmfValue, decodeAmf, encodeAmf } from "./amf.ts";
import { chunkReader, type RtmpMessage, TYPE, writeChunks } from "./chunks.ts";
import type { FlvTag } from "./flv.ts";
import type { RtmpTarget } from "./target.ts";

/*
 * Publishes one stream by RTMP (Adobe's RTMP specification 1.0) or RTMPS. Why here and not by ffmpeg:
 * docs/decisions/0029-live-streams.md.
 */

/**
 * How publishing fails: nobody answers, the certificate is wrong, it is not let in, or it breaks
 * off.
 */
export type RtmpFailure = "unreachable" | "certificate" | "refused" | "lost";

/** Its message does not contain the address. */
export class RtmpError extends Error {
  override readonly name = "RtmpError";
  readonly failure: RtmpFailure;
  constructor(failure: RtmpFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** A connection whose stream the receiver accepted. */
export interface RtmpPublisher {
  /** Sends a tag; resolves when there is room for the next. @throws RtmpError `lost` */
  send(tag: FlvTag): Promise<void>;
  close(): Promise<void>;
}

/** The timeout until the stream is accepted. */
const OPEN_MS = 15_000;
/** A receiver that takes nothing for this long is gone. */
const STUCK_MS = 15_000;
const CLOSE_MS = 1_000;
/** The most bytes that a receiver may send: it has little to say, and much of it is answered. */
const HEARD = { burst: 1_000_000, perSecond: 20_000 };
const VERSION = 3;
const HANDSHAKE = 1536;
/** Large enough for a frame of video in few chunks. */
const CHUNK_SIZE = 65_536;
/** Chunk streams: for the protocol itself, for commands, for media. */
const PROTOCOL = 2;
const COMMANDS = 3;
const MEDIA = 4;

/** The person who chose the receiver, and where it may be. */
export interface Dialing {
  readonly organizationId: string;
  readonly isAllowed: IsAllowed;
}

const failureOf = (error: unknown): RtmpError => {
  if (error instanceof RtmpError) return error;
  // Distinguished only in the log: to people, names inside the operator's network do not exist.
  if (error instanceof ForbiddenAddress) return new RtmpError("unreachable", error.message);
  const { code } = error as { readonly code?: unknown };
  const found = typeof code === "string" ? code : "no answer";
  return isCertificate(found)
    ? new RtmpError("certificate", `The receiver's certificate is not accepted (${found}).`)
    : new RtmpError("unreachable", `The receiver does not answer (${found}).`);
};

const dial = async (
  { secure, host, port }: RtmpTarget,
  { organizationId, isAllowed }: Dialing,
  signal: AbortSignal,
): Promise<Socket> => {
  const lookup = await checkedLookup(organizationId, host, isAllowed, signal);
  // A server name is never an IP address (RFC 6066, 3).
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = secure
    ? connectTls({ host, port, lookup, ...name })
    : connectTcp({ host, port, lookup });
  const end = () => socket.destroy();
  signal.addEventListener("abort", end, { once: true });
  socket.once("close", () => signal.removeEventListener("abort", end));
  // A later failure ends the connection and shows in its `close` event.
  socket.on("error", () => {});
  await once(socket, secure ? "secureConnect" : "connect", { signal });
  socket.setNoDelay(true);
  return socket;
};

/** The simple handshake (5.2). @returns the bytes after it; the socket is paused */
const shakeHands = (socket: Socket): Promise<Buffer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let got = Buffer.alloc(0);
  const take = (bytes: Buffer): void => {
    const isAnswered = got.length > HANDSHAKE;
    got = Buffer.concat([got, bytes]);
    if (got[0] !== VERSION) reject(new RtmpError("unreachable", "The receiver speaks no RTMP."));
    if (!isAnswered && got.length > HANDSHAKE) socket.write(got.subarray(1, 1 + HANDSHAKE));
    if (got.length < 1 + 2 * HANDSHAKE) return;
    socket.off("data", take).pause();
    resolve(got.subarray(1 + 2 * HANDSHAKE));
  };
  socket.on("data", take);
  socket.once("close", () =>
    reject(new RtmpError("unreachable", "The receiver closed the connection.")),
  );
  const mine = Buffer.concat([Buffer.alloc(8), randomBytes(HANDSHAKE - 8)]);
  socket.write(Buffer.concat([Buffer.from([VERSION]), mine]));
  return promise;
};

/** The code of a status (7.2.2), or of the refusal of a command. */
const codeOf = (value: AmfValue): string =>
  typeof value === "object" && value !== null && "code" in value ? String(value.code) : "";

/** Speaks RTMP on a connection whose handshake is done. */
const converse = (socket: Socket, onCommand: (values: readonly AmfValue[]) => void) => {
  const read = chunkReader();
  let size = 128;
  let received = 0;
  let acknowledged = 0;
  let windowSize = Number.POSITIVE_INFINITY;
  const mayHear = openBucket(HEARD);

  const write = (chunkStream: number, message: RtmpMessage): boolean =>
    socket.write(writeChunks(chunkStream, message, size));
  const control = (type: number, body: Buffer): boolean =>
    write(PROTOCOL, { type, stream: 0, timestamp: 0, body });
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };

  const take = (bytes: Buffer): void => {
    if (!mayHear(bytes.length)) throw new RangeError("The receiver sends without end.");
    received += bytes.length;
    for (const { type, body } of read(bytes)) {
      if (type === TYPE.command) onCommand(decodeAmf(body));
      else if (type === TYPE.windowSize) windowSize = body.readUInt32BE();
      // A ping (7.1.7, type 6) is answered by the same data with type 7.
      else if (type === TYPE.userControl && body.readUInt16BE() === 6) {
        control(TYPE.userControl, Buffer.concat([Buffer.from([0, 7]), body.subarray(2)]));
      }
    }
    if (received - acknowledged < windowSize / 2) return;
    acknowledged = received;
    control(TYPE.acknowledgement, number(received % 0x1_0000_0000));
  };

  return {
    take,
    write,
    command: (stream: number, ...values: readonly AmfValue[]): boolean =>
      write(COMMANDS, {
        type: TYPE.command,
        stream,
        timestamp: 0,
        body: encodeAmf(...values),
      }),
    useLargeChunks: () => {
      control(TYPE.chunkSize, number(CHUNK_SIZE));
      size = CHUNK_SIZE;
    },
  };
};

type Conversation = ReturnType<typeof converse>;

/** Requests the stream, step by step: each command follows from the previous answer. */
const askToPublish = (socket: Socket, { app, url, name }: RtmpTarget, after: Buffer) => {
  const accepted = Promise.withResolvers<{
    readonly talk: Conversation;
    readonly stream: number;
  }>();
  let stream = 0;
  let isAccepted = false;
  const refuse = (what: string): void =>
    accepted.reject(new RtmpError("refused", `The receiver refuses the stream (${what}).`));
  const onStatus = (code: string): void => {
    if (code === "NetStream.Publish.Start") {
      isAccepted = true;
      accepted.resolve({ talk, stream });
    } else if (isAccepted) socket.destroy();
    else refuse(/^[\w.]{1,64}$/.test(code) ? code : "status");
  };
  const onCommand = ([kind, transaction, , answer]: readonly AmfValue[]): void => {
    // Receivers that do not know releaseStream and FCPublish answer with a harmless error.
    if (kind === "_error" && (transaction === 1 || transaction === 4)) {
      refuse(codeOf(answer) || "error");
    } else if (kind === "_result" && transaction === 1) {
      talk.command(0, "releaseStream", 2, null, name);
      talk.command(0, "FCPublish", 3, null, name);
      talk.command(0, "createStream", 4, null);
    } else if (kind === "_result" && transaction === 4) {
      stream = Number(answer);
      talk.command(stream, "publish", 5, null, name, "live");
    } else if (kind === "onStatus") onStatus(codeOf(answer));
  };
  const talk = converse(socket, onCommand);
  const take = (bytes: Buffer): void => {
    try {
      talk.take(bytes);
    } catch {
      // Bytes that are not RTMP end the connection.
      socket.destroy();
    }
  };
  socket.once("close", () => refuse("closed"));
  socket.on("data", take);
  talk.useLargeChunks();
  const facts = { app, type: "nonprivate", flashVer: "FMLE/3.0 (compatible; Parley)", tcUrl: url };
  talk.command(0, "connect", 1, facts);
  take(after);
  socket.resume();
  return accepted.promise;
};

const lost = () => new RtmpError("lost", "The connection to the receiver broke off.");

/**
 * Connects to a receiver and starts a stream.
 *
 * @param signal ends the connection, also later
 * @throws RtmpError if the receiver does not answer or refuses the stream
 */
export const openRtmpPublisher = async (
  target: RtmpTarget,
  dialing: Dialing,
  signal: AbortSignal,
): Promise<RtmpPublisher> => {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), OPEN_MS);
  let socket: Socket | undefined;
  try {
    const dialed = await dial(target, dialing, AbortSignal.any([signal, late.signal]));
    socket = dialed;
    late.signal.addEventListener("abort", () => dialed.destroy());
    const after = await shakeHands(dialed);
    const { talk, stream } = await askToPublish(dialed, target, after);
    return publisherOn(dialed, talk, stream, target.name);
  } catch (error) {
    socket?.destroy();
    throw failureOf(error);
  } finally {
    clearTimeout(timer);
  }
};

/** Waits until there is room to write, or the connection has closed. */
const drained = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const stuck = setTimeout(() => socket.destroy(), STUCK_MS);
    const done = (): void => {
      clearTimeout(stuck);
      socket.off("drain", done).off("close", done);
      resolve();
    };
    socket.on("drain", done).on("close", done);
  });

const publisherOn = (
  socket: Socket,
  talk: Conversation,
  stream: number,
  name: string,
): RtmpPublisher => ({
  async send({ type, timestamp, body }) {
    if (socket.destroyed) throw lost();
    const isData = type === TYPE.data;
    const whole = isData ? Buffer.concat([encodeAmf("@setDataFrame"), body]) : body;
    if (talk.write(MEDIA, { type, stream, timestamp, body: whole })) return;
    await drained(socket);
    if (socket.destroyed) throw lost();
  },
  async close() {
    if (socket.destroyed) return;
    talk.command(0, "FCUnpublish", 6, null, name);
    talk.command(stream, "closeStream", 7, null);
    talk.command(0, "deleteStream", 8, null, stream);
    const closed = once(socket, "close");
    socket.end();
    await Promise.race([closed, sleep(CLOSE_MS)]);
    socket.destroy();
  },
});
