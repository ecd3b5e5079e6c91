import { parley } from "../../data/client.ts";
import { closeDevices } from "./own-media.ts";
import { PATIENCE } from "./socket.ts";
import type { Entry, Meeting, Stage } from "./state.ts";
import type { Store } from "./store.ts";

/** The pause before a broken stream is reopened, in milliseconds. */
const AGAIN_MS = 2_000;

interface WatchingOptions {
  readonly store: Store<Meeting>;
  readonly roomId: string;
  readonly sessionToken: string | undefined;
}

const outside: Stage = { name: "before", watched: true };

/** The live stream of a room, which needs no seat. */
export const openWatching = ({ store, roomId, sessionToken }: WatchingOptions) => {
  let entry: Entry | undefined;

  /** @param until when to give up where there is no network */
  const open = async (until = 0): Promise<void> => {
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
      if (failure instanceof TypeError && performance.now() < until) return openLater(until);
      store.set({ stage: outside, failure });
      return;
    }
    closeDevices();
    const { playlist, roomName } = answer;
    store.set({ stage: { name: "watching", playlist, roomName }, failure: undefined });
  };

  const openLater = async (until: number): Promise<void> => {
    const { stage } = store.get();
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    if (store.get().stage === stage) await open(until);
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
      await openLater(performance.now() + PATIENCE);
    },

    stop: (): void => store.set({ stage: outside, failure: undefined }),
  };
};
