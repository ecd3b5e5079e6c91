import assert from "node:assert/strict";
import type { ServerMessage } from "../../contract/meeting-socket.ts";

/** Any answer of a service, as the senders of the tests give it. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly body: any;
}
export type Send = (
  request: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** A meeting socket, as a browser has one. */
export interface Line {
  /** Waits for a message of this type: one that came since the last wait, or comes. */
  next<T extends ServerMessage["type"]>(
    type: T,
  ): Promise<Extract<ServerMessage, { readonly type: T }>>;
  send(message: object): void;
  /** Closes it, as a closed tab does. */
  close(): Promise<void>;
}

/** Opens the meeting socket with a ticket. */
export const openLine = async (url: string, ticket: string): Promise<Line> => {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/api/meeting/socket`);
  const came: ServerMessage[] = [];
  const waiting = new Set<() => void>();
  const closed = new Promise<void>((resolve) => socket.addEventListener("close", () => resolve()));
  socket.addEventListener("message", ({ data }) => {
    came.push(JSON.parse(String(data)));
    for (const look of waiting) look();
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error("The socket did not open.")));
  });
  socket.send(JSON.stringify({ ticket }));
  return {
    next: (type) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const at = came.findIndex((message) => message.type === type);
          if (at === -1) return;
          waiting.delete(look);
          resolve(came.splice(at, 1)[0] as never);
        };
        waiting.add(look);
        look();
        void closed.then(() => {
          look();
          if (waiting.delete(look)) reject(new Error(`The socket closed without ${type}.`));
        });
      }),
    send: (message) => socket.send(JSON.stringify(message)),
    async close() {
      socket.close();
      await closed;
    },
  };
};

/** Somebody with a seat. */
export interface Seated {
  readonly peerId: string;
  readonly peerType: string;
  readonly ticket: string;
  /** Set once somebody has connected. */
  readonly line: Line;
  leave(): Promise<void>;
}

/** Takes a seat, and opens the socket: the person is inside once this resolves. */
export const enter = async (
  { url, send }: { readonly url: string; readonly send: Send },
  asked: object,
): Promise<Seated> => {
  const { status, body } = await send("POST /api/meeting/joinRoom", asked);
  assert.equal(status, 200, JSON.stringify(body));
  const line = await openLine(url, body.ticket);
  await line.next("welcome");
  return {
    ...{ peerId: body.peer.peerId, peerType: body.peer.peerType, ticket: body.ticket, line },
    async leave() {
      const left = await send("POST /api/meeting/leaveRoom", { ticket: body.ticket });
      assert.equal(left.status, 200);
      await line.close();
    },
  };
};

/** An access key, whose application invites people. */
export interface Inviter {
  readonly accessKey: string;
  readonly secretAccessKey: string;
}

/** Lets a person enter whom an application has invited: the same name is the same person. */
export const enterInvited = async (
  at: { readonly url: string; readonly send: Send },
  inviter: Inviter,
  roomId: string,
  person: string,
  peerType = "participant",
): Promise<Seated> => {
  const asked = { ...inviter, roomId, peerId: person, peerName: person, peerType };
  const { accessKey, secretAccessKey } = asked;
  const invited = await at.send("POST /api/siteSetting/sessionToken", {
    ...{ accessKey, secretAccessKey, roomId, peerId: person, peerName: person, peerType },
  });
  assert.equal(invited.status, 201, JSON.stringify(invited.body));
  return enter(at, { roomId, sessionToken: invited.body.sessionToken });
};
