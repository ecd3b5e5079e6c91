import type {
  ChatMessage,
  CommandName,
  Commands,
  EndCode,
  EndReason,
  MeetingPeer,
  MeetingView,
  ServerMessage,
} from "./calls.ts";
import { ParleyError } from "./failure.ts";

/*
 * The meeting socket: reconnects by itself, with the same ticket, until the seat has ended, and keeps what its
 * person sees. The page of a meeting stands on it, and so does what others build.
 */

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
/** After so long without a connection it is seen whether only the WebSocket is held back. */
const BLOCKED = 5_000;
/** A connection or a command without an answer for so long is lost. */
const SILENCE = 10_000;
/** How often a sign of life is asked for, which detects a dead connection. */
const BEAT = 15_000;

/** A message of the service, except the replies to commands. */
export type MeetingMessage = Exclude<ServerMessage, { readonly type: "reply" }>;

/** The state of the socket. Commands can be sent while it is connected; a lost connection is opened again. */
export type MeetingConnectionState = "connecting" | "connected" | "lost" | "ended";

/**
 * Why it is over: the service's reason with its text, or one of the client's own. unreachable: the connection
 * could not be opened again while the seat was kept; blocked: requests reach the service, WebSockets do not;
 * disconnected: by `disconnect`.
 */
export type MeetingEnd =
  | {
      readonly reason: EndReason;
      readonly code?: EndCode | (string & {});
      readonly message: string;
    }
  | { readonly reason: "unreachable" | "blocked" | "disconnected"; readonly message: string };

/** The part of a WebSocket that the client uses. */
interface Wire {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(data: string): void;
  close(): void;
}

export interface MeetingOptions {
  /** The ticket of the seat, as joinRoom answered it. */
  readonly ticket: string;
  /** The path of the meeting socket, as joinRoom answered it. */
  readonly socket: string;
  /** The service's address; by default that of the page. */
  readonly baseUrl?: string;
  /** Each message, and what the person sees after it; undefined before the door. */
  readonly onMessage?: (message: MeetingMessage, view: MeetingView | undefined) => void;
  /**
   * New messages of the chat, each once and in order, also those that came while the connection was lost.
   * Earlier ones are in `chat`.
   */
  readonly onChat?: (messages: readonly ChatMessage[]) => void;
  readonly onState?: (state: MeetingConnectionState) => void;
  /** A WebSocket; by default that of the browser, of Deno, Bun or Node 22. For Node 20 that of `ws`. */
  readonly WebSocket?: new (
    address: string,
  ) => Wire;
  readonly fetch?: typeof globalThis.fetch;
}

/** A person's connection with a meeting. */
export interface MeetingConnection {
  readonly state: MeetingConnectionState;
  /** The person's current view; undefined before the door. */
  readonly view: MeetingView | undefined;
  /** The messages of the chat that the person may read. */
  readonly chat: readonly ChatMessage[];
  /** Resolves once it is over. */
  readonly ended: Promise<MeetingEnd>;
  /**
   * Sends a command.
   *
   * @throws ParleyError with the service's refusal; TypeError when the connection is lost
   */
  readonly send: <K extends CommandName>(name: K, input: Commands[K]) => Promise<void>;
  /** Gives the seat back, and ends. */
  readonly leave: () => Promise<void>;
  /** Ends without giving the seat back: it is kept for a while. */
  readonly disconnect: () => void;
  /** Tries at once: the network is back, or the machine has slept. */
  readonly wake: () => void;
}

/**
 * The people inside after some came or changed and others left; those who have been inside longest first.
 */
const mergePeers = (
  before: readonly MeetingPeer[],
  changed: readonly MeetingPeer[],
  gone: readonly string[],
): MeetingPeer[] => {
  const byId = new Map(before.map((peer) => [peer.peerId, peer]));
  for (const peerId of gone) byId.delete(peerId);
  for (const peer of changed) byId.set(peer.peerId, peer);
  return [...byId.values()];
};

/** This person's view after a message; undefined before the first welcome. */
export const seenAfter = (
  view: MeetingView | undefined,
  message: MeetingMessage,
): MeetingView | undefined => {
  if (message.type === "welcome") {
    const { type: _, media: __, chat: ___, ...whole } = message;
    return whole;
  }
  if (view === undefined) return undefined;
  if (message.type === "peers") {
    return { ...view, peers: mergePeers(view.peers, message.changed, message.gone) };
  }
  if (message.type !== "changed") return view;
  const { type: _, ...parts } = message;
  return { ...view, ...parts };
};

