import { counted } from "./plural.ts";

/** What something in a meeting that needs a recorder waits for. */
export interface Waits {
  /** How many others are before it. */
  readonly before: number;
  /** Whether no machine currently has a recorder. */
  readonly isMissing: boolean;
  /** Which captures of the same meeting have a recorder. */
  readonly holders: readonly ("recording" | "stream" | "transcription")[];
}

const names = { recording: "recording", stream: "live stream", transcription: "transcription" };
const list = new Intl.ListFormat("en");

/** `waits("Recording begins", ...)`: when it begins, and what it waits for. */
export const waits = (what: string, { before, isMissing, holders }: Waits): string => {
  if (isMissing) {
    return `${what} when there is a recorder again. Ask an administrator what is missing.`;
  }
  const when =
    before === 0
      ? `${what} as soon as a recorder is free.`
      : `${what} when a recorder is free: ${counted(before, "other is", "others are")} ahead of it.`;
  if (holders.length === 0) return when;
  const uses = holders.length === 1 ? "uses one" : "use one each";
  return `${when} This meeting's ${list.format(holders.map((one) => names[one]))} ${uses}.`;
};
