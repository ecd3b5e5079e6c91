import type { CommandName, Commands } from "../../../contract/meeting-commands.ts";
import type { EndReason, ServerMessage, View } from "../../../contract/meeting-socket.ts";
import type { MediaPath } from "../../../contract/meetings.ts";
import { ParleyError, sayFailure } from "../../data/client.ts";
import { notify } from "../../parts/notices.tsx";
import { m } from "../../texts/meet.ts";
import { adapterFor, loadEngine } from "./adapter.ts";
import { latest } from "./captions.ts";
import { keep } from "./kept.ts";
import type { MediaAdapter } from "./media.ts";
import { merge } from "./merge.ts";
import {
  closeDevices,
  ownMedia,
  silence,
  turnOff,
  turnOn,
  turnOnThose,
  whatIsOn,
} from "./own-media.ts";
import { openPresenting } from "./presenting.ts";
import { obey, openPublisher, type Publisher } from "./publish.ts";
import { unlessRecorded } from "./recorded.ts";
import { askForSeat, askWhatOpens, giveBack, type Seat } from "./seat.ts";
import { type MeetingSocket, openSocket } from "./socket.ts";
import { watchSpeaking } from "./speaking.ts";
import { beforeMeeting, type Entry, type Invitation, type Meeting, type Panel } from "./state.ts";
import { endStay, type Stay, saveStay, takeStay, untilFree } from "./stay.ts";
import { createStore } from "./store.ts";
import { openWatching } from "./watching.ts";

/** How often what is on is repeated: a connection that is dead is found by it. */
const BEAT = 15_000;

/**
 * One person's way through a meeting, from the link to the end.
 *
 * @param roomId the code of the link, or the room ID
 * @param sessionToken an invitation by name, in place of an account
 */