/** The messages that came after the last known one. */
export const newerThan = (
  known: readonly ChatMessage[],
  all: readonly ChatMessage[],
): readonly ChatMessage[] => {
  const last = known.at(-1)?.number ?? 0;
  return all.filter(({ number }) => number > last);
};

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

const here = (): string | undefined =>
  (globalThis as { readonly location?: { readonly href: string } }).location?.href;

/** Opens the connection of a ticket, and opens it again after each loss. */
class Connection implements MeetingConnection {
  readonly #options: MeetingOptions;
  readonly #address: URL;
  readonly #WebSocket: NonNullable<MeetingOptions["WebSocket"]>;
  readonly #pending = new Map<number, Pending>();
  readonly #looking: ReturnType<typeof setInterval>;
  readonly #beating: ReturnType<typeof setInterval>;
  readonly ended: Promise<MeetingEnd>;
  #resolve: (end: MeetingEnd) => void = () => {};
  #wire: Wire | undefined;
  #state: MeetingConnectionState = "connecting";
  #view: MeetingView | undefined;
  #chat: readonly ChatMessage[] | undefined;
  #wasOpen = false;
  #connectedAt = 0;
  #lostAt = performance.now();
  #tries = 0;
  #lastId = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: MeetingOptions) {
    this.#options = options;
    this.#address = new URL(options.socket, options.baseUrl || here());
    const known = options.WebSocket ?? globalThis.WebSocket;
    if (known === undefined)
      throw new TypeError("There is no WebSocket here: give one as an option.");
    this.#WebSocket = known;
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    // First: an address that WebSocket refuses leaves nothing running.
    this.#connect();
    this.#looking = setInterval(() => void this.#look(), BLOCKED);
    this.#beating = setInterval(() => this.#beat(), BEAT);
  }

  get state(): MeetingConnectionState {
    return this.#state;
  }

  get view(): MeetingView | undefined {
    return this.#view;
  }

  get chat(): readonly ChatMessage[] {
    return this.#chat ?? [];
  }

  readonly send: MeetingConnection["send"] = (name, input) => {
    const wire = this.#wire;
    if (this.#state !== "connected" || wire === undefined) {
      return Promise.reject(new TypeError("The connection is lost"));
    }
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => wire === this.#wire && this.#drop(), SILENCE);
      this.#pending.set(id, { resolve, reject, timer });
      wire.send(JSON.stringify({ ...input, id, do: name }));
    });
  };

  readonly leave = async (): Promise<void> => {
    if (this.#state === "ended") return;
    await this.send("leave", {}).catch(() => this.#giveBack());
    this.#stop({ reason: "left", message: "You have left the meeting." });
  };

  readonly disconnect = (): void =>
    this.#stop({ reason: "disconnected", message: "The connection was closed here." });

  readonly wake = (): void => {
    if (this.#state === "connected") this.#beat();
    else if (this.#wire === undefined && this.#state !== "ended") {
      this.#tries = 0;
      this.#connect();
    }
  };

  /** Gives the seat back by a request, where no command can be sent. */
  async #giveBack(): Promise<void> {
    const { fetch = globalThis.fetch, ticket } = this.#options;
    await fetch(new URL("leaveRoom", this.#address), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ticket }),
      signal: AbortSignal.timeout(SILENCE),
    }).catch(() => {});
  }

  #beat(): void {
    if (this.#state === "connected") void this.send("beat", {}).catch(() => {});
  }

  #is(state: MeetingConnectionState): void {
    this.#state = state;
    this.#options.onState?.(state);
  }

  #forget(): void {
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(new TypeError("The connection is lost"));
    }
    this.#pending.clear();
  }

  #stop(end: MeetingEnd): void {
    if (this.#state === "ended") return;
    clearTimeout(this.#timer);
    clearInterval(this.#looking);
    clearInterval(this.#beating);
    this.#is("ended");
    this.#forget();
    const wire = this.#wire;
    this.#wire = undefined;
    wire?.close();
    this.#resolve(end);
  }

  /** The connection is gone: plans the next attempt, if the seat may still be there. */
  #lose(): void {
    if (this.#state === "ended") return;
    clearTimeout(this.#timer);
    this.#forget();
    const wasConnected = this.#state === "connected";
    if (wasConnected) {
      this.#lostAt = performance.now();
      if (this.#lostAt - this.#connectedAt >= STEADY) this.#tries = 0;
    }
    const wait = WAITS[this.#tries] ?? LAST_WAIT;
    this.#tries += 1;
    if (performance.now() - this.#lostAt + wait > PATIENCE) {
      this.#stop({ reason: "unreachable", message: "The service could not be reached." });
      return;
    }
    this.#timer = setTimeout(() => this.#connect(), wait);
    // Last: the program may end the connection, or wake it, when it hears this.
    if (wasConnected) this.#is("lost");
  }

  /** Closes the current connection, whatever state it reports. */
  #drop(): void {
    const old = this.#wire;
    this.#wire = undefined;
    old?.close();
    this.#lose();
  }

  #connect(): void {
    clearTimeout(this.#timer);
    const address = new URL(this.#address);
    address.protocol = address.protocol.replace("http", "ws");
    const wire: Wire = new this.#WebSocket(address.href);
    this.#wire = wire;
    this.#timer = setTimeout(() => this.#drop(), SILENCE);
    wire.onopen = () => {
      this.#wasOpen = true;
      wire.send(JSON.stringify({ ticket: this.#options.ticket }));
    };
    wire.onmessage = ({ data }: { readonly data: unknown }) => {
      if (wire === this.#wire) this.#take(JSON.parse(String(data)));
    };
    // A close follows.
    wire.onerror = () => {};
    wire.onclose = () => {
      if (wire !== this.#wire) return;
      this.#wire = undefined;
      this.#lose();
    };
  }

  #take(message: ServerMessage): void {
    if (message.type === "reply") {
      const asked = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      clearTimeout(asked?.timer);
      if (message.ok) asked?.resolve();
      else asked?.reject(refusalOf(message));
      return;
    }
    const isFirst = message.type === "welcome" || message.type === "lobby";
    if (isFirst && this.#state !== "connected") {
      this.#connectedAt = performance.now();
      clearTimeout(this.#timer);
      this.#is("connected");
    }
    if (message.type === "ended") {
      const { type: _, ...end } = message;
      this.#stop(end);
    }
    this.#view = seenAfter(this.#view, message);
    const fresh = this.#written(message);
    this.#options.onMessage?.(message, this.#view);
    if (fresh.length > 0) this.#options.onChat?.(fresh);
  }

  /** Keeps the messages of the chat. @returns those that are new to the program */
  #written(message: MeetingMessage): readonly ChatMessage[] {
    if (message.type === "chat") {
      this.#chat = [...this.chat, ...message.messages];
      return message.messages;
    }
    if (message.type !== "welcome") return [];
    const before = this.#chat;
    this.#chat = message.chat;
    return before === undefined ? [] : newerThan(before, message.chat);
  }

  /** Checks whether a plain request is answered where the socket is: then only WebSockets are blocked. */
  async #look(): Promise<void> {
    if (this.#wasOpen) return clearInterval(this.#looking);
    const { fetch = globalThis.fetch } = this.#options;
    const isReached = await fetch(this.#address, {
      cache: "no-store",
      signal: AbortSignal.timeout(SILENCE),
    }).then(
      ({ status }) => status === 426,
      () => false,
    );
    if (isReached && !this.#wasOpen) {
      this.#stop({ reason: "blocked", message: "No WebSocket reaches the service." });
    }
  }
}

/**
 * Connects with a meeting, by what joinRoom answered: typed messages and commands, and a connection that is opened
 * again until the seat has ended. For Node, Deno, Bun and browsers.
 *
 * @throws TypeError where there is no WebSocket
 * @example
 * const seat = await parley.joinRoom({ roomId: code, peerName: "Greeter" });
 * const meeting = connectMeeting({
 *   baseUrl,
 *   ...seat,
 *   onChat: (messages) => console.log(messages.map(({ text }) => text)),
 * });
 * const { reason } = await meeting.ended;
 */
export const connectMeeting = (options: MeetingOptions): MeetingConnection =>
  new Connection(options);
