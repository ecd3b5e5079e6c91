import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Medium } from "../../../contract/meetings/commands.ts";
import type { Database } from "../../db/open.ts";
import { EngineRefused, isOnNoNode, type MediaEngine } from "../../media/engine.ts";
import type { Published } from "../../media/publishing.ts";
import {
  type Admission,
  type Denial,
  type End,
  openRelay,
  type Relay,
  type SeatPerson,
} from "../../media/relay.ts";
import type { IceServer } from "../../media/turn.ts";
import {
  type Connected,
  connectMedia,
  disconnectMedia,
  personOfMediaTicket,
} from "../doors/presence.ts";
import type { Followable, Snapshot } from "../state/snapshot.ts";
import { storeDevices } from "./devices.ts";
import { Followed, type FollowedSeat } from "./followed-seats.ts";
import { type Muting, openMuting } from "./mute.ts";
import {
  type OwedRemovals,
  openOwedRemovals,
  type SharedRemovals,
  shareRemovals,
} from "./removals.ts";
import { grantOf } from "./rights.ts";

/** How long browsers have to close their connections when the process ends. */
const END_MS = 2_000;

export interface GateOptions {
  readonly database: Database;
  readonly hub: Followable;
  readonly engine: Pick<MediaEngine, "connect" | "update" | "remove">;
  readonly processId: string;
  /** The STUN and TURN servers that a seat's browser may use. */
  readonly iceOf: (seatId: string) => readonly IceServer[];
  readonly log: Pick<Logger, "warn" | "error">;
}

const denied: Denial = { status: 403 };
/** How long the report of a client is waited for, in milliseconds. */
const REPORT_MS = 100;
/** Stands for the engine's grant when it is not known. */
const UNKNOWN = "";

/**
 * The gate of this process in front of the media engine: a person with a living seat may connect, and gets
 * what the room's settings allow, now and after each change of the meeting.
 */
export class Gate {
  /** The relay between browsers and the engine. */
  readonly relay: Relay;
  readonly #options: GateOptions;
  readonly #meetings = new Map<string, { readonly followed: Followed; unfollow: () => void }>();
  readonly #admissions = new Map<Admission, Connected>();
  /** Ends of connections that are being stored. */
  readonly #closing = new Set<Promise<void>>();
  readonly #muting: Muting;
  readonly #owed: OwedRemovals;
  /** The announcement of a seat's end and the sweep both ask for the removal: they share it. */
  readonly #removals: SharedRemovals;

