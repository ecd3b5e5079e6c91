import type { EndReason, ServerMessage } from "../../contract/meetings/socket.ts";
import type { SeatRow } from "../db/meeting-tables.ts";
import type { Database } from "../db/open.ts";
import { captionsAfter } from "../meetings/captures/runs.ts";
import { chatAfter, type Written } from "../meetings/record/chat.ts";
import { endedBy, type Message, takeMessages } from "../meetings/seats/messages.ts";
import {
  endReasonsOf,
  type Follower,
  hidesOtherwise,
  loadSnapshot,
  type Snapshot,
} from "../meetings/state/snapshot.ts";
import { type KnownPeer, viewsOf } from "../meetings/state/view.ts";
import type { Member } from "./member.ts";
import { type Seen, Told } from "./sent-views.ts";

/** The shortest pause between two looks at a meeting. */
const PAUSE_MS = 40;
/** The longest pause: people wait for what the next look shows. */
const LONGEST_PAUSE_MS = 500;
/** How much each seat adds to the pause: about eight times what it adds to a look. */
const PAUSE_OF_SEAT_MS = 0.25;

/**
 * The pause after a look. A look reads every seat, so in a large meeting it costs more, and changes are more
 * frequent. A pause that grows with the seats lets many changes share one look; in a small meeting, each change
 * gets its own.
 *
 * @param seats how many the look has read
 */
export const pauseAfter = (seats: number): number =>
  Math.min(PAUSE_MS + seats * PAUSE_OF_SEAT_MS, LONGEST_PAUSE_MS);

/** The parts of the service that watches use. */
export interface WatchParts extends Pick<Seen, "mediaOf"> {
  readonly database: Database;
  readonly processId: string;
  /** True if the speech engine takes the language that is spoken. */
  readonly speechLanguage?: boolean;
  readonly onError: (error: unknown) => void;
}

/** The living seats of a meeting, by ID. */
type Seats = ReadonlyMap<string, SeatRow>;
type Members = readonly (readonly [seatId: string, told: Told])[];

/** One meeting that somebody here follows: its sockets and followers, and how they learn what is new. */
export class Watch {
  readonly meetingId: string;
  readonly #parts: WatchParts;
  readonly #onIdle: (watch: Watch) => void;
  readonly #followers = new Set<Follower>();
  readonly #members = new Map<string, Told>();
  /** Everybody inside at the last look, by ID. */
  readonly #peers = new Map<string, KnownPeer>();
  #looking: Promise<void> | undefined;
  #isStale = false;
  /** Ends the pause between two looks; undefined outside of one. */
  #endPause: (() => void) | undefined;
  /** True if a pause was ended early since the last whole one. */
  #isHurried = false;

  /** @param onIdle called when nobody here follows the meeting any more */
  constructor(meetingId: string, parts: WatchParts, onIdle: (watch: Watch) => void) {
    this.meetingId = meetingId;
    this.#parts = parts;
    this.#onIdle = onIdle;
  }

  /** Calls the follower with each look that begins from now on. @returns a function that stops it */
  follow(follower: Follower): () => void {
    this.#followers.add(follower);
    this.lookSoon();
    this.#hurry();
    return () => {
      this.#followers.delete(follower);
      this.#dropIfIdle();
    };
  }

  /** Adds somebody's socket; an older one of the same seat gives way. */
  add(member: Member): void {
    const former = this.#members.get(member.seatId);
    const told = new Told(member);
    if (former && former.member.connection > member.connection) {
      this.#giveWay(told, former.member.ticketDigest);
      return;
    }
    this.#members.set(member.seatId, told);
    if (former) this.#giveWay(former, member.ticketDigest);
    this.lookSoon();
  }

  /** Removes a socket, unless a newer one has taken its place. */
  remove(member: Member): void {
    if (this.#members.get(member.seatId)?.member !== member) return;
    this.#members.delete(member.seatId);
    this.#dropIfIdle();
  }

  /** Sends a message to a seat. @returns false if its socket is not here */
  pass(seatId: string, message: ServerMessage): boolean {
    const told = this.#members.get(seatId);
    if (told === undefined) return false;
    this.#send(told, message);
    return true;
  }

  /** A signal of somebody here on its way; undefined if they may not know of its receiver. */
  signal(from: string, to: string, data: string): readonly Message[] | undefined {
    return this.#members.get(from)?.signalTo(this.meetingId, to, data);
  }

  /** Looks as soon as possible, and once more if it is called during the look. */
  lookSoon(): void {
    this.#isStale = true;
    this.#looking ??= this.#lookOn();
  }

  /**
   * Ends the pause between two looks, because a person who comes in waits for the next one. The pause after it is
   * a whole one, so that many who come one after the other share their looks.
   */
  #hurry(): void {
    if (this.#isHurried || this.#endPause === undefined) return;
    this.#isHurried = true;
    this.#endPause();
  }

  /** Resolves once no look is under way. */
  async settled(): Promise<void> {
    await this.#looking;
  }

  get #isIdle(): boolean {
    return this.#members.size === 0 && this.#followers.size === 0;
  }

