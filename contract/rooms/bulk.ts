import { z } from "zod";
import { fieldError } from "../kit/field-error.ts";
import { instant, textField } from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { says } from "../kit/reasons.ts";
import { shapeOf } from "../kit/setting.ts";
import { editRoom } from "./rooms.ts";
import { allSettings } from "./settings.ts";

/*
 * Parley's own operations on several rooms at once. A refused room stays as it is, the others
 * change; the history has one entry for all, from which they are taken back together.
 */

/** The most rooms of one request. */
export const MOST_ROOMS = 100;

const error = says("not_bounded_list", { min: 1, max: MOST_ROOMS, of: "room IDs" });
const rooms = z
  .array(textField(128), { error })
  .min(1, { error })
  .max(MOST_ROOMS, { error })
  .transform((ids) => [...new Set(ids)])
  .describe("The IDs of the rooms.");

const refused = z.array(
  z
    .strictObject({
      room: z.string(),
      code: z.string(),
      message: z.string(),
      errors: z.array(fieldError).optional(),
    })
    .meta({ title: "RefusedRoom" }),
);
/** The rooms that stay as they are, and why. */
export type RefusedRooms = z.output<typeof refused>;

const bulk = { group: "Rooms", failure: "message", in: "body", status: 200 } as const;

const { room, roomOwnerId, name, ...settings } = editRoom.input.in.shape;
const owners = roomOwnerId
  .optional()
  .describe("The user IDs of the owners from now on, as one text.");

export const editRooms = operation({
  ...bulk,
  id: "editRooms",
  changes: true,
  method: "PUT",
  path: "/api/roomSetting/several",
  summary: "Edit several rooms: the same settings or owners for all of them",
  access: "administrator",
  owners: "edit",
  input: z
    .object({ rooms, roomOwnerId: owners, ...settings })
    .refine(({ rooms: _, ...given }) => Object.values(given).some((value) => value !== undefined), {
      error: says("nothing_to_set"),
      path: ["rooms"],
    })
    .transform(({ rooms: ids, roomOwnerId: given, roomPermalink, ...changes }) => ({
      rooms: ids,
      owners: given,
      changes: roomPermalink === undefined ? changes : { roomPermaLink: roomPermalink, ...changes },
    })),
  sent: z.object({
    rooms: z.array(z.string()).describe("The IDs of the rooms."),
    roomOwnerId: z
      .string()
      .optional()
      .describe("The user IDs of the owners from now on, as one text; omitted: they stay."),
    ...shapeOf(allSettings, "sent"),
  }),
  reply: success({ edited: z.array(z.string()), refused, entry: z.int().nullable() }),
  refusals: [],
});

export const deleteRooms = operation({
  ...bulk,
  id: "deleteRooms",
  fresh: "sometimes",
  changes: true,
  method: "POST",
  path: "/api/roomSetting/delete",
  summary: "Delete several rooms, into the recycle bin if the organization has one",
  access: "administrator",
  input: z.object({ rooms }),
  reply: success({
    deleted: z.array(z.string()),
    inUse: z.array(z.string()),
    refused,
    entry: z.int().nullable(),
  }),
  refusals: [],
});

export const findRoomsInUse = operation({
  ...bulk,
  group: "Meetings",
  id: "findRoomsInUse",
  scope: "read",
  method: "POST",
  path: "/api/meeting/inUse",
  summary: "Since when rooms are in use, and how many people are inside",
  access: "token",
  input: z.object({ rooms }),
  reply: success({
    rooms: z.array(z.strictObject({ room: z.string(), since: instant(), inside: z.int() })),
  }),
  refusals: [],
});