  constructor(options: GateOptions) {
    const { database, engine, log } = options;
    this.#options = options;
    this.#muting = openMuting(database, engine, log);
    this.#owed = openOwedRemovals(engine, log);
    this.#removals = shareRemovals((meetingId, seatId) => this.#removeNow(meetingId, seatId));
    this.relay = openRelay(
      { connect: this.#dial },
      {
        admit: (ticket) => this.#admit(ticket),
        check: (ticket) => this.#check(ticket),
        // A client that only reconnects also sends `leave`: the seat is kept in either case.
        closed: (admission, how, silentMs) => this.#closed(admission, how, silentMs),
        published: (admission, published) => this.#published(admission, published),
      },
      log,
    );
  }

  /**
   * Removes a person without a seat.
   *
   * @returns once they are certainly not in the engine, and this process is not connecting them
   * @throws EngineUnavailable
   */
  remove(meetingId: string, seatId: string): Promise<void> {
    return this.#removals.remove(meetingId, seatId);
  }

  /** Stops the media that people send; they may start again. */
  mute(meetingId: string, seatIds: readonly string[], media: readonly Medium[]): Promise<void> {
    return this.#muting.mute(meetingId, seatIds, media);
  }

  /** Cuts everybody's connection; people with a seat come back. */
  cutAll(): void {
    for (const seatId of this.relay.seats()) this.relay.cut(seatId);
  }

  /** Sends everybody to another process; resolves once their seats are kept for them. */
  async end(): Promise<void> {
    this.relay.stop();
    this.#muting.stop();
    const until = performance.now() + END_MS;
    while (this.relay.seats().size > 0 && performance.now() < until) await sleep(20);
    // If the database cannot be reached, the seats of this process are given up later.
    await Promise.race([Promise.all(this.#closing), sleep(END_MS, undefined, { ref: false })]);
  }

  async #check(ticket: string): Promise<SeatPerson | Denial> {
    const person = await personOfMediaTicket(this.#options.database, ticket);
    return person === undefined ? denied : { person };
  }

  /** Connects the seat of a ticket, and waits for a look at its meeting. */
  async #admit(ticket: string): Promise<Admission | Denial> {
    const { database, processId } = this.#options;
    const connected = await connectMedia(database, ticket, processId);
    if (connected === undefined) return denied;
    const { seat, meeting, connection } = connected;
    // With the entry in place, a removal of the seat finds it and waits for its dial.
    const followed = this.#follow(meeting.id);
    const entry = followed.enter(seat.id);
    entry.connection = connection;
    entry.arriving += 1;
    const snapshot = await this.#lookNow(meeting.id);
    await this.#owed.settle(followed, entry);
    entry.arriving -= 1;
    const current = snapshot?.seats.find(({ id }) => id === seat.id);
    if (snapshot === undefined || current === undefined || entry.hasEnded) {
      if (!entry.isSeen) this.#forget(followed, entry);
      this.#close(connected);
      return denied;
    }
    entry.isSeen = true;
    if (entry.owesRemoval) {
      this.#close(connected);
      return { status: 503 };
    }
    const admission: Admission = {
      meeting: meeting.id,
      seat: seat.id,
      connection,
      grant: grantOf(snapshot, current),
      see: followed.seeOf(seat.id),
      memory: entry.memory,
      ice: this.#options.iceOf(seat.id),
    };
    this.#admissions.set(admission, connected);
    return admission;
  }

  /** Connects somebody who was admitted to the engine. */
  readonly #dial: MediaEngine["connect"] = async (
    meetingId,
    seatId,
    grant,
    joinRequest,
    isWanted,
  ) => {
    const { followed, entry } = this.#entryOf(meetingId, seatId);
    if (followed === undefined || entry === undefined || entry.hasEnded)
      throw new EngineRefused(403);
    this.#removals.outdate(seatId);
    const isMeant = () => !entry.hasEnded && !entry.owesRemoval && isWanted?.() !== false;
    const { engine } = this.#options;
    const dialing = engine.connect(meetingId, seatId, grant, joinRequest, isMeant);
    entry.dials.add(dialing);
    try {
      const socket = await dialing;
      if (entry.hasEnded || entry.owesRemoval) {
        socket.terminate();
        throw new EngineRefused(403);
      }
      // A resumed connection keeps its former grant, whatever the new token says.
      entry.granted = entry.connection > 1 ? UNKNOWN : JSON.stringify(grant);
      void this.#regrant(followed, entry);
      return socket;
    } finally {
      entry.dials.delete(dialing);
      if (!entry.isConnecting) await this.#owed.settle(followed, entry);
    }
  };

  #closed(admission: Admission, how: End, silentMs: number): void {
    if (how === "left") {
      const { entry } = this.#entryOf(admission.meeting, admission.seat);
      entry?.devices.leave(admission.connection);
    }
    const connected = this.#admissions.get(admission);
    this.#admissions.delete(admission);
    if (connected !== undefined) this.#close(connected, silentMs);
  }

  /** Stores the end of a connection. */
  #close(connected: Connected, silentMs = 0): void {
    const { database, log } = this.#options;
    const closed = disconnectMedia(database, connected, silentMs, (err) =>
      log.warn({ err }, "the end of a connection is stored later"),
    )
      .catch((err: unknown) => log.error({ err }, "the end of a connection is not stored"))
      .finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }

