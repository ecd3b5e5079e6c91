import type { z } from "zod";
import type { Operation } from "../../contract/kit/operation.ts";
import type { Change } from "../change/organization.ts";
import type { SeatRow } from "../db/meeting-tables.ts";
import type { RoomRow } from "../db/tables.ts";
import { refusalOf, refuse } from "../lib/refusal.ts";
import type { Connected } from "../meetings/doors/presence.ts";
import { isPerson, type PersonSeat } from "../meetings/seats/seat.ts";
import type { Inside } from "../meetings/state/inside.ts";
import type { MessageSender } from "../meetings/state/rate.ts";
import type { CurrentSeat, Who } from "./current-seat.ts";
import type { Hub } from "./hub.ts";
import { type Acted, actInRoom } from "./outside.ts";

/*
 * The commands of a meeting. The three functions below each make one from its input and its rule; the meeting
 * socket and the HTTP operations use what they return and know no command by its name.
 */

/** A command with its input, as the meeting socket carries it out: in a change, or without one. */
export type Order =
  | {
      /** Returns whether it would change nothing now: it is then answered without a change. */
      readonly isDone?: ((current: CurrentSeat) => boolean) | undefined;
      readonly act: (inside: Inside, seat: SeatRow) => Promise<unknown>;
    }
  | { readonly pass: (passing: Passing) => void };

/** The objects on which a command without a change acts. */
export interface Passing {
  readonly connected: Connected;
  readonly sender: MessageSender;
  readonly hub: Pick<Hub, "signal">;
}

/** One command of a meeting. */
export interface Command {
  /** The people who may send it over the meeting socket. */
  readonly who: Who;
  /** The amount that it uses of the sender's allowances, besides a message. */
  readonly counts?: Counts | undefined;
  /** Checks the input. @throws Refusal `invalid_input` */
  readonly order: (raw: unknown) => Order;
  /** Hands its operation to a function that binds any operation; undefined: it is none. */
  readonly bind?: (<T>(bind: Bind<T>) => T) | undefined;
}

/** A change that everybody sees, or a report of the connection. */
export type Counts = "changes" | "reports";

/** An operation by what it takes and what it answers. */
type ChangingOperation<Given, Answer> = Operation<z.ZodType<Given>, z.ZodType<Answer>> & {
  readonly changes: true;
};

/** Binds an operation by what it does in a change, and by its answer. */
export type Bind<T> = <Given, Answer, Result>(
  operation: ChangingOperation<Given, Answer>,
  act: (change: Change, input: Given) => Promise<Acted<Result>>,
  answer: (result: Result) => Answer,
) => T;

const checked = <S extends z.ZodType>(input: S, raw: unknown): z.output<S> => {
  const { success, data, error } = input.safeParse(raw);
  if (success) return data;
  throw refusalOf(error.issues);
};

/** A command of people with a seat, about themselves. Captures only receive. */
export const ofPeople = <S extends z.ZodType>({
  who = "people inside",
  counts,
  input,
  isDone,
  rule,
}: {
  readonly who?: Who;
  readonly counts?: Counts;
  readonly input: S;
  readonly isDone?: (current: CurrentSeat, input: z.output<S>) => boolean;
  readonly rule: (inside: Inside, seat: PersonSeat, input: z.output<S>) => Promise<void>;
}): Command => ({
  who,
  counts,
  order: (raw) => {
    const given = checked(input, raw);
    return {
      isDone: isDone && ((current) => isDone(current, given)),
      act: (inside, seat) =>
        rule(inside, isPerson(seat) ? seat : refuse("not_in_this_room"), given),
    };
  },
});

/** A command that changes nothing in the database. */
export const withoutChange = <S extends z.ZodType>(
  input: S,
  pass: (passing: Passing, input: z.output<S>) => void,
): Command => ({
  who: "everybody",
  order: (raw) => {
    const given = checked(input, raw);
    return { pass: (passing) => pass(passing, given) };
  },
});

/** A command of moderators whose operation is bound elsewhere, because it also means something else. */
export const ofModeratorsInside = <S extends z.ZodType>(
  input: S,
  rule: (inside: Inside, input: z.output<S>) => Promise<unknown>,
): Command => ({
  who: "moderators",
  order: (raw) => {
    const given = checked(input, raw);
    return { act: (inside) => rule(inside, given) };
  },
});

/**
 * A command of moderators, and the operation by which administrators, access keys and the room's owners give
 * it from outside.
 */
export const ofModerators = <
  Input,
  Sent extends Input,
  Given extends Input & { readonly roomId: string },
  Answer,
  Result,
>({
  input,
  rule,
  operation,
  answer,
  alone = () => refuse("no_meeting"),
}: {
  readonly input: z.ZodType<Sent>;
  readonly rule: (inside: Inside, input: Input) => Promise<Result>;
  readonly operation: ChangingOperation<Given, Answer>;
  readonly answer: (result: Result) => Answer;
  /** Runs in a room without a meeting; refuses by default. */
  readonly alone?: (change: Change, row: RoomRow, input: Input) => Promise<Result> | Result;
}): Command => ({
  ...ofModeratorsInside(input, rule),
  bind: (bind) =>
    bind(
      operation,
      (change, given) =>
        actInRoom(
          change,
          given.roomId,
          (inside) => rule(inside, given),
          (row) => alone(change, row, given),
        ),
      answer,
    ),
});
