import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Medium } from "../../../contract/meetings/commands.ts";
import type { Database } from "../../db/open.ts";
import { EngineRefused, isOnNoNode, type MediaEngine } from "../../media/engine.ts";
import type { Grant } from "../../media/grants.ts";
import { type Admission, type Denial, openRelay, type Relay } from "../../media/relay.ts";
import type { IceServer } from "../../media/turn.ts";
import {
  type Connected,
  connectMedia,
  disconnectMedia,
  personOfMediaTicket,
} from "../doors/presence.ts";
import { grantOf } from "../people/rights.ts";
import type { Hub } from "../socket/hub.ts";
import type { Snapshot } from "../state/snapshot.ts";
import { type Entry, type Followed, isSeenOtherwise, seeOf, seesLess } from "./followed.ts";
import { openMuting } from "./mute.ts";
import { openOwedRemovals } from "./owed-removals.ts";
import { shareRemovals } from "./shared-removals.ts";

/*
 * The gate in front of the media engine: a person with a living seat may connect, and gets what the room's
 * settings allow, now and after each change of the meeting.
 */

/** How long browsers have to close their connections when the process ends. */
const END_MS = 2_000;

export interface GateOptions {
  readonly database: Database;
  readonly hub: Pick<Hub, "follow">;
  readonly engine: Pick<MediaEngine, "connect" | "update" | "remove">;
  readonly processId: string;
  /** The STUN and TURN servers that a seat's browser may use. */
  readonly iceOf: (seatId: string) => readonly IceServer[];
  readonly log: Pick<Logger, "warn" | "error">;
}

export interface Gate {
  readonly relay: Relay;
  /**
   * Removes somebody who has no seat any more.
   *
   * @returns once they are certainly not in the engine, and this process is not connecting them to it
   * @throws EngineUnavailable
   */
  remove(meetingId: string, seatId: string): Promise<void>;
  /** Stops the media that people send; they may start again. */
  mute(meetingId: string, seatIds: readonly string[], media: readonly Medium[]): Promise<void>;
  /** Cuts everybody's connection; people with a seat come back. */
  cutAll(): void;
  /** Sends everybody to another process; resolves once their seats are kept for them. */
  end(): Promise<void>;
}

const denied: Denial = { status: 403 };
/** Stands for the engine's grant when it is not known. */
const UNKNOWN = "";

