import type { ServerMessage } from "../../contract/meetings/socket.ts";
import type { Queries } from "../change/organization.ts";
import type { Database } from "../db/open.ts";
import { openBucket } from "../lib/bucket.ts";
import { leaveMessages, type Message } from "../meetings/seats/messages.ts";
import { openBuckets, STORED, STORED_FOR_ONE } from "../meetings/state/rate.ts";

/*
 * Signals to people whose sockets are on another process go through the database. Nothing is kept
 * for a person who is away: their page negotiates again when it is back. Dropped signals leave one
 * message that says so.
 */

const LOST: ServerMessage = { type: "signalsLost" };
const LOST_TEXT = JSON.stringify(LOST);

const lostOf = ({ meetingId, seatId }: Message): Message => ({ meetingId, seatId, message: LOST });

/** Stores signals, those for people without a socket as lost. */
const store = async (
  tx: Queries,
  signals: readonly Message[],
  lost: readonly Message[],
): Promise<void> => {
  const seatIds = [...new Set([...signals, ...lost].map(({ seatId }) => seatId))];
  const living = await tx
    .selectFrom("seats")
    .select(["id", "process"])
    .where("id", "in", seatIds)
    .where("left_at", "is", null)
    .execute();
  const marked = await tx
    .selectFrom("seat_messages")
    .select("seat_id")
    .where("meeting_id", "in", [...new Set([...signals, ...lost].map((one) => one.meetingId))])
    .where("seat_id", "in", seatIds)
    .where("message", "=", LOST_TEXT)
    .execute();
  const here = new Set(living.flatMap(({ id, process }) => (process === null ? [] : [id])));
  const unmarked = new Set(living.map(({ id }) => id));
  for (const { seat_id } of marked) unmarked.delete(seat_id);
  const missed = new Map(
    [...lost, ...signals.filter(({ seatId }) => !here.has(seatId))]
      .filter(({ seatId }) => unmarked.has(seatId))
      .map((one) => [one.seatId, lostOf(one)]),
  );
  const kept = signals.filter(({ seatId }) => here.has(seatId));
  await leaveMessages(tx, [...kept, ...missed.values()]);
};

/** Leaves signals for other processes, in their order; those that come meanwhile share the next change. */
export class SignalPost {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  readonly #fitsForOne = openBuckets(STORED_FOR_ONE);
  readonly #fits = openBucket(STORED);
  #signals: Message[] = [];
  /** For each receiver of whose signals some were dropped, one of them. */
  readonly #lost = new Map<string, Message>();
  #leaving: Promise<void> | undefined;

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** Leaves a signal for its receiver, or that it was dropped. Never throws. */
  leave(signal: Message, bytes: number): void {
    if (this.#fitsForOne(signal.seatId, bytes) && this.#fits(bytes)) this.#signals.push(signal);
    else this.#lost.set(signal.seatId, signal);
    this.#leaving ??= this.#leaveAll();
  }

  /** Resolves once nothing is on its way. */
  async stop(): Promise<void> {
    await this.#leaving;
  }

  async #leaveAll(): Promise<void> {
    while (this.#signals.length + this.#lost.size > 0) {
      const signals = this.#signals;
      const lost = [...this.#lost.values()];
      this.#signals = [];
      this.#lost.clear();
      try {
        await this.#database.change((tx) => store(tx, signals, lost));
        const meetingIds = new Set([...signals, ...lost].map(({ meetingId }) => meetingId));
        this.#database.announcements.announce([...meetingIds]);
      } catch (error) {
        this.#onError(error);
        // The next signal tries to say so.
        for (const one of [...signals, ...lost]) this.#lost.set(one.seatId, one);
        break;
      }
    }
    this.#leaving = undefined;
  }
}
