import { type Operations, operations } from "./index.ts";
import type { Input, Operation, Reply } from "./kit/operation.ts";
import type { Code } from "./kit/texts.ts";

/*
 * The parts of the operations that the client needs. In the packed client a generated module replaces
 * this one (packaging/client-calls.ts), so that the client contains no schemas.
 */

export type { FieldError, Reason, ReasonCode } from "./kit/reasons.ts";
export type { Code } from "./kit/texts.ts";
export type { CommandName, Commands } from "./meetings/commands.ts";
export type {
  ChatMessage,
  EndCode,
  EndReason,
  Peer as MeetingPeer,
  ServerMessage,
  View as MeetingView,
} from "./meetings/socket.ts";

/** The codes of failures that this version knows. */
export type KnownCode = Code;

/** How an operation is called. */
export type CallPlan = Pick<Operation, "method" | "path" | "in" | "access" | "file" | "changes">;

export const calls: Readonly<Record<string, CallPlan>> = Object.fromEntries(
  Object.entries(operations).map(
    ([id, { method, path, in: where, access, file, changes }]: [string, Operation]) => [
      id,
      { method, path, in: where, access, ...(file && { file }), ...(changes && { changes }) },
    ],
  ),
);

/** The input of each operation. */
export type Inputs = { readonly [K in keyof Operations]: Input<Operations[K]> };
/** The answer of each operation. */
export type Replies = { readonly [K in keyof Operations]: Reply<Operations[K]> };
