/** Who may moderate a meeting, or record, stream or transcribe it, for the descriptions of operations. */
export const whoModerates =
  "For administrators, access keys and the room's owners; a moderator inside sends the same over the meeting socket. Every other room is answered as unknown.";
