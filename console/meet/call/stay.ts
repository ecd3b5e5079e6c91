import { ParleyError } from "../../data/client.ts";

/** What a page that is loaded again needs to come back into its meeting. */
export interface Stay {
  readonly roomId: string;
  readonly peerName: string;
  readonly audio: boolean;
  readonly video: boolean;
  /** When the page was last inside, in milliseconds since 1970. */
  readonly at: number;
}

const NAME = "parley-stay";
/**
 * Who comes back later is asked first: a tab that a browser restores the next day must not open
 * somebody's camera in a meeting.
 */
const LONGEST = 60_000;

/** Remembers, in this tab only, that its page is inside. */
export const saveStay = (stay: Omit<Stay, "at">): void => {
  try {
    sessionStorage.setItem(NAME, JSON.stringify({ ...stay, at: Date.now() }));
  } catch {
    // Storage is forbidden: after a reload the person enters with a click.
  }
};

export const endStay = (): void => {
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // There is nothing to remove.
  }
};

/**
 * The stay of this tab's former page, once: where the page was reloaded, restored, or reached by the
 * browser's Back.
 */
export const takeStay = (roomId: string): Stay | undefined => {
  try {
    const stay = JSON.parse(sessionStorage.getItem(NAME) ?? "null") as Stay | null;
    endStay();
    const [way] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    if (stay?.roomId !== roomId || Date.now() - stay.at > LONGEST) return undefined;
    return way?.type === "reload" || way?.type === "back_forward" ? stay : undefined;
  } catch {
    return undefined;
  }
};

const PAUSE = 700;
const TRIES = 6;

/** Asks again while the seat of the former page is just being freed. */
export const untilFree = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (failure) {
      const isFull = failure instanceof ParleyError && failure.code === "seats_full";
      if (!isFull || tries === TRIES) throw failure;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
};
