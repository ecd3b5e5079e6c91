import type { Code } from "./texts.ts";

/*
 * The scopes of access keys. People need no scope: their rights follow from `admin` and their rooms.
 */

/**
 * read: answers only, but not those with the scope `everything`: the history, the deliveries of webhooks, a
 * person's whole file, the archive; secrets: the same answers, with the secrets in them; rooms: also changes
 * to rooms, meetings and recordings, with their secrets; people: also changes to people without `admin`;
 * scim: no operation at all, only what a directory does by SCIM; everything: all operations, those on the
 * organization and its access keys included.
 */
export const scopes = ["read", "secrets", "rooms", "people", "scim", "everything"] as const;
export type Scope = (typeof scopes)[number];
/** A scope that an operation can need. */
export type NeededScope = Exclude<Scope, "secrets" | "scim">;

/** The groups of operations. */
export type Group =
  | "Rooms"
  | "Users"
  | "Access"
  | "Organization"
  | "Meetings"
  | "Recordings"
  | "Live"
  | "Transcripts"
  | "History"
  | "Imports"
  | "Recycle bin"
  | "Webhooks"
  | "Usage";

/** The scope for changes, by group; other groups need everything. */
const ofGroup: Partial<Record<Group, NeededScope>> = {
  Rooms: "rooms",
  Meetings: "rooms",
  Recordings: "rooms",
  Live: "rooms",
  Transcripts: "rooms",
  Users: "people",
};

/** The parts of an operation that determine its scope. */
export interface Scoped {
  readonly group: Group;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The scope that an access key needs, if it does not follow from method and group. */
  readonly scope?: NeededScope;
}

/** The scope that an access key needs for an operation. */
export const scopeOf = ({ method, group, scope }: Scoped): NeededScope =>
  scope ?? (method === "GET" ? "read" : (ofGroup[group] ?? "everything"));

/** Returns whether a scope includes another one. */
export const includes = (held: Scope, needed: NeededScope): boolean =>
  held === "everything" || held === needed || (needed === "read" && held !== "scim");

/**
 * Returns whether a scope reads a group's secrets: passwords and stream keys of rooms, addresses of
 * webhooks. A scope that changes the group does, because it can set them.
 */
export const readsSecrets = (held: Scope, group: Group): boolean =>
  held === "secrets" || includes(held, ofGroup[group] ?? "everything");

/** The failure of an access key without the needed scope; every key may read. */
export const scopeFailures = {
  rooms: "rooms_scope_needed",
  people: "people_scope_needed",
  everything: "everything_scope_needed",
} as const satisfies Record<Exclude<NeededScope, "read">, Code>;
