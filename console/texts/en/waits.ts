import { counted } from "./plural.ts";

/** What something in a meeting waits for that takes a recorder. */
export interface Waits {
  /** How many others are before it. */
  readonly before: number;
  /** Whether no machine has a recorder now. */
  readonly isMissing: boolean;
  /** What of the same meeting has a recorder. */
  readonly holders: readonly ("recording" | "stream" | "transcription")[];
}

const names = { recording: "recording", stream: "live stream", transcription: "transcription" };
const list = new Intl.ListFormat("en");

/** `waits("Recording begins", ...)`: when, and what it waits for. */
export const waits = (what: string, { before, isMissing, holders }: Waits): string => {
  if (isMissing) {
    return `${what} when there is a recorder again. An operator can see what is missing: parley doctor.`;
  }
  const when =
    before === 0
      ? `${what} as soon as a recorder is free.`
      : `${what} when a recorder is free: ${counted(before, "other waits", "others wait")} before it.`;
  if (holders.length === 0) return when;
  const uses = holders.length === 1 ? "uses one" : "use one each";
  return `${when} This meeting's ${list.format(holders.map((one) => names[one]))} ${uses}.`;
};
