import type {
  MeetingConnection,
  MeetingConnectionState,
  MeetingEnd,
  MeetingMessage,
} from "../../../contract/meeting-client.ts";
import type { CommandName, Commands } from "../../../contract/meetings/commands.ts";
import type { ServerMessage, View } from "../../../contract/meetings/socket.ts";
import type { Spoken } from "../../../contract/meetings/transcripts.ts";
import type { MeetingLayout } from "../../embed/protocol.ts";
import { sayFailure } from "../../kit/client.ts";
import { notify } from "../../kit/notices.tsx";
import { createStore } from "../../kit/store.ts";
import { m } from "../../texts/meet.ts";
import { loadEngine } from "./adapter.ts";
import { openSocket } from "./again.ts";
import { capturedOf } from "./captured.ts";
import { createCarrier } from "./carrier.ts";
import { openChat } from "./chat.ts";
import { comesBack, type EndedStage, endedAs } from "./ending.ts";
import { openEntering } from "./entering.ts";
import { keep } from "./kept.ts";
import {
  closeDevices,
  type Device,
  ownMedia,
  silence,
  stopShare,
  stopShareSound,
  turnOff,
  turnOn,
  whatIsOn,
} from "./own-media.ts";
import { openOwnPart } from "./own-part.ts";
import { openPresenting } from "./presenting.ts";
import { obey } from "./publish.ts";
import { giveBack, type Seat, showLink } from "./seat.ts";
import {
  beforeMeeting,
  type Entry,
  type Invitation,
  layoutOf,
  type Meeting,
  type Panel,
} from "./state.ts";
import { endStay, saveStay, takeStay } from "./stay.ts";
import { openWatching } from "./watching.ts";

/** Commands over the meeting's current socket. */
const openCommands = (socket: () => MeetingConnection | undefined) => {
  /** Sends a command. @throws ParleyError, TypeError as the socket does */
  const send = <K extends CommandName>(name: K, input: Commands[K]): Promise<void> =>
    socket()?.send(name, input) ?? Promise.reject(new TypeError("The meeting has ended"));
  return {
    send,
    /** Sends a command, and notifies the person if it fails. */
    command: async <K extends CommandName>(name: K, input: Commands[K]): Promise<boolean> => {
      try {
        await send(name, input);
        return true;
      } catch (failure) {
        notify({ text: sayFailure(failure), kind: "failed" });
        return false;
      }
    },
  };
};

/** The message about these media: their names in order, as one word. */
const choiceOf = (ended: ReturnType<typeof silence>): string =>
  (["audio", "video", "share"] as const)
    .filter((medium) => ended.includes(medium))
    .join(" ")
    .replace(/ (.)/g, (_, letter: string) => letter.toUpperCase());

/** Turns off the media that a moderator has ended, and notifies the person of those that were on. */
const beMuted = ({ media, by, entering }: Extract<ServerMessage, { type: "muted" }>): void => {
  const ended = silence(media);
  if (entering) notify({ text: m.controls.enteredMuted });
  else if (ended.length > 0) notify({ text: m.notices.muted(by, choiceOf(ended)) });
};

/** How many captions are shown at a time. */
const SHOWN = 3;

/** The newest captions, the latest last. */
const latest = (spoken: readonly Spoken[]): readonly Spoken[] =>
  spoken.slice(-SHOWN).toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));

/** How often the page reports what is on, and remembers it. */
const REPEAT = 15_000;

type Message<T extends ServerMessage["type"]> = Extract<ServerMessage, { type: T }>;

/** One person's path through a meeting, from the link to the end. */
export class Visit {
  readonly #room: () => string;
  readonly #sessionToken: string | undefined;
  readonly #store = createStore<Meeting>(beforeMeeting);
  #ticket: string | undefined;
  #socket: MeetingConnection | undefined;
  #repeating: ReturnType<typeof setInterval> | undefined;