/** Opens the gate of this process. */
export const openGate = (options: GateOptions): Gate => {
  const { database, hub, engine, processId, iceOf, log } = options;
  const meetings = new Map<string, Followed>();
  const admissions = new Map<Admission, Connected>();
  const closing = new Set<Promise<void>>();
  const muting = openMuting(database, engine, log);
  const owed = openOwedRemovals(engine, log);

  const grantNow = ({ snapshot }: Followed, seatId: string): Grant | undefined => {
    const seat = snapshot?.seats.find(({ id }) => id === seatId);
    return snapshot && seat && grantOf(snapshot, seat);
  };

  /** Updates the engine's grant to the room's settings; the next look retries what fails. */
  const regrant = async (followed: Followed, entry: Entry): Promise<void> => {
    if (entry.isGranting || entry.granted === undefined) return;
    entry.isGranting = true;
    try {
      for (;;) {
        const grant = grantNow(followed, entry.seatId);
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
  };

  const forget = (followed: Followed, entry: Entry): void => {
    if (followed.entries.get(entry.seatId) !== entry) return;
    followed.entries.delete(entry.seatId);
    if (followed.entries.size > 0) return;
    followed.unfollow();
    meetings.delete(followed.meetingId);
  };

  const removeNow: Gate["remove"] = async (meetingId, seatId) => {
    const followed = meetings.get(meetingId);
    const entry = followed?.entries.get(seatId);
    if (followed !== undefined && entry !== undefined) {
      entry.hasEnded = true;
      if (entry.dials.size > 0) {
        // Removes the person if they are inside; a connection in progress is removed below, once it is open.
        await engine.remove(meetingId, seatId).catch((error: unknown) => {
          // The removal below throws it, once no connection is in progress.
          if (!isOnNoNode(error)) throw error;
        });
        relay.cut(seatId);
        await Promise.allSettled(entry.dials);
      }
      // The ticket is void, so there will be no further dial.
      forget(followed, entry);
    }
    await engine.remove(meetingId, seatId);
    relay.cut(seatId);
  };

  // The announcement of a seat's end and the sweep both ask for the removal: they share it.
  const { remove, outdate } = shareRemovals(removeNow);

  /** Removes a person whose seat has ended, at once. If that fails, the sweeper does it later. */
  const expel = (followed: Followed, { seatId }: Entry): void => {
    remove(followed.meetingId, seatId).catch((err: unknown) => {
      relay.cut(seatId);
      log.warn({ err }, "somebody is removed from the media engine later");
    });
  };

  /**
   * Removes somebody who sees less than before, and whose signaling nobody relays: the engine would go on
   * sending them the same media for as long as their media connection lives. With their ticket they come
   * back.
   */
  const removeUnrelayed = (followed: Followed, entry: Entry): void => {
    const by = followed.seats.get(entry.seatId)?.media_process ?? processId;
    if (by !== processId) return;
    entry.owesRemoval = true;
    // A connection in progress settles it itself: a removal now could end the new connection.
    if (entry.arriving === 0 && entry.dials.size === 0) void owed.settle(followed, entry);
  };

  const look = (followed: Followed, snapshot: Snapshot | undefined): void => {
    const isOther = snapshot !== undefined && isSeenOtherwise(followed, snapshot);
    const { seats = [] } = snapshot ?? {};
    const before = { ...followed };
    followed.snapshot = snapshot ?? followed.snapshot;
    followed.seats = new Map(seats.map((seat) => [seat.id, seat]));
    for (const id of followed.seats.keys()) followed.strangers.delete(id);
    for (const entry of followed.entries.values()) {
      const { seatId, isSeen, hasEnded } = entry;
      if (!followed.seats.has(seatId)) {
        // A seat that no look has found yet may be newer than this look.
        if (isSeen && !hasEnded) expel(followed, entry);
        continue;
      }
      const isHere = !isOther || relay.look(seatId, seeOf(followed, seatId));
      if (!isHere && seesLess(before, followed, seatId)) removeUnrelayed(followed, entry);
      void regrant(followed, entry);
    }
  };

  const follow = (meetingId: string): Followed => {
    const known = meetings.get(meetingId);
    if (known !== undefined) return known;
    const followed: Followed = {
      meetingId,
      entries: new Map(),
      snapshot: undefined,
      seats: new Map(),
      strangers: new Set(),
      unfollow: () => {},
    };
    followed.unfollow = hub.follow(meetingId, (snapshot) => look(followed, snapshot));
    meetings.set(meetingId, followed);
    return followed;
  };

  const entryOf = (followed: Followed, seatId: string): Entry => {
    const fresh = {
      isSeen: false,
      hasEnded: false,
      owesRemoval: false,
      granted: undefined,
      isGranting: false,
    };
    const entry = followed.entries.get(seatId) ?? {
      seatId,
      connection: 0,
      arriving: 0,
      dials: new Set(),
      ...fresh,
    };
    followed.entries.set(seatId, entry);
    return entry;
  };

  /** Waits for a look that begins now: after it, the others here know of the seat too. */
  const lookNow = (meetingId: string): Promise<Snapshot | undefined> =>
    new Promise((resolve) => {
      const stop = hub.follow(meetingId, (snapshot) => {
        stop();
        resolve(snapshot);
      });
    });

  const close = (connected: Connected, silentMs = 0): void => {
    const closed = disconnectMedia(database, connected, silentMs, (err) =>
      log.warn({ err }, "the end of a connection is stored later"),
    )
      .catch((err: unknown) => log.error({ err }, "the end of a connection is not stored"))
      .finally(() => closing.delete(closed));
    closing.add(closed);
  };

  const admit = async (ticket: string): Promise<Admission | Denial> => {
    const connected = await connectMedia(database, ticket, processId);
    if (connected === undefined) return denied;
    const { seat, meeting, connection } = connected;
    // With the entry in place, a removal of the seat finds it and waits for its dial.
    const followed = follow(meeting.id);
    const entry = entryOf(followed, seat.id);
    entry.connection = connection;
    entry.arriving += 1;
    const snapshot = await lookNow(meeting.id);
    await owed.settle(followed, entry);
    entry.arriving -= 1;
    const current = snapshot?.seats.find(({ id }) => id === seat.id);
    if (snapshot === undefined || current === undefined || entry.hasEnded) {
      if (!entry.isSeen) forget(followed, entry);
      close(connected);
      return denied;
    }
    entry.isSeen = true;
    if (entry.owesRemoval) {
      close(connected);
      return { status: 503 };
    }
    const admission: Admission = {
      meeting: meeting.id,
      seat: seat.id,
      connection,
      grant: grantOf(snapshot, current),
      see: seeOf(followed, seat.id),
      ice: iceOf(seat.id),
    };
    admissions.set(admission, connected);
    return admission;
  };

  const dial: MediaEngine["connect"] = async (meetingId, seatId, grant, joinRequest, isWanted) => {
    const followed = meetings.get(meetingId);
    const entry = followed?.entries.get(seatId);
    if (followed === undefined || entry === undefined || entry.hasEnded)
      throw new EngineRefused(403);
    outdate(seatId);
    const isMeant = () => !entry.hasEnded && !entry.owesRemoval && isWanted?.() !== false;
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
      void regrant(followed, entry);
      return socket;
    } finally {
      entry.dials.delete(dialing);
      if (entry.arriving === 0 && entry.dials.size === 0) await owed.settle(followed, entry);
    }
  };

  const relay = openRelay(
    { connect: dial },
    {
      admit,
      check: async (ticket) => {
        const person = await personOfMediaTicket(database, ticket);
        return person === undefined ? denied : { person };
      },
      // A client that only reconnects also sends `leave`: the seat is kept in either case.
      closed: (admission, _how, silentMs) => {
        const connected = admissions.get(admission);
        admissions.delete(admission);
        if (connected !== undefined) close(connected, silentMs);
      },
    },
    log,
  );

  return {
    relay,
    remove,
    mute: muting.mute,
    cutAll() {
      for (const seatId of relay.seats()) relay.cut(seatId);
    },
    async end() {
      relay.stop();
      muting.stop();
      const until = performance.now() + END_MS;
      while (relay.seats().size > 0 && performance.now() < until) await sleep(20);
      // If the database cannot be reached, the seats of this process are given up later.
      await Promise.race([Promise.all(closing), sleep(END_MS, undefined, { ref: false })]);
    },
  };
};
