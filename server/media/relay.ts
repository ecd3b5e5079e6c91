import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { type WebSocket, WebSocketServer } from "ws";
import { meter } from "../lib/measured.ts";
import { addToSpan, traced } from "../lib/traced.ts";
import { type Credit, openCredits } from "./credit.ts";
import { EngineRefused, EngineUnavailable, type MediaEngine } from "./engine.ts";
import { Filter } from "./filter.ts";
import type { Grant } from "./grants.ts";
import { readJoinRequest, writeJoinRequest } from "./join-request.ts";
import type { Published } from "./publishing.ts";
import { connect, GOING_AWAY } from "./pump.ts";
import type { IceServer } from "./turn.ts";
import type { Memory, See } from "./view.ts";

/** A person who may connect. */
export interface Admission {
  readonly meeting: string;
  readonly seat: string;
  /** Rises with each connection of the seat, so the end of an older one cannot affect a newer one. */
  readonly connection: number;
  readonly grant: Grant;
  readonly see: See;
  readonly memory?: Memory;
  readonly ice: readonly IceServer[];
}

/** Why somebody may not connect. 401 and 403 end all further tries of LiveKit's client. */
export interface Denial {
  readonly status: 401 | 403 | 429 | 503;
}

/**
 * How a connection ended. `left`: the client said so, which it also does right before it joins
 * again with the same ticket. `lost`: anything else, including a removal.
 */
export type End = "left" | "lost";

/** Somebody in a meeting, in whatever seat. */
export interface SeatPerson {
  readonly person: string;
}

/** Decides about seats, of which the relay itself knows nothing. */
export interface Gatekeeper {
  /**
   * Takes the seat of a ticket for one connection, after `check` has accepted the ticket. Each Admission
   * is followed by one call of `closed`.
   */
  admit(ticket: string): Promise<Admission | Denial>;
  /** Returns the person of a ticket that `admit` would let in now, or the denial; changes nothing. */
  check(ticket: string): Promise<SeatPerson | Denial>;
  /**
   * A connection has ended, or was never made.
   *
   * @param silentMs the time since the last sign of the client; 0 if it closed the connection itself
   */
  closed(admission: Admission, how: End, silentMs: number): void;
  /** The engine has said what the person publishes; omitted: nobody needs it. */
  published?(admission: Admission, published: Published): void;
}

/** The relay between browsers and the media engine. */
export interface Relay {
  /** The path at which LiveKit's client asks for a WebSocket, for `server.on("upgrade")`. */
  readonly path: string;
  /**
   * Takes an upgrade at `path`; whatever goes wrong is answered on the socket.
   *
   * @param onAdmitted called once the ticket has been accepted
   */
  upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    onAdmitted?: () => void,
  ): Promise<void>;
  /** The status for GET `path`/validate, which a client asks after a refusal. */
  validate(ticket: string): Promise<number>;
  /**
   * Changes what somebody may see from now on: the room's privacy or the roles have changed.
   *
   * @returns whether the seat is connected here
   */
  look(seat: string, see: See): boolean;
  /** Cuts a seat's connection here. A living seat resumes with its ticket. */
  cut(seat: string): void;
  /** The seats that are connected here. */
  seats(): ReadonlySet<string>;
  /** Cuts all connections, so that people go to another process. */
  stop(): void;
}

interface Connection {
  readonly meeting: string;
  readonly client: WebSocket;
  readonly engine: WebSocket;
  readonly filter: Filter;
}

/** A client that asks for a connection. */
interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly onAdmitted: () => void;
}

/** Like `GOING_AWAY`, a code after which LiveKit's client resumes. */
const RESTART = 1012;
const LARGEST_MESSAGE = 256 * 1024;
/** The most connections being made with one ticket: a client may give one up and try again. */
const MOST_AT_ONCE = 2;

const texts = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  429: "Too Many Requests",
  503: "Service Unavailable",
} as const;

/** Why somebody gets no media, for the metrics. */
const failures = {
  400: "unreadable",
  401: "ticket_ended",
  403: "ticket_ended",
  429: "too_many",
  503: "engine_away",
} as const;

const refuse = (socket: Duplex, status: keyof typeof texts): void => {
  const wait = status === 429 || status === 503 ? "retry-after: 1\r\n" : "";
  socket.end(
    `HTTP/1.1 ${status} ${texts[status]}\r\n${wait}connection: close\r\ncontent-length: 0\r\n\r\n`,
  );
};

/** The ticket of a request: browsers send it in the URL, LiveKit's other clients in a header. */
const ticketOf = ({ headers: { authorization = "" } }: IncomingMessage, query: URLSearchParams) =>
  query.get("access_token") ?? authorization.replace(/^Bearer /i, "");

