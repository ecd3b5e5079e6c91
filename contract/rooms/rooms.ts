import { z } from "zod";
import { choice, flag, isBlank, isStorable, pathId, queryFlag, textField } from "../kit/fields.ts";
import { nothing, operation, success, typedSuccess } from "../kit/operation.ts";
import {
  pagination,
  queryLimit,
  queryPage,
  search,
  sentLimit,
  sentPage,
  sortOrder,
} from "../kit/pages.ts";
import { says } from "../kit/reasons.ts";
import { shapeOf } from "../kit/setting.ts";
import { extendedRecord, roomName, roomRecord, supplied } from "./record.ts";
import { allSettings, roomTypes } from "./settings.ts";

/** The most owners of one room. */
export const MOST_OWNERS = 100;

const otherwise = says("not_joined_ids");
const ownersMeaning =
  "The user IDs of the owners as one text: one ID, or several joined by commas.";
const notOwners = says("not_owners", { min: 1, max: MOST_OWNERS });
const splitOwners = (joined: string): string[] => [
  ...new Set(joined.split(",").map((owner) => owner.trim())),
];
const areOwners = (owners: readonly string[]): boolean =>
  owners.length <= MOST_OWNERS && !owners.some(isBlank);

/** User IDs joined by commas: without the spaces around them, each once, in their order. */
const owners = textField(8192, { required: says("required"), otherwise })
  .transform(splitOwners)
  .refine(areOwners, { error: notOwners, when: ({ issues }) => issues.length === 0 });

/** The same, and "" for a room that no longer has an owner. */
const ownersOrNone = textField(8192, {
  required: says("required"),
  otherwise,
  blank: true,
})
  .transform((joined) => (isBlank(joined) ? [] : splitOwners(joined)))
  .refine(areOwners, { error: notOwners, when: ({ issues }) => issues.length === 0 });

const notNewRoom = says("not_new_room_id");
const notRoom = says("not_id_of", { of: "room" });

/** A room ID as it is chosen on create. */
const chosenRoom = z
  .union([z.number(), z.string().meta({ minLength: 1, maxLength: 128 })], { error: notNewRoom })
  .refine(
    (room) =>
      typeof room === "number"
        ? Number.isSafeInteger(room) && room >= 0
        : /^[A-Za-z0-9._~-]{1,128}$/.test(room) && !/^\.+$/.test(room) && room !== "paginated",
    { error: notNewRoom },
  )
  .transform(String);

/** A room ID that selects a room; an impossible one is answered as not found. */
const existingRoom = z
  .union([z.number(), z.string().meta({ minLength: 1, maxLength: 128 })], {
    error: ({ input }) => (input === undefined || input === null ? says("required") : notRoom),
  })
  .transform(String)
  .refine((room) => !isBlank(room), { error: says("required") })
  .refine((room) => room.length <= 128 && isStorable(room), { error: notRoom });

/** An answer's fields besides the settings: an edit ignores them. */
const readOnly = [
  "roomStatus",
  "totalCallTime",
  "createdAt",
  "updatedAt",
  "_id",
  "userId",
  "siteSetting",
] as const;

/** `Parley-Note` if the running meeting has another type. */
export const typeWaits = "roomType counts from the next meeting";

/** `Parley-Note` if meetings may be recorded, but nobody would be. */
export const recordsNobody =
  "enableRecording records nobody while recordModerator and recordParticipant are false";

export const createRoom = operation({
  id: "createRoom",
  changes: true,
  group: "Rooms",
  method: "POST",
  path: "/api/roomSetting",
  summary: "Create a room",
  access: "administrator",
  owners: "create",
  in: "body",
  input: z.object({
    name: roomName,
    roomOwnerId: owners.describe(ownersMeaning),
    room: chosenRoom
      .optional()
      .describe("The ID of the room, as a number or text; ten random digits when it is omitted."),
    ...shapeOf(allSettings, "create"),
  }),
  reply: typedSuccess("post roomSetting", { roomSetting: roomRecord }),
  status: 201,
  type: "post roomSetting",
  failure: "message",
  refusals: ["room_limit", "room_taken"],
  tagged: "always",
  notes: [recordsNobody],
});

export const openPersonalRoom = operation({
  id: "openPersonalRoom",
  changes: true,
  group: "Rooms",
  method: "POST",
  path: "/api/personalRoom",
  summary: "Return the caller's personal room, made when it is first used",
  access: "person",
  in: "nothing",
  input: nothing,
  reply: success({ roomSetting: roomRecord }),
  status: 200,
  failure: "message",
  refusals: ["not_allowed", "account_required", "room_limit"],
});

/** The texts of an edit that others see, as they are stored from now on. */
export const shownOfRoom = { name: roomName, ...shapeOf(allSettings, "sent") };

