import {
  SignalRequest,
  SignalResponse,
  TrackSource,
  TrackType,
  UpdateSubscription,
} from "@livekit/protocol";
import type { Page, WebSocketRoute } from "playwright-core";

/** Changes of one modified page in addition to those of all modified pages. */
interface Changes {
  /** It calls its camera a microphone, by its source and its kind. */
  readonly mislabels?: boolean;
}

/** A page modified by its user, so that it obeys nothing: its socket messages are rewritten. */
export interface Patched {
  /** Modifies a page, before it is opened. */
  install(page: Page): Promise<void>;
  /** Everything that its sockets received since `forget`, as text. */
  heard(): string;
  forget(): void;
  /** The tracks that the media engine has announced to it. */
  readonly tracks: ReadonlySet<string>;
  /** Requests tracks from the media engine, whether announced or not. */
  subscribe(tracks: Iterable<string>): void;
  /** Closes its signaling with the media engine for good. What it receives continues. */
  hangUp(): void;
}

const everything = { audio: true, video: true, share: true, chat: true, presenterOnly: false };

/** Rewrites a message of the meeting socket so that it allows everything. */
const allowing = (text: string): string => {
  const message = JSON.parse(text);
  const { allowed } = message;
  return allowed ? JSON.stringify({ ...message, allowed: { ...allowed, ...everything } }) : text;
};

/**
 * Rewrites a message of the media engine so that everybody may publish everything; records the tracks in it.
 */
const granting = (bytes: Buffer, tracks: Set<string>): Buffer => {
  const response = SignalResponse.fromBinary(bytes);
  const { case: kind, value } = response.message;
  const people =
    kind === "join"
      ? [...(value.participant ? [value.participant] : []), ...value.otherParticipants]
      : kind === "update"
        ? value.participants
        : [];
  for (const { permission, tracks: theirs } of people) {
    for (const { sid } of theirs) tracks.add(sid);
    if (permission === undefined) continue;
    permission.canPublish = true;
    permission.canPublishSources = [];
  }
  return people.length > 0 ? Buffer.from(response.toBinary()) : bytes;
};

const mislabeled = (bytes: Buffer): Buffer => {
  const request = SignalRequest.fromBinary(bytes);
  const { case: kind, value } = request.message;
  if (kind !== "addTrack" || value.type !== TrackType.VIDEO) return bytes;
  value.source = TrackSource.MICROPHONE;
  value.type = TrackType.AUDIO;
  value.simulcastCodecs = [];
  value.layers = [];
  return Buffer.from(request.toBinary());
};

export const patchedPage = ({ mislabels = false }: Changes = {}): Patched => {
  let heard: string[] = [];
  const tracks = new Set<string>();
  let engine: WebSocketRoute | undefined;
  let hasHungUp = false;
  return {
    install: (page) =>
      page.routeWebSocket(/\/api\/meeting\//, (client) => {
        const isEngine = client.url().includes("/rtc/");
        // It is open then, but nobody answers.
        if (isEngine && hasHungUp) return;
        const server = client.connectToServer();
        if (isEngine) engine = server;
        server.onMessage((message) => {
          heard.push(message.toString("latin1"));
          client.send(typeof message === "string" ? allowing(message) : granting(message, tracks));
        });
        client.onMessage((message) =>
          server.send(mislabels && typeof message !== "string" ? mislabeled(message) : message),
        );
      }),
    heard: () => heard.join("\n"),
    forget: () => {
      heard = [];
    },
    tracks,
    subscribe: (trackSids) => {
      const value = new UpdateSubscription({ trackSids: [...trackSids], subscribe: true });
      const request = new SignalRequest({ message: { case: "subscription", value } });
      engine?.send(Buffer.from(request.toBinary()));
    },
    hangUp: () => {
      hasHungUp = true;
      void engine?.close();
    },
  };
};