export const createMeeting = (roomId: string, sessionToken: string | undefined) => {
  const store = createStore<Meeting>(beforeMeeting);
  let entry: Entry = { peerName: "", password: "", peerType: undefined };
  let ticket: string | undefined;
  let socket: MeetingSocket | undefined;
  let adapter: MediaAdapter | undefined;
  let publisher: Publisher | undefined;
  let stopWatching: (() => void) | undefined;
  let beat: ReturnType<typeof setInterval> | undefined;
  /** The ticket for which media are open, or are being opened. */
  let mediaFor: string | undefined;

  const look = () => askWhatOpens(roomId, sessionToken);

  const isOutside = (): boolean => ["loading", "failed", "before"].includes(store.get().stage.name);

  /** Sends a command. @throws ParleyError, TypeError as the socket does */
  const send = <K extends CommandName>(name: K, input: Commands[K]): Promise<void> =>
    socket?.send(name, input) ?? Promise.reject(new TypeError("The meeting has ended"));

  /** Sends a command, and tells the person where it fails. */
  const command = async <K extends CommandName>(name: K, input: Commands[K]): Promise<boolean> => {
    try {
      await send(name, input);
      return true;
    } catch (failure) {
      notify({ text: sayFailure(failure), kind: "failed" });
      return false;
    }
  };

  /** For a reload of the page. */
  const remember = (): void => {
    const { view } = store.get();
    if (view) saveStay({ roomId, peerName: view.you.peerName, ...whatIsOn() });
  };

  const presenting = openPresenting({
    view: () => store.get().view,
    take: () => command("present", { on: true }),
    giveBack: () => void send("present", { on: false }).catch(() => {}),
  });

  /** Makes what is sent what is on and allowed, after either has changed. */
  const settle = (): void => {
    const { view } = store.get();
    if (view === undefined) return;
    obey(view.allowed);
    remember();
    publisher?.settle(presenting.settle(view));
  };

  const close = (): void => {
    clearInterval(beat);
    stopWatching?.();
    removeEventListener("pagehide", hangUp);
    socket?.close();
    adapter?.close();
    socket = undefined;
    adapter = undefined;
    publisher = undefined;
    ticket = undefined;
    store.set({ people: new Map(), speaking: new Set(), view: undefined, panel: "none" });
  };

  const end = (reason: EndReason, message: string): void => {
    close();
    closeDevices();
    endStay();
    store.set({ stage: { name: "ended", reason, message } });
  };

  /** The page is closed, or loaded again: the seat is free at once. */
  function hangUp(): void {
    if (ticket === undefined) return;
    remember();
    giveBack(ticket, true);
  }

  /** Once for each seat. Direct media wait until it is known who is there; the engine's need not. */
  const openMedia = async (media: MediaPath, view?: View): Promise<void> => {
    if (ticket === undefined || mediaFor === ticket || (media.type === "direct" && !view)) return;
    const mine = ticket;
    mediaFor = mine;
    const opened = await adapterFor({
      ...{ media, ticket: mine, view },
      signal: (to, data) => void send("signal", { to, data }).catch(() => {}),
      onChange: () => adapter && store.set({ people: adapter.people() }),
    }).catch((failure) => {
      if (mediaFor === mine) mediaFor = undefined;
      throw failure;
    });
    // The meeting may have ended while the client of the engine was loaded.
    if (ticket !== mine) return opened.close();
    adapter = opened;
    publisher = openPublisher(opened, (flags) => void send("media", flags).catch(() => {}));
    stopWatching = watchSpeaking(
      () => {
        const { view: now } = store.get();
        return adapter && now && { you: now.you.peerId, peers: now.peers, adapter };
      },
      (speaking) => store.set({ speaking }),
    );
    store.set({ people: opened.people() });
    settle();
  };

  const welcome = (message: Extract<ServerMessage, { type: "welcome" }>): void => {
    const view = merge(undefined, message);
    if (view === undefined) return;
    store.set({ stage: { name: "inside" }, view, chat: message.chat });
    void openMedia(message.media, view);
    adapter?.update(view);
    adapter?.resume();
    publisher?.repeat();
    settle();
  };

  const onMessage = (message: ServerMessage): void => {
    const now = store.get();
    switch (message.type) {
      case "welcome":
        welcome(message);
        break;
      case "lobby":
        store.set({ stage: { ...message, name: "lobby" } });
        break;
      case "changed":
      case "peers": {
        const view = merge(now.view, message);
        if (view === undefined) break;
        store.set({ view });
        adapter?.update(view);
        settle();
        break;
      }
      case "chat": {
        const unread = now.panel === "chat" ? 0 : now.unread + message.messages.length;
        store.set({ chat: [...now.chat, ...message.messages], unread });
        break;
      }
      case "captions":
        store.set({ captions: latest([...now.captions, ...message.spoken]) });
        break;
      case "signal":
        adapter?.receive(message.from, message.data);
        break;
      case "muted":
        silence(message.media);
        notify({ text: m.notices.muted(message.by, message.media) });
        break;
      case "ended":
        end(message.reason, message.message);
        break;
    }
  };

  /** @param take takes the seat in its own way, or answers what the person has to be told first */
  const enter = async (
    name: "joining" | "returning" = "joining",
    take: (ask: () => Promise<Seat>) => Promise<Seat | Invitation> = (ask) => ask(),
  ): Promise<void> => {
    store.set({ stage: { name }, failure: undefined });
    try {
      const answer = await take(() => askForSeat(roomId, sessionToken, entry));
      if ("recording" in answer)
        return store.set({ stage: { name: "before" }, invitation: answer });
      ticket = answer.ticket;
      addEventListener("pagehide", hangUp);
      store.set({ chat: [], unread: 0, captions: [] });
      if (answer.media !== null) void openMedia(answer.media);
      socket = openSocket({
        path: answer.socket,
        ticket,
        onMessage,
        onState: (state) => {
          if (state === "given up") end("lost", "");
          else if (state === "lost" && store.get().stage.name === "inside") {
            store.set({ stage: { name: "reconnecting" } });
          }
        },
      });
      beat = setInterval(() => {
        if (socket?.isOpen()) publisher?.repeat();
        remember();
      }, BEAT);
    } catch (failure) {
      store.set({ stage: { name: "before" }, failure });
      if (failure instanceof ParleyError && failure.code === "seats_full") void watching.look();
    }
  };

  /** After a reload: as before, and without a click. */
  const comeBack = (stay: Stay): Promise<void> => {
    void turnOnThose(stay);
    const peerName = sessionToken === undefined ? stay.peerName : "";
    entry = { peerName, password: "", peerType: undefined };
    return enter("returning", untilFree);
  };
  const watching = openWatching({ store, roomId, sessionToken });

  ownMedia.subscribe(settle);

  return {
    get: store.get,
    subscribe: store.subscribe,
    send,
    command,

    /** Asks what the link opens; again after somebody has signed in. */
    load: async (): Promise<void> => {
      try {
        const invitation = await look();
        store.set({ invitation, failure: undefined });
        const stay = isOutside() ? takeStay(roomId) : undefined;
        if (stay) await comeBack(stay);
        else if (isOutside()) store.set({ stage: { name: "before" } });
        // While the person looks into the camera.
        if (invitation.roomType !== "p2p") void loadEngine().catch(() => {});
      } catch (failure) {
        if (isOutside()) store.set({ stage: { name: "failed", failure } });
      }
    },

    join: (next: Entry): Promise<void> => {
      entry = next;
      const { invitation: known } = store.get();
      return enter("joining", (ask) => (known ? unlessRecorded(known, look, ask) : ask()));
    },

    watch: watching.watch,
    watchAgain: watching.again,
    stopWatching: watching.stop,

    showCaptions: (shows: boolean): void => {
      keep({ captions: shows });
      store.set({ showsCaptions: shows });
    },

    /** Enters again with what was given the first time. */
    rejoin: () => enter(),

    leave: (): void => {
      const given = ticket;
      end("left", "");
      if (given !== undefined) giveBack(given, false);
    },

    /** Turns a device on or off. It stays so when the person enters again. */
    toggle: (device: "audio" | "video"): void => {
      const isOn = ownMedia.get()[device] !== null;
      keep({ [device]: !isOn });
      if (isOn) turnOff(device);
      else void turnOn([device]);
    },

    toggleShare: presenting.toggle,

    /** Raises the hand, or lowers it. */
    toggleHand: (): Promise<boolean> =>
      command("hand", { up: store.get().view?.you.hand === null }),

    show: (panel: Panel): void => store.set({ panel, ...(panel === "chat" ? { unread: 0 } : {}) }),
  };
};
