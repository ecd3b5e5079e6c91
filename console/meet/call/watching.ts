import { ParleyError, parley } from "../../data/client.ts";
import type { Store } from "../../data/store.ts";
import { closeDevices } from "./own-media.ts";
import { PATIENCE } from "./socket.ts";
import type { Entry, Meeting, Stage } from "./state.ts";

/** The pause before a broken stream is reopened, and the longest of those that follow, in milliseconds. */
const AGAIN_MS = 2_000;
const LONGEST_MS = 8_000;

interface WatchingOptions {
  readonly store: Store<Meeting>;
  readonly roomId: string;
  readonly sessionToken: string | undefined;
  /** Called when the service has refused the stream. */
  readonly onRefused: () => Promise<void>;
}

/** Whether the service cannot be reached, or a proxy before it says so: it may be starting again. */
const isAway = (failure: unknown): boolean =>
  failure instanceof ParleyError ? failure.status >= 500 : failure instanceof TypeError;

const outside: Stage = { name: "before", watched: true };

/** The live stream of a room, which needs no seat. */
export const openWatching = ({ store, roomId, sessionToken, onRefused }: WatchingOptions) => {
  let entry: Entry | undefined;

  /**
   * @param until when to give up where the service is away
   * @param pause before the next try
   */
  const open = async (until = 0, pause = AGAIN_MS): Promise<void> => {
    const { stage } = store.get();
    const { peerName = "", password = "" } = entry ?? {};
    const answer = await parley
      .watchStream({
        roomId,
        ...(peerName === "" ? {} : { peerName }),
        ...(password === "" ? {} : { password }),
        ...(sessionToken === undefined ? {} : { sessionToken }),
      })
      .catch((failure: unknown) => ({ failure }));
    // The person has moved on meanwhile: to a seat, or away from the stream.
    if (store.get().stage !== stage) return;
    if ("failure" in answer) {
      const { failure } = answer;
      if (isAway(failure) && performance.now() < until) return openLater(until, pause);
      store.set({ stage: outside, failure });
      return onRefused();
    }
    closeDevices();
    const { playlist, roomName } = answer;
    store.set({ stage: { name: "watching", playlist, roomName }, failure: undefined });
  };

  const openLater = async (until: number, pause: number): Promise<void> => {
    const { stage } = store.get();
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (store.get().stage === stage) await open(until, Math.min(2 * pause, LONGEST_MS));
  };

  return {
    watch: (next: Entry): Promise<void> => {
      entry = next;
      return open();
    },

    /** The stream has broken off: reopens it, or says why it cannot. */
    again: async (): Promise<void> => {
      const { stage } = store.get();
      if (stage.name !== "watching" || stage.playlist === undefined) return;
      store.set({ stage: { ...stage, playlist: undefined } });
      await openLater(performance.now() + PATIENCE, AGAIN_MS);
    },

    stop: (): void => store.set({ stage: outside, failure: undefined }),
  };
};