const roomToEdit = "The ID of the room to edit.";
const ownersToKeep = `${ownersMeaning} Required: send the current owners to keep them.`;

export const editRoom = operation({
  id: "editRoom",
  changes: true,
  group: "Rooms",
  method: "PUT",
  path: "/api/roomSetting",
  summary: "Edit a room: only what is supplied changes",
  access: "administrator",
  owners: "edit",
  in: "body",
  input: z
    .object({
      room: existingRoom.describe(roomToEdit),
      roomOwnerId: ownersOrNone.describe(ownersToKeep),
      ...supplied.in.shape,
    })
    .transform(({ room, roomOwnerId, roomPermalink, ...changes }) => ({
      room,
      owners: roomOwnerId,
      changes: roomPermalink === undefined ? changes : { roomPermaLink: roomPermalink, ...changes },
    })),
  // Older rooms' values are accepted, so that a fetched record can be sent back, but not offered.
  sent: z.object({
    room: z.union([z.number(), z.string()]).describe(roomToEdit),
    roomOwnerId: z.string().describe(ownersToKeep),
    ...supplied.in.shape,
  }),
  reply: typedSuccess("put roomSetting by Id", { roomSetting: extendedRecord }),
  status: 200,
  type: "put roomSetting by Id",
  failure: "typed message",
  refusals: ["room_not_found", "precondition_failed"],
  readOnly,
  tagged: "always",
  notes: [typeWaits, recordsNobody],
  conditional: true,
});

/** `:id` is the room ID. */
const byId = z.object({ id: pathId().describe("The ID of the room.") });

export const fetchRoom = operation({
  id: "fetchRoom",
  group: "Rooms",
  method: "GET",
  path: "/api/roomSetting/:id",
  summary: "Fetch a room",
  access: "token",
  in: "path",
  input: byId,
  reply: typedSuccess("get roomSetting by Id", { roomSetting: roomRecord }),
  status: 200,
  type: "get roomSetting by Id",
  failure: "typed message",
  refusals: ["room_not_found"],
  tagged: "always",
});

/** The fields by which lists of rooms are sorted; the last two are Parley's own. */
export const roomSortFields = ["name", "createdAt", "updatedAt", "naturalName", "status"] as const;

/** The values of `roomStatus`. */
export const roomStatuses = ["free", "busy", "occupied"] as const;
export type RoomStatus = (typeof roomStatuses)[number];
export type RoomType = (typeof roomTypes)[number];

const withoutOwner = "true: only rooms that nobody owns, or only people who are revoked.";

const roomPage = z.object({
  page: queryPage,
  limit: queryLimit,
  sortBy: z
    .enum(roomSortFields, { error: says("invalid_room_sort_field") })
    .default("name")
    .describe(
      'The field that orders the list. naturalName: by name, with "Room 2" before "Room 10"; status: rooms in use first, then by naturalName.',
    ),
  sortOrder,
  search,
  find: textField(200, { pasted: true })
    .default("")
    .describe(
      "A literal part of a room's name or ID, and for administrators and access keys of an owner's name or email.",
    ),
  roomType: choice(roomTypes).optional().describe("Only rooms of this type."),
  roomStatus: choice(roomStatuses).optional().describe("Only rooms with this status."),
  userFilter: textField(128, { pasted: true })
    .default("")
    .describe("A user ID: only rooms that this person owns."),
  withoutOwner: queryFlag().default(false).describe(withoutOwner),
});

export const listRooms = operation({
  id: "listRooms",
  compressed: "without secrets",
  group: "Rooms",
  method: "GET",
  path: "/api/roomSetting/paginated",
  summary: "List rooms in pages",
  access: "token",
  in: "query",
  input: roomPage,
  sent: roomPage.extend({
    page: sentPage,
    limit: sentLimit,
    withoutOwner: flag().default(false).describe(withoutOwner),
  }),
  reply: typedSuccess("get all roomSetting with pagination", {
    roomSettings: z.array(roomRecord),
    pagination,
  }),
  status: 200,
  type: "get all roomSetting with pagination",
  failure: "typed error",
  fault: { code: "database_connection", detail: false },
  list: "roomSettings",
  refusals: [],
});

export const deleteRoom = operation({
  id: "deleteRoom",
  fresh: "sometimes",
  changes: true,
  group: "Rooms",
  method: "DELETE",
  path: "/api/roomSetting/:id",
  summary: "Delete a room with its settings, recordings and meeting history",
  access: "administrator",
  in: "path",
  input: byId,
  reply: typedSuccess("deleteRoomSettingById", {}),
  status: 200,
  otherStatus: { status: 202, when: "The room is in use: it is removed when the meeting ends." },
  type: "deleteRoomSettingById",
  failure: "typed message",
  refusals: ["room_not_found"],
});
