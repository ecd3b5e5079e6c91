import { BODY_BYTES } from "../../contract/kit/plain.ts";

const KIB = 1024;
const MIB = 1024 ** 2;

/** A client's limits. Times are in milliseconds. */
export const limits = {
  /** For the handshake of TLS, before the first request. */
  handshakeMs: 10_000,
  /** For the headers of a request. */
  headersMs: 10_000,
  /** For a request with its body. */
  requestMs: 30_000,
  /** Without a byte in either direction, such as from a client that does not read. */
  silentMs: 60_000,
  /** For reading why its connection is closed. */
  graceMs: 1_000,
  /** Between two requests: longer than the 60 s after which proxies close. */
  keepAliveMs: 72_000,
  /** Connections at a time, besides those of people in meetings; each costs little. */
  connections: 4_000,
  /** Connections of one address at a time; a trusted proxy may hold all. */
  connectionsOfOne: 2_000,
  /** WebSockets of people in meetings: each person has one, and with LiveKit another one. */
  connectionsOfPeople: 20_000,
  /** Requests worked on at a time: with more, answers would be too late. */
  requests: 1_000,
  /** The bytes of bodies of requests without a token while they are read (reading.ts). */
  bodiesOfStrangers: { body: 16 * KIB, ofOne: MIB, inAll: 16 * MIB },
  /** The same for requests with a token, by holder. */
  bodiesOfCallers: { body: BODY_BYTES, ofOne: 8 * MIB, inAll: 64 * MIB },
} as const;
