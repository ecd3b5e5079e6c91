import type { RawData, WebSocket } from "ws";
import { errorOf } from "../../contract/kit/reasons.ts";
import { type Code, texts } from "../../contract/kit/texts.ts";
import {
  type CommandName,
  command,
  hello,
  commands as inputs,
} from "../../contract/meetings/commands.ts";
import type { ServerMessage } from "../../contract/meetings/socket.ts";
import { countedAddress } from "../access/throttle.ts";
import { nobody, openOrganization } from "../change/organization.ts";
import { isUnavailable, whyUnavailable } from "../db/errors.ts";
import type { SeatRow } from "../db/meeting-tables.ts";
import type { Database } from "../db/open.ts";
import { GUEST } from "../db/person-keys.ts";
import { Refusal, refuse, refuseField } from "../lib/refusal.ts";
import { traced } from "../lib/traced.ts";
import { signalForCapture } from "../meetings/captures/signal.ts";
import {
  type Connected,
  connectSeat,
  disconnectSeat,
  mayConnect,
} from "../meetings/doors/presence.ts";
import { endedBy, type Message } from "../meetings/seats/messages.ts";
import type { Inside } from "../meetings/state/inside.ts";
import {
  CHANGES,
  COMMANDS,
  type MessageSender,
  openAllowance,
  QUALITIES,
} from "../meetings/state/rate.ts";
import { reasonOfTicket } from "../meetings/state/snapshot.ts";
import type { Counts } from "./command.ts";
import { currentSeatOf, entitled, type Who } from "./current-seat.ts";
import type { Hub } from "./hub.ts";
import type { Member, SocketClient } from "./member.ts";
import type { Registry } from "./registry.ts";

/*
 * One meeting socket: the first message has the ticket, each later one a command. The holder of a
 * ticket acts for its seat, and the change of each command looks the seat up again.
 */

/** How long the browser has for its first message. */
const HELLO_MS = 10_000;
const PING_MS = 5_000;
/** A browser that has not answered this many pings in a row is gone. */
const MOST_UNANSWERED = 3;
/** The most that a slow browser may leave unread; then the socket is closed, and the browser comes back. */
const UNREAD_BYTES = 4_000_000;
/**
 * With more than this unread, a client gets no signals, and later a message that some were dropped:
 * signals come from other people, who must not be able to close this socket with them.
 */
const UNREAD_SIGNALS = 1_000_000;
/** Messages that may wait for the database with the first one: nobody knows yet whose they are. */
const EARLY = 10;

const mayPass = openAllowance(COMMANDS);
const allowances: Readonly<Record<Counts, ReturnType<typeof openAllowance>>> = {
  changes: openAllowance(CHANGES),
  reports: openAllowance(QUALITIES),
};

/** Close codes (RFC 6455, 7.4); whether to come back is the client's decision. */
export const CLOSE = { done: 1000, refused: 4001, restart: 1012, tooMuch: 1013 } as const;

/** The parts of the service that sessions use. */
export interface SessionParts {
  readonly database: Database;
  readonly hub: Pick<Hub, "add" | "remove" | "deliver" | "signal">;
  readonly commands: Registry;
  readonly processId: string;
  readonly onError: (error: unknown) => void;
}

/** The failure of a command, as in HTTP answers; a fault is reported and sent without details. */
const failureOf = (error: unknown, onError: (error: unknown) => void) => {
  if (error instanceof Refusal) {
    const { code, message, errors } = error;
    return { code, message, ...(errors.length > 0 && { errors: errors.map(errorOf) }) };
  }
  onError(error);
  const code: Code = isUnavailable(error) ? whyUnavailable(error) : "internal";
  return { code, message: texts[code].text };
};

/** Whose allowances the commands of a connection use. */
const senderOf = ({ meeting, seat }: Connected, address: string): MessageSender => ({
  meetingId: meeting.id,
  person: seat.person,
  from: seat.person.startsWith(GUEST) ? countedAddress(address) : null,
});

const isCommand = (name: string): name is CommandName => Object.hasOwn(inputs, name);

