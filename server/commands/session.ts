import type { WebSocket } from "ws";
import type { z } from "zod";
import { errorOf } from "../../contract/kit/reasons.ts";
import { type Code, texts } from "../../contract/kit/texts.ts";
import {
  type CommandName,
  command,
  commands,
  hello,
  ownCommands,
} from "../../contract/meetings/commands.ts";
import type { ServerMessage } from "../../contract/meetings/socket.ts";
import { countedAddress } from "../access/throttle.ts";
import { nobody, openOrganization } from "../change/organization.ts";
import { isUnavailable, whyUnavailable } from "../db/errors.ts";
import type { SeatRow } from "../db/meeting-tables.ts";
import type { Database } from "../db/open.ts";
import { GUEST } from "../db/person-keys.ts";
import { Refusal, refusalOf, refuse, refuseField } from "../lib/refusal.ts";
import type { RunRules } from "../live/rules.ts";
import { currentSeatOf, entitled } from "../meetings/doors/current-seat.ts";
import {
  type Connected,
  connectSeat,
  disconnectSeat,
  mayConnect,
} from "../meetings/doors/presence.ts";
import { isReported, ownRules } from "../meetings/doors/take-part.ts";
import type { Hub } from "../meetings/socket/hub.ts";
import type { Client, Member } from "../meetings/socket/member.ts";
import { moderationRules } from "../meetings/socket/moderate.ts";
import { signalForCapture } from "../meetings/state/capture-signal.ts";
import { endedBy, type Message } from "../meetings/state/messages.ts";
import { isPerson, type PersonSeat } from "../meetings/state/persons.ts";
import {
  CHANGES,
  COMMANDS,
  openAllowance,
  QUALITIES,
  type Sender,
  SIGNALS,
} from "../meetings/state/rate.ts";
import { reasonOfTicket } from "../meetings/state/snapshot.ts";
import { recordingRules } from "../recordings/commands.ts";

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
const mayChange = openAllowance(CHANGES);
const mayReport = openAllowance(QUALITIES);
const maySignal = openAllowance(SIGNALS);
/** The commands that change something for everybody else. */
const CHANGING: ReadonlySet<CommandName> = new Set([
  "chat",
  "hand",
  "media",
  "present",
  "upgrade",
  "promote",
]);

/** Close codes (RFC 6455, 7.4); whether to come back is the client's decision. */
export const CLOSE = { done: 1000, refused: 4001, restart: 1012, tooMuch: 1013 } as const;

/** The parts of the service that sessions use. */
export interface SessionParts {
  readonly database: Database;
  readonly hub: Hub;
  /** What moderators do with live streams and transcriptions. */
  readonly runRules: RunRules;
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
const senderOf = ({ meeting, seat }: Connected, address: string): Sender => ({
  meetingId: meeting.id,
  person: seat.person,
  from: seat.person.startsWith(GUEST) ? countedAddress(address) : null,
});

/** Runs a command of a seat in one change. @returns the messages to deliver @throws Refusal */
const run = async (
  { database, runRules }: Pick<SessionParts, "database" | "runRules">,
  connected: Connected,
  name: Exclude<CommandName, "signal" | "beat">,
  input: unknown,
  address: string,
): Promise<readonly Message[]> => {
  // Before the change, which holds the organization's row: a flood must not begin any.
  if (name === "media" || !Object.hasOwn(ownCommands, name)) {
    const current = entitled(await currentSeatOf(database.read, connected), name);
    if (name === "media" && isReported(current, current.seat, input as never)) return [];
  }
  if (CHANGING.has(name) && !mayChange(senderOf(connected, address))) refuse("too_many_requests");
  if (name === "quality" && !mayReport(senderOf(connected, address))) refuse("too_many_requests");
  const {
    organizationId,
    meeting: { id: meetingId },
  } = connected;
  const messages: Message[] = [];
  const organization = openOrganization(database, organizationId, nobody, undefined, address);
  await organization.change(async (change) => {
    const current = await currentSeatOf(change.tx, connected);
    const { seat, meeting, room } = entitled(current, name);
    const inside = {
      change,
      meeting,
      room,
      by: seat.peer_name,
      // Not what they call themselves in the meeting: that may be somebody else's name.
      actor: { userId: seat.user_id, name: seat.account_name ?? seat.peer_name },
      tell: (seatId: string, message: ServerMessage) =>
        void messages.push({ meetingId, seatId, message }),
    };
    if (name in moderationRules) {
      await moderationRules[name as keyof typeof moderationRules](inside, input as never);
    } else if (name in runRules) {
      await runRules[name as keyof RunRules](inside, input as never);
    } else if (name in recordingRules) {
      const by = { ...inside.actor, automatic: false };
      await recordingRules[name as keyof typeof recordingRules](inside, input as never, by);
    } else {
      await ownRules[name as keyof typeof ownRules](inside, personOf(seat), input as never);
    }
  });
  return messages;
};

/** The seat of a person. Captures only receive. @throws Refusal `not_in_this_room` */
const personOf = (seat: SeatRow): PersonSeat =>
  isPerson(seat) ? seat : refuse("not_in_this_room");

/** The input of a command. @throws Refusal `invalid_input` */
const inputOf = (name: CommandName, raw: unknown): unknown => {
  const schema: z.ZodType = commands[name];
  const { success, data, error } = schema.safeParse(raw);
  if (success) return data;
  throw refusalOf(error.issues);
};

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);

