import { z } from "zod";
import { choice, instant, pathId, textField } from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { limitTo, pagination, queryPage, search, sentPage } from "../kit/pages.ts";
import { says } from "../kit/reasons.ts";

/*
 * The recycle bin of an organization that has set `binDays`: deleted rooms and people stay there until they
 * are restored, deleted permanently, or their days end. Parley's own operations, for administrators and access
 * keys.
 */

const bin = { group: "Recycle bin", access: "administrator", failure: "message" } as const;

/** The most entries that one request may move. */
const MOST = 100;
const several = (what: "room IDs" | "user IDs" | "IDs of entries") => {
  const error = says("not_bounded_list", { min: 1, max: MOST, of: what });
  return z.array(textField(128), { error }).min(1, { error }).max(MOST, { error });
};

/** The kinds of entries in the bin. */
export const binKinds = ["room", "user"] as const;
export type BinKind = (typeof binKinds)[number];

const entry = z
  .strictObject({
    id: z.string(),
    kind: z.enum(binKinds),
    subjectId: z.string(),
    name: z.string(),
    /** The email address of a person; null for a room. */
    email: z.string().nullable(),
    deletedAt: instant(),
    endsAt: instant(),
  })
  .meta({ title: "BinEntry" });
/** A room or person in the bin. */
export type BinEntry = z.output<typeof entry>;

export const binRooms = operation({
  ...bin,
  id: "binRooms",
  scope: "rooms",
  changes: true,
  method: "POST",
  path: "/api/bin/rooms",
  summary: "Delete rooms into the recycle bin",
  in: "body",
  input: z.object({ rooms: several("room IDs").describe("The IDs of the rooms.") }),
  reply: success({ ids: z.array(z.string()), inUse: z.array(z.string()) }),
  status: 200,
  refusals: ["bin_off", "room_not_found"],
});

export const binUsers = operation({
  ...bin,
  id: "binUsers",
  scope: "people",
  changes: true,
  method: "POST",
  path: "/api/bin/users",
  summary: "Delete revoked people into the recycle bin",
  in: "body",
  input: z.object({ userIds: several("user IDs").describe("The user IDs of revoked people.") }),
  reply: success({ ids: z.array(z.string()) }),
  status: 200,
  refusals: [
    "bin_off",
    "user_not_found",
    "user_not_revoked",
    "own_account",
    "everything_scope_needed",
  ],
});

const size = limitTo(1000);
const wanted = z.object({
  page: queryPage,
  limit: size.taken,
  kind: choice(binKinds).optional().describe("Only rooms, or only people."),
  search: search.describe("A literal part of the name, in any case."),
});

export const listBin = operation({
  ...bin,
  id: "listBin",
  compressed: "always",
  method: "GET",
  path: "/api/bin",
  summary: "What rests in the recycle bin, the newest deletions first",
  in: "query",
  input: wanted,
  sent: wanted.extend({ page: sentPage, limit: size.sent }),
  reply: success({ entries: z.array(entry), pagination }),
  status: 200,
  refusals: [],
});

export const restoreFromBin = operation({
  ...bin,
  id: "restoreFromBin",
  changes: true,
  method: "POST",
  path: "/api/bin/restore",
  summary: "Restore rooms and people from the recycle bin",
  in: "body",
  input: z.object({ ids: several("IDs of entries").describe("The IDs of entries of the bin.") }),
  reply: success({}),
  status: 200,
  refusals: ["not_in_bin", "room_limit", "bin_email_taken"],
});

export const deleteFromBin = operation({
  ...bin,
  id: "deleteFromBin",
  fresh: "always",
  changes: true,
  method: "DELETE",
  path: "/api/bin/:id",
  summary: "Permanently delete a room or person from the recycle bin",
  in: "path",
  input: z.object({ id: pathId().describe("The ID of the entry of the bin.") }),
  reply: success({}),
  status: 200,
  refusals: ["not_in_bin"],
});
