import { DatabaseUnreachable, TurnMissed } from "../errors.ts";

/** A server that has answered nothing quickly for so long is away; less than any wait that ends with an error. */
const LATELY_MS = 2_500;

/** A server whose answers are all later than this is itself what requests wait for. */
const QUICK_MS = 400;

/** When a server has last answered anything quickly: it tells one that is away from one that is busy. */
export class Pulse {
  #answeredAt = Number.NEGATIVE_INFINITY;

  /** The server has answered what was asked at this moment, with a result or an error. */
  beat(askedAt: number): void {
    const current = performance.now();
    if (current - askedAt <= QUICK_MS) this.#answeredAt = current;
  }

  isThere(): boolean {
    return performance.now() - this.#answeredAt <= LATELY_MS;
  }

  /** The error of something that has waited too long. */
  lateness(cause?: unknown): DatabaseUnreachable | TurnMissed {
    return this.isThere() ? new TurnMissed(cause) : new DatabaseUnreachable(cause);
  }
}
