import type { ServerMessage, View } from "../../../contract/meetings/socket.ts";
import { notify } from "../../kit/notices.tsx";
import { createStore } from "../../kit/store.ts";
import { loadEngine } from "./adapter.ts";
import { latest } from "./captions.ts";
import { capturedOf } from "./captured.ts";
import { createCarrier } from "./carrier.ts";
import { openChat } from "./chat.ts";
import { openCommands } from "./commands.ts";
import { comesBack, type EndedStage, endedAs } from "./ending.ts";
import { openEntering } from "./entering.ts";
import { keep } from "./kept.ts";
import { merge } from "./merge.ts";
import { beMuted } from "./muted.ts";
import { closeDevices, ownMedia, turnOff, turnOn, whatIsOn } from "./own-media.ts";
import { openOwnPart } from "./own-part.ts";
import { openPresenting } from "./presenting.ts";
import { obey } from "./publish.ts";
import { giveBack, type Seat, showLink } from "./seat.ts";
import { type MeetingSocket, openSocket } from "./socket.ts";
import { beforeMeeting, type Meeting, type Panel } from "./state.ts";
import { endStay, saveStay, takeStay } from "./stay.ts";
import { openWatching } from "./watching.ts";

/** How often the page asks for a sign of life, which detects a dead connection, and reports what is on. */
const BEAT = 15_000;

/**
 * One person's path through a meeting, from the link to the end.
 *
 * @param room the code of the link, or the room ID, as the address of the page has it
 * @param sessionToken an invitation by name, instead of an account
 */
