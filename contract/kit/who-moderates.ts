/** Who may moderate, record, stream or transcribe a meeting, for the descriptions of operations. */
export const whoModerates =
  "For administrators, access keys and the room's owners; a moderator inside sends the same over the meeting socket. Every other room is answered as unknown.";
