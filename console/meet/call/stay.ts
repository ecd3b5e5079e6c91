import type { PeerType } from "../../../contract/meetings/meetings.ts";

/** The values that a reloaded page needs to return to its meeting. */
export interface Stay {
  readonly roomId: string;
  readonly peerName: string;
  readonly audio: boolean;
  readonly video: boolean;
  /** The role to ask for; inside it is known to the service. */
  readonly peerType: PeerType | undefined;
  /** True if the person waits before the door. */
  readonly waits: boolean;
  /** True if they wait for a seat. */
  readonly waitsForSeat?: boolean;
  /** True if this is the person's second device. */
  readonly secondDevice?: boolean;
  /** When the page was last inside, in milliseconds since 1970. */
  readonly at: number;
}

/**
 * People who come back later are asked first: a tab that a browser restores the next day must not turn on a
 * camera in a meeting.
 */
const LONGEST = 60_000;
/** As long as the service keeps a place before the door, in milliseconds. */
const LONGEST_WAIT = 600_000;
/** Browsers refuse very frequent changes of their history. */
const OFTEN = 5_000;

let saved = "";
let savedAt = 0;

/**
 * Remembers in its entry of the browser's history that this page is inside: a reload, a restored tab and Back
 * find it there, but a new visit does not. Storage would be forbidden in a frame.
 */
export const saveStay = (stay: Omit<Stay, "at">): void => {
  const at = Date.now();
  const text = JSON.stringify(stay);
  if (text === saved && at - savedAt < OFTEN) return;
  saved = text;
  savedAt = at;
  history.replaceState({ ...stay, at } satisfies Stay, "");
};

export const endStay = (): void => {
  saved = "";
  history.replaceState(null, "");
};

/** The stay of the previous page, returned once; undefined: there was none recently. */
export const takeStay = (roomId: string): Stay | undefined => {
  const stay = history.state as Stay | null;
  if (stay !== null) endStay();
  if (stay?.roomId !== roomId) return undefined;
  const age = Date.now() - stay.at;
  if (age < LONGEST) return stay;
  return stay.waits && age < LONGEST_WAIT ? { ...stay, audio: false, video: false } : undefined;
};
