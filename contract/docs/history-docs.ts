import type { HistoryEntry } from "../history/history.ts";
import { fieldErrorFields } from "../kit/field-error.ts";
import type { Pagination } from "../kit/pages.ts";
import type { MeaningsOf } from "./kit.ts";

/*
 * The meanings of the fields of the history's answers, for the OpenAPI document and /docs. Neither the
 * client nor the console imports this file.
 */

const entry: MeaningsOf<HistoryEntry> = {
  number: "The number of the entry, from 1, without gaps.",
  at: "When it happened: ISO 8601, UTC.",
  kind: "What happened.",
  changeId: "The same for all entries of one request.",
  actor: {
    is: "Who did it.",
    fields: {
      kind: "user, accessKey, operator (at the command line), service (Parley itself, such as what ends after the organization's days) or anyone (a refused sign-in).",
      id: "The ID of the person, or the access key; null for others.",
      name: "The name at that time; null once erased.",
      address:
        "Where the request came from; null at the command line, for the service, and once erased.",
    },
  },
  subject: {
    is: "What was changed.",
    fields: {
      kind: "room, user, recording, accessKey, webhook, provider or organization.",
      id: "The room ID, the ID of the person, recording, webhook, provider or organization, or the access key.",
      name: "The name at that time, of a webhook scheme and host of its address; null once erased.",
      roomId:
        "The room ID: of the room, of the recording's room, or of the room from which the person is excluded; null for all else, and for older entries of recordings that were deleted since.",
    },
  },
  before: {
    is: "The fields that changed, as they were; null where there was nothing, and once erased. A password, key, or address that may hold one, that was set is (set).",
    fields: {},
  },
  after: {
    is: "The same fields as they are since; null where nothing is left, and once erased.",
    fields: {},
  },
  undoes: "The number of the entry that this one takes back; null for all others.",
  partOf:
    "The number of the entry of the import, hand-over or undoing of which this is a part; null for all others.",
  erased: "Whether something was erased because a person was deleted permanently.",
};

/** The meanings of the fields of answers about the history. */
export const historyFields = (pagination: {
  readonly is: string;
  readonly fields: MeaningsOf<Pagination>;
}) =>
  ({
    listHistory: { entries: { is: "The entries on the page.", fields: entry }, pagination },
    exportHistory: {},
    undoChange: {
      undone: "The numbers of the entries that were taken back.",
      left: "How many entries `continueUndo` takes back; 0: all of them are.",
    },
    continueUndo: {
      undo: {
        is: "How far it is.",
        fields: {
          number: "The number of the entry that is taken back.",
          state:
            "checking: whether nothing changed since; running: it is taken back; done: nothing is left.",
          entries: "How many entries the whole has.",
          done: "How many are checked, in state checking; later, how many are taken back or stay.",
          stayed: "How many of these stay, because they changed after the check.",
          errors: {
            is: "What changed after the check, as far as this request came.",
            fields: {
              ...fieldErrorFields,
              field: "The ID of the room or person, and the field.",
              message: "Its current value, or why it stays.",
            },
          },
        },
      },
    },
  }) as const;
