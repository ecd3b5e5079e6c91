import assert from "node:assert/strict";
import { type Answer, type Ask, type OperationId, outcomeOf } from "../world/ask.ts";

/** One request of a history. */
export interface Event {
  readonly client: number;
  readonly id: OperationId;
  readonly input: unknown;
  /** Positions in the one order of calls and answers that the recorder saw. */
  readonly called: number;
  /** Infinity where no answer came. */
  readonly answered: number;
  /** `ok`, the code of a failure, or `unknown`: it may or may not have been done. */
  readonly outcome: string;
  readonly answer: Answer | undefined;
}

/** Records what was asked, when, and what came of it, for every checker. */
export interface History {
  readonly events: Event[];
  /** Asks, and records it. A request that breaks is `unknown`, never a failure. */
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
        // An answer that the contract does not know is a fault, not an unknown outcome.
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

/** How often each outcome came. */
export const tally = (events: readonly Pick<Event, "outcome">[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { outcome } of events) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};

/** What a thing is and does, for the checker of histories. */
export interface Specification<State> {
  readonly initial: State;
  /** The state after an event, or undefined where it could not have come to this in this state. */
  step(state: State, event: Event): State | undefined;
}

/**
 * Whether a history could have come from doing its events one after the other, each at some moment
 * between its call and its answer: tries every order, remembering what was tried (Wing and Gong).
 */
export const isLinearizable = <State>(
  events: readonly Event[],
  { initial, step }: Specification<State>,
): boolean => {
  const tried = new Set<string>();
  const search = (left: readonly Event[], state: State): boolean => {
    // Those without an answer need not have been done.
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
