import assert from "node:assert/strict";
import { type Answer, type Ask, type OperationId, outcomeOf } from "../world/ask.ts";

/** One request of a recorded history. */
export interface Event {
  readonly client: number;
  readonly id: OperationId;
  readonly input: unknown;
  /** Positions of the call and the answer in the recorder's single order. */
  readonly called: number;
  /** Infinity if no answer came. */
  readonly answered: number;
  /** `ok`, the code of a failure, or `unknown`: it may or may not have been carried out. */
  readonly outcome: string;
  readonly answer: Answer | undefined;
}

/** Records requests, their times and their outcomes, for every checker. */
export interface History {
  readonly events: Event[];
  /** Sends a request, and records it. A broken connection is `unknown`, never a failure. */
  ask(client: number, ask: Ask, id: OperationId, input: unknown): Promise<Event>;
}

export const startHistory = (): History => {
  let moment = 0;
  const events: Event[] = [];
  return {
    events,
    async ask(client, ask, id, input) {
      moment += 1;
      const called = moment;
      let answer: Answer | undefined;
      try {
        answer = await ask(id, input);
      } catch (error) {
        // An answer outside the contract is a fault, not an unknown outcome.
        if (error instanceof assert.AssertionError) throw error;
      }
      moment += 1;
      const answered = answer === undefined ? Number.POSITIVE_INFINITY : moment;
      const outcome = answer === undefined ? "unknown" : outcomeOf(answer);
      const event: Event = { client, id, input, called, answered, outcome, answer };
      events.push(event);
      return event;
    },
  };
};

/** How often each outcome occurred. */
export const tally = (events: readonly Pick<Event, "outcome">[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { outcome } of events) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};

/** The states and events of a subject, for the checker of histories. */
export interface Specification<State> {
  readonly initial: State;
  /** The state after an event, or undefined if the event is impossible in this state. */
  step(state: State, event: Event): State | undefined;
}

/**
 * Returns whether a history could result from its events happening one after the other, each at some moment between
 * its call and its answer: tries every order, and remembers what it has tried (Wing and Gong).
 */
export const isLinearizable = <State>(
  events: readonly Event[],
  { initial, step }: Specification<State>,
): boolean => {
  const tried = new Set<string>();
  const search = (left: readonly Event[], state: State): boolean => {
    // Events without an answer need not have happened.
    if (left.every(({ outcome }) => outcome === "unknown")) return true;
    const key = `${left.map(({ called }) => called)}|${JSON.stringify(state)}`;
    if (tried.has(key)) return false;
    tried.add(key);
    const first = Math.min(...left.map(({ answered }) => answered));
    return left.some((event) => {
      if (event.called > first) return false;
      const rest = left.filter((other) => other !== event);
      const next = step(state, event);
      return next !== undefined && search(rest, next);
    });
  };
  return search(events, initial);
};