  #dropIfIdle(): void {
    if (this.#isIdle) this.#onIdle(this);
  }

  /** Sends a message; `ended` is the last one, and closes the socket. */
  #send({ member }: Told, message: ServerMessage): void {
    member.send(message);
    if (message.type !== "ended") return;
    member.close();
    this.remove(member);
  }

  #end(told: Told, reason: EndReason): void {
    this.#send(told, endedBy(reason));
  }

  /**
   * Ends a socket whose seat has a later one. If the later one has another ticket, the person has entered
   * elsewhere. With the same ticket, one page has connected twice and has given up one of the two sockets:
   * if this is the one it still uses, it connects again.
   */
  #giveWay(told: Told, ticketDigest: string): void {
    const { member } = told;
    if (member.ticketDigest !== ticketDigest) this.#end(told, "moved");
    else {
      member.drop();
      this.remove(member);
    }
  }

  async #lookOn(): Promise<void> {
    while (this.#isStale && !this.#isIdle) {
      this.#isStale = false;
      let seats = 0;
      try {
        seats = await this.#look();
      } catch (error) {
        this.#parts.onError(error);
      }
      await this.#pause(pauseAfter(seats));
    }
    this.#looking = undefined;
  }

  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#isHurried = false;
      resolve();
    }, ms);
    this.#endPause = resolve;
    await promise;
    this.#endPause = undefined;
    clearTimeout(timer);
  }

  /** @returns how many seats it has read */
  async #look(): Promise<number> {
    // Only these: somebody who comes in during the read may have a seat that the read did not find.
    const here = [...this.#members];
    const followers = [...this.#followers];
    const snapshot = await loadSnapshot(this.#parts.database.read, this.meetingId);
    for (const follower of followers) follower(snapshot);
    const seats = new Map(snapshot?.seats.map((seat) => [seat.id, seat]));
    this.#giveWayToLater(here, seats);
    // People who come in from here on get everything from the next look: what waits for them comes first.
    const members = [...this.#members.values()];
    await this.#passWaiting(members);
    await this.#endGone(here, seats);
    const still = members.filter((told) => this.#members.get(told.member.seatId) === told);
    // A meeting may have followers here, but no socket.
    if (snapshot && still.length > 0) await this.#tellAll(snapshot, seats, still);
    return seats.size;
  }

  #giveWayToLater(here: Members, seats: Seats): void {
    for (const [seatId, told] of here) {
      const seat = seats.get(seatId);
      if (seat && seat.connection > told.member.connection) this.#giveWay(told, seat.ticket_digest);
    }
  }

  /**
   * Passes the messages that other processes have stored. Taken after the snapshot: if that shows the end of
   * the meeting, its message is here too.
   */
  async #passWaiting(members: readonly Told[]): Promise<void> {
    const { database, processId } = this.#parts;
    const { meetingId } = this;
    const seatIds = members.map(({ member }) => member.seatId);
    for (const sent of await takeMessages(database, { meetingId, processId, seatIds }))
      this.pass(sent.seat_id, JSON.parse(sent.message));
  }

  /** Ends the sockets whose seats have ended. */
  async #endGone(here: Members, seats: Seats): Promise<void> {
    const gone = here.filter(([id, told]) => !seats.has(id) && this.#members.get(id) === told);
    const goneIds = gone.map(([seatId]) => seatId);
    const reasons = await endReasonsOf(this.#parts.database.read, goneIds);
    for (const [id, told] of gone) this.#end(told, reasons.get(id) ?? "room_deleted");
  }

  /** Tells everybody what is new to them. */
  async #tellAll(snapshot: Snapshot, seats: Seats, members: readonly Told[]): Promise<void> {
    const { database, mediaOf, speechLanguage } = this.#parts;
    const views = viewsOf(snapshot, this.#peers, speechLanguage);
    for (const id of this.#peers.keys()) if (!seats.has(id)) this.#peers.delete(id);
    const readers = members.filter(({ member: { seatId } }) => views.readsChat(seats.get(seatId)));
    const chat = await this.#chatFor(readers, snapshot);
    const captions = await captionsAfter(
      database.read,
      snapshot.runs,
      Math.min(...members.map(({ caption }) => caption)),
    );
    const hasWords = chat.length > 0 || captions.length > 0;
    if (hasWords && (await hidesOtherwise(database.read, snapshot))) return this.lookSoon();
    for (const told of members) {
      const seat = seats.get(told.member.seatId);
      if (!seat) continue;
      const news =
        seat.state === "waiting"
          ? told.lobbyNews(snapshot, seat)
          : told.news(seat, { snapshot, views, chat, captions, mediaOf });
      for (const message of news) told.member.send(message);
    }
  }

  async #chatFor(
    readers: readonly Told[],
    { meeting, room }: Snapshot,
  ): Promise<readonly Written[]> {
    if (readers.length === 0) return [];
    return await chatAfter(
      this.#parts.database.read,
      meeting,
      room,
      Math.min(...readers.map(({ chat }) => chat)),
    );
  }
}