export const createMeeting = (room: () => string, sessionToken: string | undefined) => {
  const store = createStore<Meeting>(beforeMeeting);
  let ticket: string | undefined;
  let socket: MeetingSocket | undefined;
  let beat: ReturnType<typeof setInterval> | undefined;
  const isOutside = (): boolean => ["loading", "failed", "before"].includes(store.get().stage.name);

  const { send, command } = openCommands(() => socket);
  const ownPart = openOwnPart((action) => command("upgrade", { action }));
  const chat = openChat({ store, send: (text) => command("chat", { text }) });

  /** Remembers the stay, for a reload of the page. */
  const remember = (): void => {
    const { view, stage } = store.get();
    const on = { roomId: room(), ...whatIsOn() };
    if (view) {
      saveStay({ ...on, peerName: view.you.peerName, peerType: undefined, waits: false });
    } else if (stage.name === "lobby") {
      const { peerName, peerType } = entering.entry();
      const waitsForSeat = stage.waitsFor === "seat";
      saveStay({ ...on, peerName, peerType, waits: true, waitsForSeat });
    }
  };

  const presenting = openPresenting({
    view: () => store.get().view,
    take: () => command("present", { on: true }),
    giveBack: () => void send("present", { on: false }).catch(() => {}),
  });

  /** Sends what is on and allowed, after either has changed. */
  const settle = (): void => {
    const { view } = store.get();
    if (view === undefined) return;
    obey(view.allowed);
    remember();
    carrier.settle(() => presenting.settle(view));
  };
  const carrier = createCarrier({ store, send, onOpen: settle });

  const close = (): void => {
    clearInterval(beat);
    removeEventListener("pagehide", hangUp);
    socket?.close();
    carrier.close();
    socket = undefined;
    ticket = undefined;
    store.set({
      people: new Map(),
      ownWay: "connecting",
      speaking: new Set(),
      view: undefined,
      panel: "none",
    });
  };

  const end = (stage: EndedStage): void => {
    const on = whatIsOn();
    close();
    closeDevices();
    if (comesBack(stage)) entering.retry(on);
    else {
      endStay();
      entering.settle();
    }
    store.set({ stage, failure: undefined });
  };

  const endAsLost = (): void => end({ name: "ended", reason: "lost", message: "" });

  /** The page is closed or reloaded: the seat becomes free at once. */
  function hangUp(): void {
    if (ticket === undefined) return;
    remember();
    giveBack(ticket, true);
  }

  const takeView = (view: View): void => {
    const { view: before, invitation } = store.get();
    // What is seen inside need not be shown again to somebody who comes back.
    store.set({ view, invitation: invitation && { ...invitation, ...capturedOf(view) } });
    if (view.meeting.recording) store.set({ wasRecorded: true });
    for (const text of before === undefined ? [] : ownPart.say(before, view)) notify({ text });
  };

  const welcome = (message: Extract<ServerMessage, { type: "welcome" }>): void => {
    const view = merge(undefined, message);
    if (view === undefined) return;
    entering.settle();
    chat.replace(message.chat);
    store.set({ stage: { name: "inside" } });
    takeView(view);
    if (ticket !== undefined) void carrier.open(ticket, message.media, view);
    carrier.update(view);
    carrier.resume();
    settle();
  };

  const onMessage = (message: ServerMessage): void => {
    const now = store.get();
    switch (message.type) {
      case "welcome":
        welcome(message);
        break;
      case "lobby":
        entering.settle();
        store.set({ stage: { ...message, name: "lobby" } });
        remember();
        break;
      case "changed":
      case "peers": {
        const view = merge(now.view, message);
        if (view === undefined) break;
        takeView(view);
        carrier.update(view);
        settle();
        break;
      }
      case "chat":
        chat.add(message.messages);
        break;
      case "captions":
        store.set({ captions: latest([...now.captions, ...message.spoken]) });
        break;
      case "signal":
        carrier.receive(message.from, message.data);
        break;
      case "signalsLost":
        carrier.resume();
        break;
      case "muted":
        beMuted(message);
        break;
      case "ended":
        end(endedAs(message, sessionToken));
        break;
    }
  };

  /** Connects with a seat, or with a place before the door. */
  const connect = (seat: Seat): void => {
    ticket = seat.ticket;
    store.set({ lastTicket: ticket });
    addEventListener("pagehide", hangUp);
    store.set({ failure: undefined, chat: [], unread: 0, captions: [], mediaFailed: false });
    if (seat.media !== null) void carrier.open(ticket, seat.media);
    socket = openSocket({
      path: seat.socket,
      ticket,
      onMessage,
      onState: (state) => {
        const { stage } = store.get();
        if (state === "given up") endAsLost();
        else if (state === "blocked") {
          end({ name: "ended", reason: "blocked", message: "" });
          giveBack(seat.ticket, true);
        } else if (state === "lost" && stage.name === "inside") {
          store.set({ stage: { name: "reconnecting" } });
        } else if (state === "lost" && stage.name === "lobby") {
          store.set({ stage: { ...stage, isLost: true } });
        }
      },
    });
    beat = setInterval(() => {
      if (socket?.isOpen()) {
        // In the lobby, and where no media can be carried, there is nothing to report.
        void send("beat", {}).catch(() => {});
        carrier.repeat();
      }
      remember();
    }, BEAT);
  };

  const entering = openEntering({ store, room, sessionToken, connect, onLost: endAsLost });
  const watching = openWatching({ store, room, sessionToken, onRefused: entering.lookAgain });

  ownMedia.subscribe(settle);
  // A page that the browser has kept whole has given its seat back.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted && ticket !== undefined) location.reload();
  });

  return {
    get: store.get,
    subscribe: store.subscribe,
    send,
    command,

    /** Asks what the link opens; again after somebody has signed in. */
    load: async (): Promise<void> => {
      // The page is also where people type a link.
      if (room() === "") return store.set({ stage: { name: "failed", failure: undefined } });
      try {
        const invitation = await entering.look();
        store.set({ invitation, failure: undefined });
        const stay = isOutside() ? takeStay(room()) : undefined;
        if (stay) await entering.comeBack(stay);
        else if (isOutside()) store.set({ stage: { name: "before" } });
        if (invitation.host && sessionToken === undefined) void showLink(invitation);
        // Runs while the person looks into the camera.
        if (invitation.roomType !== "p2p") void loadEngine().catch(() => {});
      } catch (failure) {
        if (!isOutside()) return;
        closeDevices();
        store.set({ stage: { name: "failed", failure } });
      }
    },

    lookAgain: entering.lookAgain,
    join: entering.join,
    rejoin: entering.rejoin,

    /** Enters from before the door. After a refusal the person keeps waiting there. */
    enterWith: async (password: string): Promise<void> => {
      const waiting = ticket;
      try {
        const seat = await entering.askWith(password);
        // The person has stopped waiting meanwhile.
        if (ticket !== waiting) return giveBack(seat.ticket, false);
        // The service would end the former connection as one that another page has replaced.
        close();
        connect(seat);
      } catch (failure) {
        store.set({ failure });
      }
    },

    watch: watching.watch,
    watchAgain: watching.again,
    stopWatching: watching.stop,
    leaveStream: watching.goBack,

    showCaptions: (shows: boolean): void => {
      keep({ captions: shows });
      store.set({ showsCaptions: shows });
    },

    hideSelf: (hidesSelf: boolean): void => {
      keep({ hidesSelf });
      store.set({ hidesSelf });
    },

    leave: (): void => {
      const given = ticket;
      const isWaiting = store.get().stage.name === "lobby";
      end({ name: "ended", reason: isWaiting ? "stopped_waiting" : "left", message: "" });
      if (given !== undefined) giveBack(given, false);
    },

    /** Turns a device on or off. The setting remains when the person enters again. */
    toggle: (device: "audio" | "video"): void => {
      const isOn = whatIsOn()[device];
      keep({ [device]: !isOn });
      if (isOn) turnOff(device);
      else void turnOn([device]);
    },

    upgrade: ownPart.upgrade,
    toggleShare: presenting.toggle,

    /** Raises the hand, or lowers it. */
    toggleHand: (): Promise<boolean> =>
      command("hand", { up: store.get().view?.you.hand === null }),

    write: chat.write,
    say: chat.say,

    show: (panel: Panel): void => store.set({ panel, ...(panel === "chat" ? { unread: 0 } : {}) }),
  };
};
