import { parley } from "../../data/client.ts";
import { closeDevices } from "./own-media.ts";
import type { Entry, Meeting, Stage } from "./state.ts";
import type { Store } from "./store.ts";

/** The pause before a stream that broke off is opened again, in milliseconds. */
const AGAIN_MS = 2_000;

interface WatchingOptions {
  readonly store: Store<Meeting>;
  readonly roomId: string;
  readonly sessionToken: string | undefined;
}

/** The live stream of a room, which needs no seat. */
export const openWatching = ({ store, roomId, sessionToken }: WatchingOptions) => {
  let entry: Entry | undefined;

  const open = async (): Promise<void> => {
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
    // The person has gone on meanwhile: to a seat, or away from the stream.
    if (store.get().stage !== stage) return;
    if ("failure" in answer) {
      store.set({ stage: { name: "before" }, failure: answer.failure });
      return;
    }
    closeDevices();
    const { playlist, roomName } = answer;
    store.set({ stage: { name: "watching", playlist, roomName }, failure: undefined });
  };

  return {
    watch: (next: Entry): Promise<void> => {
      entry = next;
      return open();
    },

    /** The stream has broken off: goes on, or says why it cannot. */
    again: async (): Promise<void> => {
      const { stage } = store.get();
      if (stage.name !== "watching" || stage.playlist === undefined) return;
      const pause: Stage = { ...stage, playlist: undefined };
      store.set({ stage: pause });
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      if (store.get().stage === pause) await open();
    },

    stop: (): void => store.set({ stage: { name: "before" }, failure: undefined }),
  };
};