/**
 * Serves one meeting socket.
 *
 * @returns once the socket has closed and the seat is kept for its person
 */
export const serveSession = (
  socket: WebSocket,
  parts: SessionParts,
  { address, mayCall, onEntered }: Client,
): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { database, hub, processId, onError } = parts;
  let connected: Connected | undefined;
  let heard = performance.now();
  /** Counted instead of the time: while this process stands still, no browser is silent. */
  let unanswered = 0;
  const hear = (): void => {
    heard = performance.now();
    unanswered = 0;
  };
  /** How long the browser had been silent when the socket was terminated; otherwise 0. */
  let silentMs = 0;
  let queue: Promise<unknown> = Promise.resolve();
  /** Messages in the queue. */
  let waiting = 0;
  let hasLostSignals = false;

  const send = (message: ServerMessage): void => {
    if (message.type === "signal" && socket.bufferedAmount > UNREAD_SIGNALS) {
      hasLostSignals = true;
      return;
    }
    if (socket.bufferedAmount > UNREAD_BYTES) socket.close(CLOSE.tooMuch);
    else if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  };
  const giveUp = (lost: Connected): Promise<void> =>
    disconnectSeat(database, lost, silentMs, (cause) =>
      onError(new Error("The end of a connection is stored later.", { cause })),
    );
  const member = ({ seat, connection }: Connected): Member => ({
    seatId: seat.id,
    connection,
    ticketDigest: seat.ticket_digest,
    send,
    forCapture: (data) => signalForCapture(data, mayCall),
    close: () => socket.close(CLOSE.done),
    drop: () => socket.close(CLOSE.restart),
  });
  let self: Member | undefined;

  const enter = async (raw: unknown): Promise<void> => {
    // An earlier message was refused, or the browser is gone.
    if (socket.readyState !== socket.OPEN) return;
    const { data } = hello.safeParse(raw);
    if (data && !(await mayConnect(database, data.ticket))) return socket.close(CLOSE.tooMuch);
    connected = data && (await connectSeat(database, data.ticket, processId));
    if (!connected) {
      const reason = data && (await reasonOfTicket(database.read, data.ticket));
      send(reason ? endedBy(reason) : endedBy("left", "ticket_ended"));
      return socket.close(CLOSE.refused);
    }
    self = member(connected);
    // If the socket has closed meanwhile, nobody else would give the seat up.
    if (socket.readyState !== socket.OPEN) return giveUp(connected);
    hub.add(connected.meeting.id, self);
    onEntered();
  };

  const obey = async (raw: unknown): Promise<void> => {
    const { data } = command.safeParse(raw);
    if (!connected || !data) return socket.close(CLOSE.refused);
    let messages: readonly Message[] = [];
    try {
      if (!mayPass(senderOf(connected, address))) refuse("too_many_requests");
      const { do: name } = data;
      if (!isCommand(name)) return refuseField("do", "not_command");
      const input = inputOf(name, raw);
      if (name === "signal") {
        const { to, data: text } = input as z.output<typeof commands.signal>;
        if (connected.meeting.media !== "direct") refuse("not_in_this_room");
        const bytes = Buffer.byteLength(text);
        if (!maySignal(senderOf(connected, address), bytes)) refuse("too_many_requests");
        if (!hub.signal(connected.meeting.id, connected.seat.id, to, text))
          refuse("peer_not_found");
      } else if (name !== "beat") {
        messages = await run(parts, connected, name, input, address);
      }
      send({ type: "reply", id: data.id, ok: true });
    } catch (error) {
      send({ type: "reply", id: data.id, ok: false, ...failureOf(error, onError) });
    }
    // After the reply, because one of them may end this very socket.
    hub.deliver(messages);
  };

  const late = setTimeout(() => socket.close(CLOSE.refused), HELLO_MS);
  const pinging = setInterval(() => {
    if (unanswered < MOST_UNANSWERED) {
      if (hasLostSignals && socket.bufferedAmount <= UNREAD_SIGNALS) {
        hasLostSignals = false;
        send({ type: "signalsLost" });
      }
      unanswered += 1;
      return socket.ping();
    }
    silentMs = performance.now() - heard;
    socket.terminate();
  }, PING_MS);
  socket.on("pong", hear);
  socket.on("message", (data) => {
    // Messages still arrive until the browser has closed the socket too.
    if (socket.readyState !== socket.OPEN) return;
    hear();
    clearTimeout(late);
    if (waiting >= (self ? COMMANDS.burst : EARLY)) return socket.terminate();
    let raw: unknown;
    try {
      raw = JSON.parse(String(data));
    } catch {
      return socket.close(CLOSE.refused);
    }
    // One at a time, so that commands take effect in the order in which they were sent.
    waiting += 1;
    queue = queue
      .then(() => (self ? obey(raw) : enter(raw)))
      .catch((error: unknown) => {
        onError(error);
        // Without a seat on this socket: the browser is to try again.
        if (!self) socket.close(CLOSE.restart);
      })
      .finally(() => {
        waiting -= 1;
      });
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    clearTimeout(late);
    clearInterval(pinging);
    queue = queue
      .then(async () => {
        if (!connected || !self) return;
        hub.remove(connected.meeting.id, self);
        await giveUp(connected);
      })
      .catch(onError)
      .finally(resolve);
  });
  return promise;
};
