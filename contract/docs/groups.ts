import type { Operation } from "../kit/operation.ts";

/** What the operations of each group are for. */
export const groups: Readonly<Record<Operation["group"], string>> = {
  Rooms: "Create, edit, list and delete rooms with their settings.",
  Users: "Create, edit, list, suspend, revoke and delete people.",
  Access: "Get tokens, sign in and out, and keep one's own account.",
  Organization: "The organization: its settings, look, limits, access keys and emails.",
  Meetings: "Invite, enter, watch over and moderate meetings; who was in them; dates of rooms.",
  Recordings: "Record meetings; play, download, rename, share and delete recordings.",
  Live: "Stream meetings live, by RTMP or to viewers without seats.",
  Transcripts: "Transcribe meetings; read, search and delete what was said.",
  History: "Who changed what and when; take changes back.",
  Imports: "Bring people and rooms in from files.",
  "Recycle bin": "Delete rooms and people so that they can come back.",
  Webhooks: "Tell other services what happens, and see what was sent.",
  Usage: "How much the organization, its rooms and its people are used.",
};
