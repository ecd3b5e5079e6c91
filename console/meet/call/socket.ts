import type { CommandName, Commands } from "../../../contract/meetings/commands.ts";
import type { ServerMessage } from "../../../contract/meetings/socket.ts";
import { ParleyError } from "../../kit/client.ts";
import { onAwake } from "./again.ts";

/** The pauses before each reconnection attempt after a lost connection, in milliseconds. */
const WAITS = [0, 300, 1_200, 2_700, 4_800] as const;
const LAST_WAIT = 7_000;
/**
 * A connection that lived this long is reconnected at once. Longer than any pause: if two pages share a
 * ticket, each ends the other's connection, and neither may do so without a pause.
 */
const STEADY = 2 * LAST_WAIT;
/** As long as the service keeps seats after a restart: later the person enters again. */
const PATIENCE = 44_000;
/** After so long without a connection the page looks whether only the WebSocket is held back. */
const BLOCKED = 5_000;
/** A connection or a command without an answer for so long is lost. */
const SILENCE = 10_000;

/** blocked: requests reach the service, but this connection has never opened. */
export type SocketState = "connected" | "lost" | "given up" | "blocked";

export interface SocketOptions {
  /** The path that joinRoom answered. */
  readonly path: string;
  readonly ticket: string;
  readonly onMessage: (message: ServerMessage) => void;
  readonly onState: (state: SocketState) => void;
}

/** The meeting socket: reconnects by itself, with the same ticket, until the seat has ended. */
export interface MeetingSocket {
  /**
   * Sends a command.
   *
   * @throws ParleyError with the service's refusal; TypeError when the connection is lost
   */
  readonly send: <K extends CommandName>(name: K, input: Commands[K]) => Promise<void>;
  /** Whether a command can be sent now. */
  readonly isOpen: () => boolean;
  readonly close: () => void;
}

interface Pending {
  readonly resolve: () => void;
  readonly reject: (failure: unknown) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

const refusalOf = ({ code, message, errors }: Extract<ServerMessage, { ok: false }>): ParleyError =>
  new ParleyError(message, {
    code,
    status: 409,
    errors: errors ?? [],
    retryAfter: undefined,
    requestId: undefined,
  });

/** Whether the service answers a request at the path of the socket: then nothing but WebSockets is held back. */
const isReached = (path: string): Promise<boolean> =>
  fetch(path, { cache: "no-store" }).then(
    ({ status }) => status === 426,
    () => false,
  );

export const openSocket = ({ path, ticket, onMessage, onState }: SocketOptions): MeetingSocket => {
  const address = new URL(path, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const pending = new Map<number, Pending>();
  let socket: WebSocket | undefined;
  let isConnected = false;
  let wasOpen = false;
  let isOver = false;
  let connectedAt = 0;
  let lostAt = performance.now();
  let tries = 0;
  let lastId = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const forget = (): void => {
    for (const { reject, timer: own } of pending.values()) {
      clearTimeout(own);
      reject(new TypeError("The connection is lost"));
    }
    pending.clear();
  };

  const stop = (): void => {
    isOver = true;
    isConnected = false;
    clearTimeout(timer);
    clearInterval(looking);
    unlisten();
    forget();
    socket?.close();
  };

  const lose = (): void => {
    if (isOver) return;
    clearTimeout(timer);
    forget();
    if (isConnected) {
      isConnected = false;
      lostAt = performance.now();
      if (lostAt - connectedAt >= STEADY) tries = 0;
      onState("lost");
    }
    const wait = WAITS[tries] ?? LAST_WAIT;
    tries += 1;
    if (performance.now() - lostAt + wait > PATIENCE) {
      stop();
      onState("given up");
      return;
    }
    timer = setTimeout(connect, wait);
  };

  const take = (message: ServerMessage): void => {
    if (message.type === "reply") {
      const asked = pending.get(message.id);
      pending.delete(message.id);
      clearTimeout(asked?.timer);
      if (message.ok) asked?.resolve();
      else asked?.reject(refusalOf(message));
      return;
    }
    if (message.type === "ended") stop();
    else if (!isConnected && (message.type === "welcome" || message.type === "lobby")) {
      isConnected = true;
      connectedAt = performance.now();
      clearTimeout(timer);
      onState("connected");
    }
    onMessage(message);
  };

  /** Closes the current connection, whatever state the browser reports. */
  const drop = (): void => {
    const old = socket;
    socket = undefined;
    old?.close();
    lose();
  };

  const connect = (): void => {
    clearTimeout(timer);
    const mine = new WebSocket(address);
    socket = mine;
    timer = setTimeout(drop, SILENCE);
    mine.onopen = () => {
      wasOpen = true;
      mine.send(JSON.stringify({ ticket }));
    };
    mine.onmessage = ({ data }) => {
      if (mine === socket) take(JSON.parse(data));
    };
    mine.onclose = () => {
      if (mine !== socket) return;
      socket = undefined;
      lose();
    };
  };

  const send: MeetingSocket["send"] = (name, input) => {
    const current = socket;
    if (!isConnected || current === undefined) {
      return Promise.reject(new TypeError("The connection is lost"));
    }
    lastId += 1;
    const id = lastId;
    return new Promise<void>((resolve, reject) => {
      const own = setTimeout(() => current === socket && drop(), SILENCE);
      pending.set(id, { resolve, reject, timer: own });
      current.send(JSON.stringify({ ...input, id, do: name }));
    });
  };

  /** The next attempt need not wait; a connection may have died meanwhile, as in a sleep. */
  const hurry = (): void => {
    if (isConnected) void send("beat", {}).catch(() => {});
    else if (socket === undefined) {
      tries = 0;
      connect();
    }
  };

  const look = async (): Promise<void> => {
    if (wasOpen || !(await isReached(path)) || wasOpen || isOver) return;
    stop();
    onState("blocked");
  };

  const unlisten = onAwake(hurry);
  const looking = setInterval(() => void look(), BLOCKED);
  connect();

  return { send, isOpen: () => isConnected, close: stop };
};
