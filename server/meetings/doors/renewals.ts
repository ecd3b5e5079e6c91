import { SILENT_MS } from "../../lib/lease.ts";

/** How often a process renews its row, in milliseconds. */
const RENEW_MS = 5_000;

/**
 * When this process has renewed its row, and whether it may judge others by theirs: right after an outage of
 * the database, or when all processes have stood still with their machine, the rows of all of them are old.
 */
export class Renewals {
  #last: number;
  /** Renewals in a row, none failed or late. */
  #steady = 0;

  /** @param at when the row was made, by the clock of this process */
  constructor(at: number) {
    this.#last = at;
  }

  /** Returns whether the row is to be renewed. */
  isDue(at: number): boolean {
    return at - this.#last >= RENEW_MS;
  }

  /** The row was renewed. */
  succeeded(at: number): void {
    this.#steady = at - this.#last < SILENT_MS ? this.#steady + 1 : 0;
    this.#last = at;
  }

  /** The row could not be renewed. */
  failed(): void {
    this.#steady = 0;
  }

  /** True if a process that has not renewed its row meanwhile is dead. */
  get mayJudge(): boolean {
    return this.#steady > SILENT_MS / RENEW_MS;
  }
}