  #entryOf(meetingId: string, seatId: string) {
    const followed = this.#meetings.get(meetingId)?.followed;
    return { followed, entry: followed?.entries.get(seatId) };
  }

  #follow(meetingId: string): Followed {
    const known = this.#meetings.get(meetingId);
    if (known !== undefined) return known.followed;
    const followed = new Followed(meetingId);
    const following = { followed, unfollow: () => {} };
    following.unfollow = this.#options.hub.follow(meetingId, (snapshot) =>
      this.#look(followed, snapshot),
    );
    this.#meetings.set(meetingId, following);
    return followed;
  }

  #forget(followed: Followed, entry: FollowedSeat): void {
    if (!followed.forget(entry)) return;
    this.#meetings.get(followed.meetingId)?.unfollow();
    this.#meetings.delete(followed.meetingId);
  }

  /** Waits for a look that begins now: after it, the others here know of the seat too. */
  #lookNow(meetingId: string): Promise<Snapshot | undefined> {
    return new Promise((resolve) => {
      const stop = this.#options.hub.follow(meetingId, (snapshot) => {
        stop();
        resolve(snapshot);
      });
    });
  }

  /** Passes what a look has found on to the relay and the engine. */
  #look(followed: Followed, snapshot: Snapshot | undefined): void {
    const { isOther, seesLess } = followed.take(snapshot);
    for (const entry of followed.entries.values()) {
      const { seatId, isSeen, hasEnded } = entry;
      if (!followed.seats.has(seatId)) {
        // A seat that no look has found yet may be newer than this look.
        if (isSeen && !hasEnded) this.#expel(followed, entry);
        continue;
      }
      const isHere = !isOther || this.relay.look(seatId, followed.seeOf(seatId));
      if (!isHere && seesLess(seatId)) this.#removeUnrelayed(followed, entry);
      void this.#regrant(followed, entry);
      void this.#correct(followed, entry);
    }
  }

  #published({ meeting, seat, connection }: Admission, published: Published): void {
    const { followed, entry } = this.#entryOf(meeting, seat);
    entry?.devices.take(connection, published);
    if (followed !== undefined && entry !== undefined) void this.#correct(followed, entry);
  }

  /** Shows in the meeting what the engine says that a person publishes; the next look retries. */
  async #correct(followed: Followed, entry: FollowedSeat): Promise<void> {
    const { database, log } = this.#options;
    const seat = () => followed.seats.get(entry.seatId);
    const wrong = () => entry.devices.corrections(seat(), performance.now());
    if (entry.isCorrecting || wrong() === undefined) return;
    entry.isCorrecting = true;
    try {
      // The person's client reports most changes itself, in the same moment.
      await sleep(REPORT_MS, undefined, { ref: false });
      const [row, devices] = [seat(), wrong()];
      if (row && devices && !entry.hasEnded) await storeDevices(database, row, devices);
    } catch (err) {
      log.warn({ err }, "what somebody sends is shown later");
    } finally {
      entry.isCorrecting = false;
    }
  }

  /** Updates the engine's grant to the room's settings; the next look retries what fails. */
  async #regrant(followed: Followed, entry: FollowedSeat): Promise<void> {
    if (entry.isGranting || entry.granted === undefined) return;
    const { engine, log } = this.#options;
    entry.isGranting = true;
    try {
      for (;;) {
        const grant = followed.grantOf(entry.seatId);
        const text = JSON.stringify(grant);
        if (grant === undefined || entry.hasEnded || text === entry.granted) return;
        // An engine that does not answer may have taken the update all the same.
        entry.granted = UNKNOWN;
        if (!(await engine.update(followed.meetingId, entry.seatId, grant))) return;
        entry.granted = text;
      }
    } catch (err) {
      log.warn({ err }, "the media engine does not know yet what somebody may send");
    } finally {
      entry.isGranting = false;
    }
  }

  /** Removes a person whose seat has ended, at once. If that fails, the sweeper does it later. */
  #expel({ meetingId }: Followed, { seatId }: FollowedSeat): void {
    this.remove(meetingId, seatId).catch((err: unknown) => {
      this.relay.cut(seatId);
      this.#options.log.warn({ err }, "somebody is removed from the media engine later");
    });
  }

  async #removeNow(meetingId: string, seatId: string): Promise<void> {
    const { engine } = this.#options;
    const { followed, entry } = this.#entryOf(meetingId, seatId);
    if (followed !== undefined && entry !== undefined) {
      entry.hasEnded = true;
      if (entry.dials.size > 0) await this.#endDials(meetingId, entry);
      // The ticket is void, so there will be no further dial.
      this.#forget(followed, entry);
    }
    await engine.remove(meetingId, seatId);
    this.relay.cut(seatId);
  }

  /** Removes the person if they are inside; a connection in progress is removed afterwards, once it is open. */
  async #endDials(meetingId: string, { seatId, dials }: FollowedSeat): Promise<void> {
    await this.#options.engine.remove(meetingId, seatId).catch((error: unknown) => {
      // The removal afterwards throws it, once no connection is in progress.
      if (!isOnNoNode(error)) throw error;
    });
    this.relay.cut(seatId);
    await Promise.allSettled(dials);
  }

  /**
   * Removes a person who may see less, and whose signaling nobody relays: the engine would go on
   * sending the same media for as long as their media connection lives. They come back with their
   * ticket.
   */
  #removeUnrelayed(followed: Followed, entry: FollowedSeat): void {
    const { processId } = this.#options;
    const by = followed.seats.get(entry.seatId)?.media_process ?? processId;
    if (by !== processId) return;
    entry.owesRemoval = true;
    // A connection in progress settles it itself: a removal now could end the new connection.
    if (!entry.isConnecting) void this.#owed.settle(followed, entry);
  }
}