  readonly #commands = openCommands(() => this.#socket);
  readonly #ownPart = openOwnPart((action) => this.command("upgrade", { action }));
  readonly #chat = openChat({
    store: this.#store,
    send: (text) => this.command("chat", { text }),
  });
  readonly #presenting = openPresenting({
    view: () => this.get().view,
    take: () => this.command("present", { on: true }),
    giveBack: () => void this.send("present", { on: false }).catch(() => {}),
  });
  readonly #carrier = createCarrier({
    store: this.#store,
    send: this.#commands.send,
    onOpen: () => this.#settle(),
  });
  readonly #entering: ReturnType<typeof openEntering>;
  readonly #watching: ReturnType<typeof openWatching>;

  /** The meeting as it is now, and what watches it. */
  readonly get = this.#store.get;
  readonly subscribe = this.#store.subscribe;
  /** Sends a command. @throws ParleyError, TypeError as the socket does */
  readonly send = this.#commands.send;
  /** Sends a command, and notifies the person if it fails. */
  readonly command = this.#commands.command;

  /**
   * @param room the code of the link, or the room ID, as the address of the page has it
   * @param sessionToken an invitation by name, instead of an account
   */
  constructor(room: () => string, sessionToken: string | undefined) {
    this.#room = room;
    this.#sessionToken = sessionToken;
    const path = { store: this.#store, room, sessionToken };
    this.#entering = openEntering({
      ...path,
      connect: (seat) => this.#connect(seat),
      onLost: () => this.#endAsLost(),
    });
    this.#watching = openWatching({ ...path, onRefused: this.#entering.lookAgain });
    ownMedia.subscribe(() => this.#settle());
    // A page that the browser restores from its cache has given its seat back.
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted && this.#ticket !== undefined) location.reload();
    });
  }

  /** Asks what the link opens; again after somebody has signed in. */
  async load(): Promise<void> {
    // The page is also where people type a link.
    if (this.#room() === "") {
      this.#store.set({ stage: { name: "failed", failure: undefined } });
      return;
    }
    try {
      await this.#goOn(await this.#entering.look());
    } catch (failure) {
      if (!this.#isOutside) return;
      closeDevices();
      this.#store.set({ stage: { name: "failed", failure } });
    }
  }

  /** Looks again what the room asks for, after a refusal. */
  lookAgain(): Promise<void> {
    return this.#entering.lookAgain();
  }

  /**
   * Enters with a name, a password and a role.
   *
   * @param takesOver whether the person leaves another device for this one; otherwise they are asked
   */
  join(entry: Entry, takesOver = false): Promise<void> {
    return this.#entering.join(entry, takesOver);
  }

  /** Enters as before, now that the person knows that they are in the meeting on another device. */
  joinBeside(secondDevice: boolean): Promise<void> {
    // Where two other devices are inside, it takes the place of the second one.
    return this.join({ ...this.#entering.entry(), secondDevice }, true);
  }

  /** Enters again with the same name, password and role; see `join`. */
  rejoin(takesOver: boolean): Promise<void> {
    return this.#entering.rejoin(takesOver);
  }

  /** Enters from before the door. After a refusal the person keeps waiting there. */
  async enterWith(password: string): Promise<void> {
    const waiting = this.#ticket;
    try {
      const seat = await this.#entering.askWith(password);
      // The person has stopped waiting meanwhile.
      if (this.#ticket !== waiting) return giveBack(seat.ticket, false);
      // The service would end the former connection as one that another page has replaced.
      this.#close();
      this.#connect(seat);
    } catch (failure) {
      this.#store.set({ failure });
    }
  }

  /** Gives the seat back, or the place before the door. */
  leave(): void {
    const given = this.#ticket;
    const isWaiting = this.get().stage.name === "lobby";
    this.#end({ name: "ended", reason: isWaiting ? "stopped_waiting" : "left", message: "" });
    if (given !== undefined) giveBack(given, false);
  }

  /** Watches the live stream, which needs no seat. */
  watch(entry: Entry): Promise<void> {
    return this.#watching.watch(entry);
  }

  /** The stream has broken off: reopens it, or says why it cannot. */
  watchAgain(): void {
    this.#watching.again();
  }

  stopWatching(): void {
    this.#watching.stop();
  }

  /** Back to the page of a meeting whose stream is over. */
  leaveStream(): Promise<void> {
    return this.#watching.goBack();
  }

  showCaptions(shows: boolean): void {
    keep({ captions: shows });
    this.#store.set({ showsCaptions: shows });
  }

  hideSelf(hidesSelf: boolean): void {
    keep({ hidesSelf });
    this.#store.set({ hidesSelf });
  }

  /** Turns a device on or off. The setting remains when the person enters again. */
  async turn(device: Device, on: boolean): Promise<void> {
    keep({ [device]: on });
    if (on) await turnOn([device]);
    else turnOff(device);
  }

  /** Turns a device off if it is on, and on otherwise. */
  toggle(device: Device): void {
    void this.turn(device, !whatIsOn()[device]);
  }

  /** Shares a screen. Returns whether the person has chosen one. @throws DOMException as the browser does */
  startShare(): Promise<boolean> {
    return this.#presenting.start();
  }

  stopShare(): void {
    stopShare();
  }

  /** Shares a screen, or stops it. */
  toggleShare(): Promise<void> {
    return this.#presenting.toggle();
  }

  layOut(layout: MeetingLayout): void {
    this.#store.set({ layout });
  }

  /** Shows the speaker large instead of everybody, or the reverse. */
  toggleLayout(): void {
    const { view } = this.get();
    if (view) this.layOut(layoutOf(this.get(), view) === "grid" ? "speaker" : "grid");
  }

  /** Raises the hand, or lowers it. */
  toggleHand(): Promise<boolean> {
    return this.command("hand", { up: this.get().view?.you.hand === null });
  }

  /** Asks to take part, accepts an offer, or withdraws either. */
  upgrade(action: Commands["upgrade"]["action"]): Promise<boolean> {
    return this.#ownPart.upgrade(action);
  }

  /** Keeps the draft of a message. */
  write(draft: string): void {
    this.#chat.write(draft);
  }

  /** Sends what is written, unless it is too long. */
  say(): Promise<void> {
    return this.#chat.say();
  }

  show(panel: Panel): void {
    this.#store.set({ panel, ...(panel === "chat" ? { unread: 0 } : {}) });
  }

  get #isOutside(): boolean {
    return ["loading", "failed", "before"].includes(this.get().stage.name);
  }

  /** Shows what the link opens, or comes back to a stay that a reload has interrupted. */
  async #goOn(invitation: Invitation): Promise<void> {
    this.#store.set({ invitation, failure: undefined });
    const stay = this.#isOutside ? takeStay(this.#room()) : undefined;
    if (stay) await this.#entering.comeBack(stay);
    else if (this.#isOutside) this.#store.set({ stage: { name: "before" } });
    if (invitation.host && this.#sessionToken === undefined) void showLink(invitation);
    // Runs while the person looks into the camera.
    if (invitation.roomType !== "p2p") void loadEngine().catch(() => {});
  }

  /** Connects with a seat, or with a place before the door. */
  #connect(seat: Seat): void {
    const { ticket } = seat;
    this.#ticket = ticket;
    this.#store.set({ lastTicket: ticket });
    addEventListener("pagehide", this.#hangUp);
    this.#store.set({ failure: undefined, chat: [], unread: 0, captions: [], mediaFailed: false });
    if (seat.media !== null) void this.#carrier.open(ticket, seat.media);
    this.#socket = openSocket({
      socket: seat.socket,
      ticket,
      onMessage: (message, view) => this.#take(message, view),
      onState: (state) => this.#follow(state),
    });
    void this.#socket.ended.then((end) => this.#stop(end, ticket));
    this.#repeating = setInterval(() => this.#repeat(), REPEAT);
  }

  #repeat(): void {
    // In the lobby, and where no media can be carried, there is nothing to report.
    if (this.#socket?.state === "connected") this.#carrier.repeat();
    this.#remember();
  }

  /** Shows why the socket is over, unless the service said so. */
  #stop({ reason }: MeetingEnd, ticket: string): void {
    if (reason === "unreachable") this.#endAsLost();
    else if (reason === "blocked") {
      this.#end({ name: "ended", reason, message: "" });
      giveBack(ticket, true);
    }
  }

  /** Shows the state of the socket. */
  #follow(state: MeetingConnectionState): void {
    const { stage } = this.get();
    if (state === "lost" && stage.name === "inside") {
      this.#store.set({ stage: { name: "reconnecting" } });
    } else if (state === "lost" && stage.name === "lobby") {
      this.#store.set({ stage: { ...stage, isLost: true } });
    }
  }

  #take(message: MeetingMessage, view: View | undefined): void {
    switch (message.type) {
      case "welcome":
        this.#enter(message, view);
        break;
      case "lobby":
        this.#wait(message);
        break;
      case "changed":
      case "peers":
        this.#update(view);
        break;
      case "chat":
        this.#chat.add(message.messages);
        break;
      case "captions":
        this.#store.set({ captions: latest([...this.get().captions, ...message.spoken]) });
        break;
      case "signal":
        this.#carrier.receive(message.from, message.data);
        break;
      case "signalsLost":
        this.#carrier.resume();
        break;
      case "muted":
        beMuted(message);
        break;
      case "ended":
        this.#end(endedAs(message, this.#sessionToken));
        break;
    }
  }

  #enter(message: Message<"welcome">, view: View | undefined): void {
    if (view === undefined) return;
    this.#entering.settle();
    this.#chat.replace(message.chat);
    this.#store.set({ stage: { name: "inside" } });
    this.#takeView(view);
    if (this.#ticket !== undefined) void this.#carrier.open(this.#ticket, message.media, view);
    this.#carrier.update(view);
    this.#carrier.resume();
    this.#settle();
  }

  #wait(message: Message<"lobby">): void {
    this.#entering.settle();
    this.#store.set({ stage: { ...message, name: "lobby" } });
    this.#remember();
  }

  #update(view: View | undefined): void {
    if (view === undefined) return;
    this.#takeView(view);
    this.#carrier.update(view);
    this.#settle();
  }

  #takeView(view: View): void {
    const { view: before, invitation } = this.get();
    this.#entering.knows(view.you.secondDevice === true);
    // Notices that were seen inside need not be shown again to somebody who comes back.
    this.#store.set({ view, invitation: invitation && { ...invitation, ...capturedOf(view) } });
    if (view.meeting.recording) this.#store.set({ wasRecorded: true });
    for (const text of before === undefined ? [] : this.#ownPart.say(before, view))
      notify({ text });
  }

  /** Sends what is on and allowed, after either has changed. */
  #settle(): void {
    const { view } = this.get();
    if (view === undefined) return;
    obey(view.allowed);
    if (view.you.secondDevice) stopShareSound();
    this.#remember();
    this.#carrier.settle(() => this.#presenting.settle(view));
  }

  /** Remembers the stay, for a reload of the page. */
  #remember(): void {
    const { view, stage } = this.get();
    const on = { roomId: this.#room(), ...whatIsOn() };
    if (view) {
      const { peerName, secondDevice = false } = view.you;
      saveStay({ ...on, peerName, secondDevice, peerType: undefined, waits: false });
    } else if (stage.name === "lobby") {
      const { peerName, peerType } = this.#entering.entry();
      const waitsForSeat = stage.waitsFor === "seat";
      saveStay({ ...on, peerName, peerType, waits: true, waitsForSeat });
    }
  }

  /** The page is closed or reloaded: the seat becomes free at once. */
  readonly #hangUp = (): void => {
    if (this.#ticket === undefined) return;
    this.#remember();
    giveBack(this.#ticket, true);
  };

  #endAsLost(): void {
    this.#end({ name: "ended", reason: "lost", message: "" });
  }

  #end(stage: EndedStage): void {
    const on = whatIsOn();
    this.#close();
    closeDevices();
    if (comesBack(stage)) this.#entering.retry(on);
    else {
      endStay();
      this.#entering.settle();
    }
    this.#store.set({ stage, failure: undefined });
  }

  #close(): void {
    clearInterval(this.#repeating);
    removeEventListener("pagehide", this.#hangUp);
    this.#socket?.disconnect();
    this.#carrier.close();
    this.#socket = undefined;
    this.#ticket = undefined;
    this.#store.set({
      people: new Map(),
      ownWay: "connecting",
      speaking: new Set(),
      view: undefined,
      panel: "none",
      layout: undefined,
    });
  }
}
