import type { Medium } from "../../contract/meetings/commands.ts";
import { leaveMessages, type Message, mutedBy } from "../meetings/seats/messages.ts";
import type { Followable, Follower } from "../meetings/state/snapshot.ts";
import type { Member } from "./member.ts";
import { SignalPost } from "./signals.ts";
import { Watch, type WatchParts } from "./watch.ts";

/** How often a meeting is looked at without an announcement, */
const LOOK_MS = 3_000;
/** unless these are more looks a second than this: then less often. */
const MOST_LOOKS = 50;
const TICK_MS = 200;

export interface HubParts extends WatchParts {
  /** Called after a moderator's command to mute people ran on this process. */
  readonly onMuted?: (
    meetingId: string,
    seatIds: readonly string[],
    media: readonly Medium[],
  ) => void;
}

/**
 * Keeps the people who are connected to this process up to date. Only the database knows the state of a
 * meeting: an announcement makes the hub look at it, and the hub also looks at intervals. So people on
 * different processes see the same, and a lost announcement costs a moment.
 */
export class Hub implements Followable {
  readonly #parts: HubParts;
  readonly #watches = new Map<string, Watch>();
  readonly #post: SignalPost;
  readonly #unlisten: () => Promise<void> | void;
  readonly #timer: NodeJS.Timeout;
  /** Goes through all meetings again and again. */
  #round: Iterator<Watch> = [].values();
  /** Looks that are due. */
  #due = 0;

  /** Starts to look. */
  constructor(parts: HubParts) {
    const { database, onError } = parts;
    this.#parts = parts;
    this.#post = new SignalPost(database, onError);
    this.#unlisten = database.announcements.listen((meetingId) =>
      meetingId === undefined ? this.#lookAtAll() : this.#watches.get(meetingId)?.lookSoon(),
    );
    this.#timer = setInterval(() => this.#lookOn(), TICK_MS).unref();
  }

  /** Adds somebody's socket; an older one of the same seat is closed. */
  add(meetingId: string, member: Member): void {
    this.#watchOf(meetingId).add(member);
  }

  /** Removes a socket, unless a newer one has taken its place. */
  remove(meetingId: string, member: Member): void {
    this.#watches.get(meetingId)?.remove(member);
  }

  /** Calls the follower with each look that begins from now on. */
  follow(meetingId: string, follower: Follower): () => void {
    return this.#watchOf(meetingId).follow(follower);
  }

  /** Sends messages to sockets on any process. Never throws. */
  deliver(messages: readonly Message[]): void {
    const { database, onMuted, onError } = this.#parts;
    const muted = mutedBy(messages);
    if (muted) onMuted?.(muted.meetingId, muted.seatIds, muted.media);
    const elsewhere = messages.filter(
      ({ meetingId, seatId, message }) => !this.#watches.get(meetingId)?.pass(seatId, message),
    );
    if (elsewhere.length === 0) return;
    database
      .change((tx) => leaveMessages(tx, elsewhere))
      .then(() => database.announcements.announce(elsewhere.map(({ meetingId }) => meetingId)))
      .catch(onError);
  }

  /** Passes a signal to another browser. @returns false if the sender may not know of it */
  signal(meetingId: string, from: string, to: string, data: string): boolean {
    const watch = this.#watches.get(meetingId);
    const signals = watch?.signal(from, to, data);
    if (watch === undefined || signals === undefined) return false;
    for (const signal of signals)
      if (!watch.pass(to, signal.message)) this.#post.leave(signal, Buffer.byteLength(data));
    return true;
  }

  /** Stops looking. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#unlisten();
    await this.#post.stop();
    await Promise.all([...this.#watches.values()].map((watch) => watch.settled()));
  }

  /** Looks at the meetings whose turn it is, announced or not. */
  #lookOn(): void {
    const perSecond = Math.min(this.#watches.size / (LOOK_MS / 1000), MOST_LOOKS);
    for (this.#due += (perSecond * TICK_MS) / 1000; this.#due >= 1; this.#due -= 1) {
      this.#next()?.lookSoon();
    }
  }

  /** The meeting whose turn it is; undefined if there is none. */
  #next(): Watch | undefined {
    const next = this.#round.next();
    if (!next.done) return next.value;
    this.#round = this.#watches.values();
    return this.#round.next().value;
  }

  #lookAtAll(): void {
    for (const watch of this.#watches.values()) watch.lookSoon();
  }

  #watchOf(meetingId: string): Watch {
    const watch =
      this.#watches.get(meetingId) ??
      new Watch(meetingId, this.#parts, (idle) => {
        if (this.#watches.get(meetingId) === idle) this.#watches.delete(meetingId);
      });
    this.#watches.set(meetingId, watch);
    return watch;
  }
}
