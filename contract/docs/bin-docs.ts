import type { Operations } from "../index.ts";
import { fieldErrorFields } from "../kit/field-error.ts";
import type { Reply } from "../kit/operation.ts";
import type { Pagination } from "../kit/pages.ts";
import { texts } from "../kit/texts.ts";
import type { BinEntry } from "../organization/bin.ts";
import type { Example, MeaningsOf } from "./kit.ts";
import { points } from "./kit.ts";

/*
 * Descriptions of the operations of the recycle bin, on several rooms and of handing over rooms, meanings of
 * their answers' fields, and examples, for the OpenAPI document and /docs. Neither the client nor the console
 * imports this file.
 */

export type BinOperation =
  | "editRooms"
  | "deleteRooms"
  | "findRoomsInUse"
  | "binRooms"
  | "binUsers"
  | "listBin"
  | "restoreFromBin"
  | "deleteFromBin"
  | "handOverRooms";

export const binDescriptions: Readonly<Record<BinOperation, string>> = {
  editRooms: points(
    "Gives up to 100 rooms the same settings, the same owners or both, as `editRoom` does; what is omitted stays.",
    "A refused room stays as it is and is in `refused`, with the code and text of `editRoom`; the others change.",
    "The history has one entry for all (`roomsEdited`), from which `undoChange` takes them back as one.",
    "If the organization lets owners edit their rooms (`ownersMay`), an owner may call it without `admin` for settings; other rooms are answered as unknown.",
  ),
  deleteRooms:
    "Deletes up to 100 rooms: into the recycle bin where the organization has one, as binRooms does, otherwise permanently, as deleteRoom does. A room that is refused is in `refused`; the others are deleted. The history has one entry for all of them (`roomsDeleted`), from which `undoChange` restores what rests in the bin.",
  findRoomsInUse:
    "Returns which of up to 100 rooms are in use, since when, and how many people are inside each. Rooms that are free or unknown, and for a person without `admin` also the rooms of others, are not in the answer.",
  binRooms:
    "Deletes rooms into the recycle bin, all of them or none. No answer has them, nobody can enter them, and they do not count toward the limit. They stay in the bin for `binDays` with everything that they had; their IDs stay taken. A meeting in a room in use goes on for the people inside. Refused where the organization has no bin.",
  binUsers:
    "Deletes revoked people into the recycle bin, all of them or none. No answer has them, and their email addresses are free. They stay in the bin for `binDays` with everything that they had; their usernames stay taken. Refused where the organization has no bin.",
  listBin: "Returns one page of what rests in the recycle bin, the newest deletions first.",
  restoreFromBin:
    "Restores rooms and people, all of them or none. A room comes back with everything that it had, within the limit of rooms, and to those of its owners who are not deleted permanently. A person comes back revoked, and owns again the rooms that nobody gave to others meanwhile. Refuses a person whose email address another account has now, and names the entry (`ids[0]`).",
  deleteFromBin:
    "Permanently deletes a room or person that rests, as deleteRoom and deleteUsers do without a recycle bin. This cannot be undone.",
  handOverRooms: points(
    "Gives a person's rooms to one heir or several, who take the person's place among the owners. Heirs must be in the organization and not revoked.",
    "Up to 50 rooms change owners before the response, the rest in the background: `left` says how many. Until then they belong to the person, or to nobody if the person is deleted.",
    "Heirs who are revoked meanwhile get nothing more; without any, the rest stay (`handOverStopped`).",
    "The rooms of one piece are taken back together. A hand-over of more than 50 has an entry of its own (`roomsHandedOver`), from which `undoChange` takes it back as one.",
  ),
};

const entry: MeaningsOf<BinEntry> = {
  id: "The ID of the entry, for restoring and deleting.",
  kind: "room or user.",
  subjectId: "The room ID, or the user ID.",
  name: "The name of the room or person.",
  email: "The person's email address; null for a room.",
  deletedAt: "When it was deleted: ISO 8601, UTC.",
  endsAt: "When it is deleted permanently: ISO 8601, UTC.",
};

