import type { Operations } from "../index.ts";

/*
 * The operations that take the ID that an operation answers, for the `links` of the OpenAPI document.
 */

/**
 * From an answer to an operation: a place in the answer, and the parameter that takes what is there. Without a
 * parameter it is the whole body. One field of a body cannot be linked to (OpenAPI 3.1, 4.8.20).
 */
export interface AnswerLink {
  readonly to: keyof Operations;
  readonly parameter?: string;
  readonly at: string;
}

const from = (at: string, to: Partial<Readonly<Record<keyof Operations, string>>>): AnswerLink[] =>
  Object.entries(to).map(([operation, parameter]) => ({
    to: operation as keyof Operations,
    parameter,
    at,
  }));

const editedAsItIs: AnswerLink = { to: "editRoom", at: "/roomSetting" };

export const links: Partial<Readonly<Record<keyof Operations, readonly AnswerLink[]>>> = {
  createRoom: [
    ...from("/roomSetting/room", {
      fetchRoom: "id",
      deleteRoom: "id",
      getMeeting: "roomId",
      listMeetings: "roomId",
      listRecordings: "roomId",
      fetchSchedule: "id",
      listBans: "roomId",
    }),
    editedAsItIs,
  ],
  fetchRoom: [editedAsItIs],
  createUser: from("/user/id", { listRooms: "userFilter", exportUser: "userId" }),
  createAccessKey: from("/accessKey/accessKey", { removeAccessKey: "id" }),
  createWebhook: from("/webhook/id", {
    testWebhook: "id",
    rotateWebhookSecret: "id",
    removeWebhook: "id",
    listDeliveries: "webhookId",
  }),
  createProvider: from("/provider/id", { testProvider: "id", removeProvider: "id" }),
  testWebhook: from("/deliveryId", { replayDelivery: "id" }),
  createImport: from("/import/id", { listImportLines: "importId", removeImport: "id" }),
  getMeeting: from("/meeting/meetingId", {
    getAttendance: "meetingId",
    getTranscript: "meetingId",
  }),
  startRecording: from("/recording/recordingId", {
    fetchRecording: "recordingId",
    deleteRecording: "recordingId",
    listRecordingLinks: "recordingId",
  }),
  createRecordingLink: from("/link/linkId", { revokeRecordingLink: "linkId" }),
};
