/** A description with a list below its first paragraph, in Markdown. */
export const points = (first: string, ...rest: readonly string[]): string =>
  [first, "", ...rest.map((point) => `- ${point}`)].join("\n");

/** Who may moderate, record, stream or transcribe a meeting, for the descriptions of operations. */
export const whoModerates =
  "For administrators, access keys and the room's owners; a moderator inside sends the same over the meeting socket. Every other room is answered as unknown.";
