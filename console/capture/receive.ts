import type { MeetingMessage } from "../../contract/meeting-client.ts";
import type { CaptureOrder } from "../../contract/meetings/capture-socket.ts";
import type { EndReason, ServerMessage, View } from "../../contract/meetings/socket.ts";
import { createStore, type Store } from "../kit/store.ts";
import { adapterFor } from "../meet/call/adapter.ts";
import { openSocket } from "../meet/call/again.ts";
import type { MediaAdapter, Received } from "../meet/call/media.ts";
import { watchSpeaking } from "../meet/call/speaking.ts";

/** The media of a meeting that a capture receives. */
export interface Arriving {
  readonly view: View | undefined;
  readonly people: ReadonlyMap<string, Received>;
  readonly speaking: ReadonlySet<string>;
}

export interface Reception extends Pick<Store<Arriving>, "get" | "subscribe"> {
  readonly close: () => void;
}

interface Listeners {
  /** Called once, when the meeting has loaded. */
  readonly onInside: () => void;
  readonly onEnd: (why: "over" | "lost") => void;
}

/** Why a capture's seat ends when nobody is in the meeting any more. */
const isOver = (reason: EndReason): boolean =>
  reason === "closed" || reason === "room_deleted" || reason === "left";

/** Joins a meeting with a capture's ticket, and receives without sending. */
export const receive = (
  { socket: path, ticket }: CaptureOrder,
  { onInside, onEnd }: Listeners,
): Reception => {
  const store = createStore<Arriving>({ view: undefined, people: new Map(), speaking: new Set() });
  let isOpening = false;
  let adapter: MediaAdapter | undefined;
  let stopWatching: (() => void) | undefined;

  const openMedia = async (
    { media }: Extract<ServerMessage, { type: "welcome" }>,
    view: View,
  ): Promise<void> => {
    const opened = await adapterFor({
      media,
      ticket,
      view,
      signal: (to, data) => socket.send("signal", { to, data }),
      onChange: () => adapter && store.set({ people: adapter.people() }),
    });
    adapter = opened;
    stopWatching = watchSpeaking(
      () => {
        const { view: now } = store.get();
        return now && { you: now.you.peerId, peers: now.peers, adapter: opened };
      },
      (speaking) => store.set({ speaking }),
    );
    const { view: now } = store.get();
    if (now) opened.update(now);
    store.set({ people: opened.people() });
    onInside();
  };

  const onMessage = (message: MeetingMessage, view: View | undefined): void => {
    if (message.type === "signal") adapter?.receive(message.from, message.data);
    if (message.type === "signalsLost") adapter?.resume();
    if (message.type === "ended") onEnd(isOver(message.reason) ? "over" : "lost");
    if (message.type !== "welcome" && message.type !== "changed" && message.type !== "peers")
      return;
    if (view === undefined) return;
    store.set({ view });
    if (message.type === "welcome") {
      adapter?.resume();
      if (!isOpening) void openMedia(message, view);
      isOpening = true;
    }
    adapter?.update(view);
    // A person who is no longer visible is removed at once, together with their media.
    if (adapter) store.set({ people: adapter.people() });
  };

  const socket = openSocket({
    socket: path,
    ticket,
    onMessage,
  });
  void socket.ended.then(({ reason }) => {
    if (reason === "unreachable" || reason === "blocked") onEnd("lost");
  });

  return {
    get: store.get,
    subscribe: store.subscribe,
    close: () => {
      stopWatching?.();
      adapter?.close();
      socket.disconnect();
    },
  };
};