/** Opens the relay of this process. */
export const openRelay = (
  engine: Pick<MediaEngine, "connect">,
  gatekeeper: Gatekeeper,
  log: Pick<Logger, "warn" | "error">,
): Relay => {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: LARGEST_MESSAGE,
  });
  const connections = new Map<string, Connection>();
  /** How many connections are being made with each ticket. */
  const asking = new Map<string, number>();
  const creditOf = openCredits();
  const countIn = (meeting: string): number =>
    connections.values().reduce((count, one) => count + (one.meeting === meeting ? 1 : 0), 0);

  /** Joins both ends; from here on only `pump.ts` reads them. */
  const relay = (
    admission: Admission,
    by: { readonly filter: Filter; readonly credit: Credit },
    client: WebSocket,
    upstream: WebSocket,
  ) => {
    const { filter } = by;
    const connection = { meeting: admission.meeting, client, engine: upstream, filter };
    // The older connection of the seat ends: LiveKit lets the newer one take its place.
    connections.get(admission.seat)?.client.terminate();
    connections.set(admission.seat, connection);
    connect(client, upstream, by, (error, silentMs) => {
      if (error !== undefined) log.warn({ err: error }, "a connection of a meeting is cut");
      if (connections.get(admission.seat) === connection) connections.delete(admission.seat);
      gatekeeper.closed(admission, filter.hasLeft() ? "left" : "lost", silentMs);
    });
  };

  const admit = async (
    query: URLSearchParams,
    ticket: string,
    { request, socket, head, onAdmitted }: Upgrade,
  ): Promise<keyof typeof texts | undefined> => {
    // Without a valid ticket, nobody can make this process unpack anything.
    const found = await gatekeeper.check(ticket);
    if ("status" in found) return found.status;
    const credit = creditOf(found.person);
    if (!credit.mayConnect()) return 429;
    const joinRequest = readJoinRequest(query.get("join_request") ?? "");
    if (joinRequest === undefined) return 400;
    const admission = await gatekeeper.admit(ticket);
    if ("status" in admission) return admission.status;
    onAdmitted();
    const { meeting, seat, grant } = admission;
    addToSpan({ "parley.meeting.id": meeting, "parley.seat.id": seat });
    let upstream: WebSocket | undefined;
    try {
      const others = () => countIn(meeting) - 1;
      const onPublished = (published: Published) => gatekeeper.published?.(admission, published);
      const filter = new Filter({ ...admission, credit, others, onPublished }, joinRequest);
      const isThere = (): boolean => !socket.destroyed && !socket.readableEnded;
      const asked = writeJoinRequest(joinRequest);
      upstream = await engine.connect(meeting, seat, grant, asked, isThere);
      if (!isThere()) throw new EngineUnavailable("The client has gone.");
      const open = upstream;
      let upgraded = false;
      server.handleUpgrade(request, socket, head, (client) => {
        upgraded = true;
        relay(admission, { filter, credit }, client, open);
      });
      // `handleUpgrade` has already answered a request that is no WebSocket.
      if (!upgraded) throw new EngineUnavailable("The client does not speak WebSocket.");
      return undefined;
    } catch (error) {
      upstream?.terminate();
      gatekeeper.closed(admission, "lost", 0);
      if (error instanceof EngineRefused || error instanceof EngineUnavailable) return 503;
      throw error;
    }
  };

  const admitInTurn = async (upgrade: Upgrade): Promise<keyof typeof texts | undefined> => {
    const query = new URL(upgrade.request.url ?? "", "http://localhost").searchParams;
    const ticket = ticketOf(upgrade.request, query);
    const before = asking.get(ticket) ?? 0;
    if (before >= MOST_AT_ONCE) return 429;
    asking.set(ticket, before + 1);
    try {
      return await admit(query, ticket, upgrade);
    } finally {
      const others = (asking.get(ticket) ?? 1) - 1;
      if (others > 0) asking.set(ticket, others);
      else asking.delete(ticket);
    }
  };

  return {
    path: "/api/meeting/rtc/v1",
    async upgrade(request, socket, head, onAdmitted = () => {}) {
      // A client that goes away while it waits must not end the process.
      socket.on("error", () => socket.destroy());
      try {
        const status = await traced("media connect", { kind: "server" }, async () => {
          const refused = await admitInTurn({ request, socket, head, onAdmitted });
          addToSpan({ "http.response.status_code": refused ?? 101 });
          return refused;
        });
        meter("media", status === undefined ? "connected" : failures[status]);
        if (status !== undefined) refuse(socket, status);
      } catch (error) {
        meter("media", "fault");
        log.error({ err: error }, "a connection to a meeting failed");
        refuse(socket, 503);
      }
    },
    async validate(ticket) {
      const found = await gatekeeper.check(ticket);
      return "status" in found ? found.status : 200;
    },
    look(seat, see) {
      const found = connections.get(seat);
      if (found === undefined) return false;
      const { client, engine: upstream, resume } = found.filter.look(see);
      for (const bytes of upstream) found.engine.send(bytes);
      for (const bytes of client) found.client.send(bytes);
      if (resume) found.client.close(GOING_AWAY);
      return true;
    },
    cut: (seat) => connections.get(seat)?.client.close(GOING_AWAY),
    seats: () => new Set(connections.keys()),
    stop() {
      for (const { client } of connections.values()) client.close(RESTART);
      server.close();
    },
  };
};
