import { WebSocket } from "ws";
import type { CommandName, Commands } from "../../contract/meetings/commands.ts";
import type { PeerType } from "../../contract/meetings/meetings.ts";
import type { ChatMessage, Peer, ServerMessage, View } from "../../contract/meetings/socket.ts";
import type { Ask } from "../world/ask.ts";
import type { Scope } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import { asPromised } from "./as-promised.ts";

type Reply = Extract<ServerMessage, { readonly type: "reply" }>;
type Ended = Extract<ServerMessage, { readonly type: "ended" }>;

/** A person with a meeting socket, and their view so far. */
export interface Somebody {
  readonly peerId: string;
  readonly ticket: string;
  /** All messages, in order. */
  readonly messages: readonly ServerMessage[];
  /** The person's current view; undefined before `welcome`. */
  readonly view: View | undefined;
  readonly chat: readonly ChatMessage[];
  readonly ended: Ended | undefined;
  /** The code with which the socket was closed. */
  readonly closed: number | undefined;
  /** Names of the others, in order. */
  names(): string[];
  /** Sends a command. @returns "ok", or the code of its failure */
  do<K extends CommandName>(name: K, input?: Commands[K]): Promise<string>;
  /** Waits until the person's view satisfies a condition. */
  sees(what: string, holds: (view: View) => boolean): Promise<void>;
  /** Cuts the connection, as a network does. */
  cut(): void;
  /** Reads nothing until `resume`. */
  pause(): void;
  resume(): void;
}

/** Merges a message into a person's view, as a page does. */
const merged = (view: View | undefined, message: ServerMessage): View | undefined => {
  if (message.type === "welcome") {
    const { type, media, chat, ...whole } = message;
    return whole;
  }
  if (!view) return view;
  if (message.type === "changed") {
    const { type, ...parts } = message;
    return { ...view, ...parts } as View;
  }
  if (message.type !== "peers") return view;
  const gone = new Set([...message.gone, ...message.changed.map(({ peerId }) => peerId)]);
  return {
    ...view,
    peers: [...view.peers.filter((p: Peer) => !gone.has(p.peerId)), ...message.changed],
  };
};

/**
 * Opens the meeting socket of a ticket. Each message is compared with the contract.
 *
 * @param url of the service, which may be another process than the one that issued the ticket
 * @param autoPong false: it answers no ping, as if its network were dead
 */
export const openSocket = async (
  t: Scope,
  url: string,
  {
    ticket,
    peerId = "",
    autoPong = true,
  }: { readonly ticket: string; readonly peerId?: string; readonly autoPong?: boolean },
): Promise<Somebody> => {
  const address = `${url.replace(/^http/, "ws")}/api/meeting/socket`;
  const socket = new WebSocket(address, { autoPong });
  t.after(() => socket.terminate());
  const messages: ServerMessage[] = [];
  const waiting = new Map<number, (reply: Reply) => void>();
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => {});
  let view: View | undefined;
  let chat: readonly ChatMessage[] = [];
  let closed: number | undefined;
  let sent = 0;
  socket.on("message", (data) => {
    const message = asPromised(String(data));
    messages.push(message);
    view = merged(view, message);
    if (message.type === "welcome") chat = message.chat;
    if (message.type === "chat") chat = [...chat, ...message.messages];
    if (message.type === "reply") waiting.get(message.id)?.(message);
  });
  socket.on("close", (code) => {
    closed = code;
    lost.reject(new Error(`Closed with ${code} after ${JSON.stringify(messages.at(-1))}`));
  });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  socket.send(JSON.stringify({ ticket }));
  const somebody: Somebody = {
    peerId,
    ticket,
    messages,
    get view() {
      return view;
    },
    get chat() {
      return chat;
    },
    get ended() {
      return messages.find((message): message is Ended => message.type === "ended");
    },
    get closed() {
      return closed;
    },
    names: () => (view?.peers ?? []).map(({ peerName }) => peerName).toSorted(),
    async do(name, input) {
      sent += 1;
      const id = sent;
      const reply = new Promise<Reply>((resolve) => waiting.set(id, resolve));
      socket.send(JSON.stringify({ id, do: name, ...input }));
      const answer = await Promise.race([reply, lost.promise]);
      return answer.ok ? "ok" : answer.code;
    },
    sees: async (what, holds) => void (await until(what, () => view !== undefined && holds(view))),
    cut: () => socket.terminate(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  };
  return somebody;
};

/** How a person enters. */
export interface Entry {
  readonly peerName?: string;
  readonly peerType?: PeerType;
  readonly password?: string;
  /** An invitation. */
  readonly sessionToken?: string;
  /** A guest's cookies, from an earlier answer. */
  readonly cookie?: string;
}

/**
 * Takes a seat and opens its socket; waits for `welcome`, or for the lobby.
 *
 * @param ask sends requests for the person who enters: with a token, or without one for a guest
 * @param roomId the room ID, or for a guest the code of its link
 */
export const enter = async (
  t: Scope,
  { url, ask }: { readonly url: string; readonly ask: Ask },
  roomId: string,
  { cookie, ...entry }: Entry = {},
): Promise<Somebody> => {
  const { status, body } = await ask(
    "joinRoom",
    { roomId, ...entry },
    cookie === undefined ? {} : { cookie },
  );
  if (status > 202) throw new Error(`joinRoom answered ${status}: ${JSON.stringify(body)}`);
  const somebody = await openSocket(t, url, { ticket: body.ticket, peerId: body.peer.peerId });
  await until("the socket is welcomed", () => somebody.messages.length > 0);
  return somebody;
};

/** The code of a room's link. */
export const linkOf = async (ask: Ask, roomId: string): Promise<string> =>
  (await ask("getRoomLink", { roomId })).body.code;