const refused = {
  is: "The rooms that stay as they are, in the order of the request.",
  fields: {
    room: "The room ID.",
    code: "Why, as a code.",
    message: "Why, in words.",
    errors: { is: "What is wrong, field by field.", fields: fieldErrorFields },
  },
};
const wholeEntry =
  "The number of the entry of the history, for `undoChange`; null if every room was refused.";

/** The meanings of the answers' fields. */
export const binFields = (pagination: {
  readonly is: string;
  readonly fields: MeaningsOf<Pagination>;
}): { readonly [K in BinOperation]: MeaningsOf<Reply<Operations[K]>> } => ({
  editRooms: { edited: "The IDs of the rooms that were edited.", refused, entry: wholeEntry },
  deleteRooms: {
    deleted: "The IDs of the rooms that were deleted.",
    inUse: "The IDs of those in which somebody still is.",
    refused,
    entry: wholeEntry,
  },
  findRoomsInUse: {
    rooms: {
      is: "The rooms in use.",
      fields: {
        room: "The room ID.",
        since: "When the first person came: ISO 8601, UTC.",
        inside: "How many people are inside.",
      },
    },
  },
  binRooms: {
    ids: "The IDs of the entries of the bin.",
    inUse: "The IDs of the rooms in which somebody still is.",
  },
  binUsers: { ids: "The IDs of the entries of the bin." },
  listBin: { entries: { is: "The entries on the page.", fields: entry }, pagination },
  restoreFromBin: {},
  deleteFromBin: {},
  handOverRooms: {
    handedOver: "How many rooms have new owners now.",
    left: "How many rooms are still to be handed over, in the background.",
  },
});

const success = true;
const userId = "0199c2a4-91f0-7a3b-8c45-2e7d1b9f6a08";
const id = "0199c2d7-3f81-7c60-8a2e-5b9d1f4c7e36";

/** An example of every request and answer. */
export const binExamples: { readonly [K in BinOperation]: Example<Operations[K]> } = {
  editRooms: {
    request: { rooms: ["4815162342", "1623421508"], enableRecording: true },
    answer: {
      success,
      edited: ["4815162342"],
      refused: [{ room: "1623421508", code: "room_not_found", message: texts.room_not_found.text }],
      entry: 412,
    },
  },
  deleteRooms: {
    request: { rooms: ["4815162342"] },
    answer: { success, deleted: ["4815162342"], inUse: [], refused: [], entry: 413 },
  },
  findRoomsInUse: {
    request: { rooms: ["4815162342"] },
    answer: {
      success,
      rooms: [{ room: "4815162342", since: "2026-01-14T16:05:12.480Z", inside: 4 }],
    },
  },
  binRooms: { request: { rooms: ["4815162342"] }, answer: { success, ids: [id], inUse: [] } },
  binUsers: {
    request: { userIds: [userId] },
    answer: { success, ids: [userId] },
  },
  listBin: {
    request: { page: 1, limit: 25, kind: "room" },
    answer: {
      success,
      entries: [
        {
          id,
          kind: "room",
          subjectId: "4815162342",
          name: "Board meeting",
          email: null,
          deletedAt: "2026-01-14T16:05:12.480Z",
          endsAt: "2026-02-13T16:05:12.480Z",
        },
      ],
      pagination: { page: 1, limit: 25, total: 1, totalPages: 1 },
    },
  },
  restoreFromBin: { request: { ids: [id] }, answer: { success } },
  deleteFromBin: { request: { id }, answer: { success } },
  handOverRooms: {
    request: { userId, heirs: ["0199c2a4-a5d3-7e18-9f60-4b7c2d8e1a35"] },
    answer: { success, handedOver: 4, left: 0 },
  },
};