/** One meeting socket, from its first message until its seat is kept for its person. */
class Session {
  readonly #socket: WebSocket;
  readonly #parts: SessionParts;
  readonly #client: SocketClient;
  readonly #ended = Promise.withResolvers<void>();
  readonly #late: NodeJS.Timeout;
  readonly #pinging: NodeJS.Timeout;
  /** The seat, once the ticket was accepted. */
  #connected: Connected | undefined;
  /** The same for the hub, once the seat belongs to this socket. */
  #self: Member | undefined;
  #heard = performance.now();
  /** Counted instead of the time: while this process stands still, no browser is silent. */
  #unanswered = 0;
  /** How long the browser had been silent when the socket was terminated; otherwise 0. */
  #silentMs = 0;
  #queue: Promise<unknown> = Promise.resolve();
  /** Messages in the queue. */
  #waiting = 0;
  #hasLostSignals = false;

  constructor(socket: WebSocket, parts: SessionParts, client: SocketClient) {
    this.#socket = socket;
    this.#parts = parts;
    this.#client = client;
    this.#late = setTimeout(() => socket.close(CLOSE.refused), HELLO_MS);
    this.#pinging = setInterval(() => this.#ping(), PING_MS);
    socket.on("pong", () => this.#hear());
    socket.on("message", (data) => this.#take(data));
    socket.on("error", () => {});
    socket.on("close", () => this.#end());
  }

  /** Resolves once the socket has closed and the seat is kept for its person. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  #hear(): void {
    this.#heard = performance.now();
    this.#unanswered = 0;
  }

  #ping(): void {
    if (this.#unanswered >= MOST_UNANSWERED) {
      this.#silentMs = performance.now() - this.#heard;
      this.#socket.terminate();
      return;
    }
    if (this.#hasLostSignals && this.#socket.bufferedAmount <= UNREAD_SIGNALS) {
      this.#hasLostSignals = false;
      this.#send({ type: "signalsLost" });
    }
    this.#unanswered += 1;
    this.#socket.ping();
  }

  #send(message: ServerMessage): void {
    const socket = this.#socket;
    if (message.type === "signal" && socket.bufferedAmount > UNREAD_SIGNALS) {
      this.#hasLostSignals = true;
      return;
    }
    if (socket.bufferedAmount > UNREAD_BYTES) socket.close(CLOSE.tooMuch);
    else if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  }

  #take(data: RawData): void {
    const socket = this.#socket;
    // Messages still arrive until the browser has closed the socket too.
    if (socket.readyState !== socket.OPEN) return;
    this.#hear();
    clearTimeout(this.#late);
    if (this.#waiting >= (this.#self ? COMMANDS.burst : EARLY)) {
      socket.terminate();
      return;
    }
    try {
      this.#enqueue(JSON.parse(String(data)));
    } catch {
      socket.close(CLOSE.refused);
    }
  }

  /** One at a time, so that commands take effect in the order in which they were sent. */
  #enqueue(raw: unknown): void {
    this.#waiting += 1;
    this.#queue = this.#queue
      .then(() => (this.#self ? this.#obey(raw) : this.#enter(raw)))
      .catch((error: unknown) => {
        this.#parts.onError(error);
        // Without a seat on this socket: the browser is to try again.
        if (!this.#self) this.#socket.close(CLOSE.restart);
      })
      .finally(() => {
        this.#waiting -= 1;
      });
  }

  /** Connects the seat of the ticket, which is in the first message. */
  async #enter(raw: unknown): Promise<void> {
    const socket = this.#socket;
    const { database, hub, processId } = this.#parts;
    // An earlier message was refused, or the browser is gone.
    if (socket.readyState !== socket.OPEN) return;
    const { data } = hello.safeParse(raw);
    if (data && !(await mayConnect(database, data.ticket))) return socket.close(CLOSE.tooMuch);
    this.#connected =
      data &&
      (await traced("meeting connect", { kind: "server" }, () =>
        connectSeat(database, data.ticket, processId),
      ));
    if (!this.#connected) return this.#refuseTicket(data?.ticket);
    this.#self = this.#memberOf(this.#connected);
    // If the socket has closed meanwhile, nobody else would give the seat up.
    if (socket.readyState !== socket.OPEN) return this.#giveUp(this.#connected);
    hub.add(this.#connected.meeting.id, this.#self);
    this.#client.onEntered();
  }

  async #refuseTicket(ticket: string | undefined): Promise<void> {
    const reason =
      ticket === undefined ? undefined : await reasonOfTicket(this.#parts.database.read, ticket);
    this.#send(reason ? endedBy(reason) : endedBy("left", "ticket_ended"));
    this.#socket.close(CLOSE.refused);
  }

  #memberOf({ seat, connection }: Connected): Member {
    return {
      seatId: seat.id,
      connection,
      ticketDigest: seat.ticket_digest,
      send: (message) => this.#send(message),
      forCapture: (data) => signalForCapture(data, this.#client.mayCall),
      close: () => this.#socket.close(CLOSE.done),
      drop: () => this.#socket.close(CLOSE.restart),
    };
  }

  /** Carries out a command, and replies. */
  async #obey(raw: unknown): Promise<void> {
    const { data } = command.safeParse(raw);
    if (!this.#connected || !data) return this.#socket.close(CLOSE.refused);
    let messages: readonly Message[] = [];
    try {
      messages = await this.#carryOut(this.#connected, data.do, raw);
      this.#send({ type: "reply", id: data.id, ok: true });
    } catch (error) {
      const failure = failureOf(error, this.#parts.onError);
      this.#send({ type: "reply", id: data.id, ok: false, ...failure });
    }
    // After the reply, because one of them may end this very socket.
    this.#parts.hub.deliver(messages);
  }

  /** @returns the messages to deliver @throws Refusal */
  async #carryOut(connected: Connected, name: string, raw: unknown): Promise<readonly Message[]> {
    const { commands, database, hub } = this.#parts;
    const sender = senderOf(connected, this.#client.address);
    if (!mayPass(sender)) refuse("too_many_requests");
    if (!isCommand(name)) return refuseField("do", "not_command");
    const { who, counts, order } = commands[name];
    const given = order(raw);
    if ("pass" in given) {
      given.pass({ connected, sender, hub });
      return [];
    }
    // Before the change, which holds the organization's row: a flood must not begin any.
    if (who === "moderators" || given.isDone) {
      const current = entitled(await currentSeatOf(database.read, connected), who);
      if (given.isDone?.(current)) return [];
    }
    if (counts && !allowances[counts](sender)) refuse("too_many_requests");
    const { meeting, organizationId, seat } = connected;
    const attributes = {
      "parley.organization.id": organizationId,
      "parley.meeting.id": meeting.id,
      "parley.seat.id": seat.id,
    };
    return traced(`command ${name}`, { kind: "server", attributes }, () =>
      this.#change(connected, who, given.act),
    );
  }

  /** Carries out a command in one change. */
  async #change(
    connected: Connected,
    who: Who,
    act: (inside: Inside, seat: SeatRow) => Promise<unknown>,
  ): Promise<readonly Message[]> {
    const {
      organizationId,
      meeting: { id: meetingId },
    } = connected;
    const { database } = this.#parts;
    const { address } = this.#client;
    const messages: Message[] = [];
    const organization = openOrganization(database, organizationId, nobody, { address });
    await organization.change(async (change) => {
      const current = await currentSeatOf(change.tx, connected);
      const { seat, meeting, room } = entitled(current, who);
      const inside: Inside = {
        change,
        meeting,
        room,
        by: seat.peer_name,
        // Not what they call themselves in the meeting: that may be somebody else's name.
        actor: { userId: seat.user_id, name: seat.account_name ?? seat.peer_name },
        tell: (seatId, message) => void messages.push({ meetingId, seatId, message }),
      };
      await act(inside, seat);
    });
    return messages;
  }

  #end(): void {
    clearTimeout(this.#late);
    clearInterval(this.#pinging);
    this.#queue = this.#queue
      .then(() => this.#leave())
      .catch(this.#parts.onError)
      .finally(this.#ended.resolve);
  }

  async #leave(): Promise<void> {
    if (!this.#connected || !this.#self) return;
    this.#parts.hub.remove(this.#connected.meeting.id, this.#self);
    await this.#giveUp(this.#connected);
  }

  #giveUp(lost: Connected): Promise<void> {
    const { database, onError } = this.#parts;
    return disconnectSeat(database, lost, this.#silentMs, (cause) =>
      onError(new Error("The end of a connection is stored later.", { cause })),
    );
  }
}

/**
 * Serves one meeting socket.
 *
 * @returns once the socket has closed and the seat is kept for its person
 */
export const serveSession = (
  socket: WebSocket,
  parts: SessionParts,
  client: SocketClient,
): Promise<void> => new Session(socket, parts, client).ended;
