import type { Operation } from "./operation.ts";
import type { Code } from "./texts.ts";

/*
 * What access keys may do. People need no scope: what they may do follows from `admin` and from the
 * rooms that they own.
 */

/**
 * read: answers only, without those that name `everything`: the history, the deliveries of webhooks, a
 * person's whole file, the archive; rooms: also changes of rooms, meetings and recordings; people: also
 * changes of people without `admin`; everything: all of it, and the organization and its access keys.
 */
export const scopes = ["read", "rooms", "people", "everything"] as const;
export type Scope = (typeof scopes)[number];

/** What changes of a group need; those of a group that has no line need everything. */
const ofGroup: Partial<Record<Operation["group"], Scope>> = {
  Rooms: "rooms",
  Meetings: "rooms",
  Recordings: "rooms",
  Live: "rooms",
  Transcripts: "rooms",
  Users: "people",
};

/** The parts of an operation from which its scope follows. */
export type Scoped = Pick<Operation, "method" | "group" | "scope">;

/** The scope that an access key needs for an operation. */
export const scopeOf = ({ method, group, scope }: Scoped): Scope =>
  scope ?? (method === "GET" ? "read" : (ofGroup[group] ?? "everything"));

/** Whether access keys call an operation with their tokens. */
export const isForKeys = ({ access }: Pick<Operation, "access">): boolean =>
  access !== "anyone" && access !== "person";

/** Whether a scope includes another one. */
export const includes = (held: Scope, needed: Scope): boolean =>
  held === "everything" || needed === "read" || held === needed;

/** The failure of an access key without the scope that is needed; every key may read. */
export const scopeFailures = {
  rooms: "rooms_scope_needed",
  people: "people_scope_needed",
  everything: "everything_scope_needed",
} as const satisfies Record<Exclude<Scope, "read">, Code>;
