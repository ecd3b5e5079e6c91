import type { CommandName, Commands, Medium } from "../../../contract/meeting-commands.ts";
import type { EndReason, ServerMessage, View } from "../../../contract/meeting-socket.ts";
import type { MediaPath } from "../../../contract/meetings.ts";
import { ParleyError, parley, sayFailure } from "../../data/client.ts";
import { notify } from "../../parts/notices.tsx";
import { m } from "../../texts/meet.ts";
import { adapterFor } from "./adapter.ts";
import { keep } from "./kept.ts";
import type { MediaAdapter } from "./media.ts";
import { merge } from "./merge.ts";
import { closeDevices, ownMedia, startShare, stopShare, turnOff, turnOn } from "./own-media.ts";
import { obey, openPublisher, type Publisher } from "./publish.ts";
import { recordedSince } from "./recorded.ts";
import { type MeetingSocket, openSocket } from "./socket.ts";
import { watchSpeaking } from "./speaking.ts";
import { beforeMeeting, type Entry, type Meeting, type Panel } from "./state.ts";
import { createStore } from "./store.ts";
import { openWatching } from "./watching.ts";

/** How often what is on is repeated: a connection that is dead is found by it. */
const BEAT = 15_000;
/** How many captions are shown at a time. */
const CAPTIONS = 3;

/** A moderator has ended these: they are off when the person enters again. */
const silence = (media: readonly Medium[]): void => {
  for (const medium of media) {
    if (medium === "share") stopShare();
    else {
      turnOff(medium);
      keep({ [medium]: false });
    }
  }
};

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

  let isAskingForPlace = false;

  /** Makes what is sent what is on and allowed, after either has changed. */
  const settle = (): void => {
    const { view } = store.get();
    if (view === undefined) return;
    const { allowed, you } = view;
    obey(allowed);
    const { presenter } = view.meeting;
    const isPresenter = presenter === you.peerId;
    if (allowed.presenterOnly && presenter !== null && !isPresenter) stopShare();
    // The place of the only presenter is given back with the share.
    if (allowed.presenterOnly && isPresenter && !isAskingForPlace && !ownMedia.get().share) {
      void send("present", { on: false }).catch(() => {});
    }
    publisher?.settle({
      ...allowed,
      share: allowed.share && (isPresenter || !allowed.presenterOnly),
    });
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
    store.set({ stage: { name: "ended", reason, message } });
  };

  /** The page is closed: the seat is free at once. */
  function hangUp(): void {
    if (ticket === undefined) return;
    const body = new Blob([JSON.stringify({ ticket })], { type: "application/json" });
    navigator.sendBeacon("/api/meeting/leaveRoom", body);
  }

  const openMedia = async (media: MediaPath, view: View): Promise<void> => {
    const mine = ticket ?? "";
    const opened = await adapterFor({
      media,
      ticket: mine,
      view,
      signal: (to, data) => void send("signal", { to, data }).catch(() => {}),
      onChange: () => adapter && store.set({ people: adapter.people() }),
    });
    // The meeting may have ended while the client of the engine was loaded.
    if (ticket !== mine || adapter !== undefined) return opened.close();
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
    if (adapter === undefined) void openMedia(message.media, view);
    else {
      adapter.update(view);
      adapter.resume();
      settle();
      publisher?.repeat();
      if (store.get().hand) void send("hand", { up: true });
    }
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
      case "captions": {
        const captions = [...now.captions, ...message.spoken].slice(-CAPTIONS);
        store.set({ captions: captions.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1)) });
        break;
      }
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

  const enter = async (): Promise<void> => {
    const { peerName, password, peerType } = entry;
    store.set({ stage: { name: "joining" }, failure: undefined });
    try {
      const answer = await parley.joinRoom({
        roomId,
        ...(peerName === "" ? {} : { peerName }),
        ...(password === "" ? {} : { password }),
        ...(peerType === undefined ? {} : { peerType }),
        ...(sessionToken === undefined ? {} : { sessionToken }),
      });
      ticket = answer.ticket;
      addEventListener("pagehide", hangUp);
      store.set({ chat: [], unread: 0, hand: false, captions: [] });
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
      beat = setInterval(() => socket?.isOpen() && publisher?.repeat(), BEAT);
    } catch (failure) {
      store.set({ stage: { name: "before" }, failure });
      if (failure instanceof ParleyError && failure.code === "seats_full") void watching.look();
    }
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
        const { invitation } = await parley.fetchInvitation({ roomId });
        store.set({ invitation, failure: undefined });
        if (isOutside()) store.set({ stage: { name: "before" } });
      } catch (failure) {
        if (isOutside()) store.set({ stage: { name: "failed", failure } });
      }
    },

    join: async (next: Entry): Promise<void> => {
      entry = next;
      const invitation = await recordedSince(roomId, store.get().invitation).catch(() => undefined);
      return invitation === undefined ? enter() : store.set({ invitation, failure: undefined });
    },

    watch: watching.watch,
    watchAgain: watching.again,
    stopWatching: watching.stop,

    showCaptions: (shows: boolean): void => {
      keep({ captions: shows });
      store.set({ showsCaptions: shows });
    },

    /** Enters again with what was given the first time. */
    rejoin: enter,

    leave: (): void => {
      const given = ticket;
      end("left", "");
      if (given !== undefined) void parley.leaveRoom({ ticket: given }).catch(() => {});
    },

    /** Turns a device on or off. It stays so when the person enters again. */
    toggle: (device: "audio" | "video"): void => {
      const isOn = ownMedia.get()[device] !== null;
      keep({ [device]: !isOn });
      if (isOn) turnOff(device);
      else void turnOn([device]);
    },

    toggleShare: async (): Promise<void> => {
      if (ownMedia.get().share !== null) return stopShare();
      isAskingForPlace = true;
      try {
        const isShared = await startShare();
        const needsPlace = isShared && store.get().view?.allowed.presenterOnly === true;
        if (needsPlace && !(await command("present", { on: true }))) stopShare();
      } catch {
        notify({ text: m.notices.shareFailed, kind: "failed" });
      } finally {
        isAskingForPlace = false;
      }
    },

    raise: async (up: boolean): Promise<void> => {
      if (await command("hand", { up })) store.set({ hand: up });
    },

    show: (panel: Panel): void => store.set({ panel, ...(panel === "chat" ? { unread: 0 } : {}) }),
  };
};
