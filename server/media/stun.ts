import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { on, once } from "node:events";
import { connect, isIP } from "node:net";
import { connect as connectTls } from "node:tls";
import { noAnswer } from "../lib/no-answer.ts";

/*
 * The Binding request of STUN (RFC 8489, sections 5 and 14), which STUN and TURN servers answer
 * without credentials: so it shows whether there is one.
 */

const PATIENCE_MS = 10_000;
/** How often a UDP request, which may be lost, is sent again, in milliseconds. */
const AGAIN_MS = 500;
const HEADER = 20;

/** A request: type, length 0, the magic cookie, and an ID of its own. */
const bindingRequest = (): Buffer =>
  Buffer.concat([Buffer.from("000100002112a442", "hex"), randomBytes(12)]);

/** A success (type 0x0101) with the cookie and the ID of the request. */
const isAnswerTo = (request: Buffer, answer: Buffer): boolean =>
  answer.length >= HEADER &&
  answer.readUInt16BE(0) === 0x0101 &&
  answer.subarray(4, HEADER).equals(request.subarray(4));

const askByUdp = async (
  host: string,
  port: number,
  request: Buffer,
  signal: AbortSignal,
): Promise<Buffer> => {
  const { address, family } = await lookup(host);
  const socket = createSocket(family === 6 ? "udp6" : "udp4");
  let asking: NodeJS.Timeout | undefined;
  try {
    socket.connect(port, address);
    await once(socket, "connect", { signal });
    const answered = once(socket, "message", { signal });
    asking = setInterval(() => socket.send(request), AGAIN_MS);
    socket.send(request);
    const [answer] = await answered;
    return answer;
  } finally {
    clearInterval(asking);
    socket.close();
  }
};

const askByTcp = async (
  host: string,
  port: number,
  request: Buffer,
  { signal, isSecure }: { readonly signal: AbortSignal; readonly isSecure: boolean },
): Promise<Buffer> => {
  const socket = isSecure
    ? connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }) })
    : connect({ host, port });
  try {
    await once(socket, isSecure ? "secureConnect" : "connect", { signal });
    socket.write(request);
    let answer = Buffer.alloc(0);
    // TCP has no packets: an answer may come in pieces.
    for await (const [piece] of on(socket, "data", { signal, close: ["end", "close"] })) {
      answer = Buffer.concat([answer, piece]);
      if (answer.length >= HEADER && answer.length >= HEADER + answer.readUInt16BE(2)) break;
    }
    return answer;
  } finally {
    socket.destroy();
  }
};

/**
 * Asks a STUN or TURN server whether it is there.
 *
 * @param url as in STUN_URLS and TURN_URLS, and not `turns:` over UDP (DTLS), which Node cannot speak
 * @throws Error that says what is wrong, after ten seconds without an answer at the latest
 */
export const askStun = async (url: string): Promise<void> => {
  const [, scheme = "", name = "", port, transport] =
    /^(\w+):(\[[^\]]*\]|[^:?]+)(?::(\d+))?(?:\?transport=(\w+))?$/.exec(url) ?? [];
  const host = name.replace(/^\[|\]$/g, "");
  const isSecure = scheme.endsWith("s");
  const at = Number(port ?? (isSecure ? 5349 : 3478));
  const request = bindingRequest();
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await (isSecure || transport === "tcp"
    ? askByTcp(host, at, request, { signal, isSecure })
    : askByUdp(host, at, request, signal)
  ).catch((error: unknown) => {
    throw new Error(
      signal.aborted ? `There was no answer in ${PATIENCE_MS / 1000} s.` : noAnswer(error),
    );
  });
  if (!isAnswerTo(request, answer)) throw new Error("What answers is no STUN server.");
};
