import { ParleyError, parley } from "../../kit/client.ts";
import type { Store } from "../../kit/store.ts";
import { Again } from "./again.ts";
import { closeDevices } from "./own-media.ts";
import { isAway } from "./seat.ts";
import type { Entry, Meeting, Stage } from "./state.ts";

/** The pauses before a broken stream is reopened, in milliseconds; later ones are as long as elsewhere. */
const PAUSES = [2_000, 4_000, 8_000, 8_000, 8_000, 8_000, 8_000] as const;

interface WatchingOptions {
  readonly store: Store<Meeting>;
  readonly room: () => string;
  readonly sessionToken: string | undefined;
  /** Called when the service has refused the stream. */
  readonly onRefused: () => Promise<void>;
}

/** Returns whether there is no stream any more: it has ended, or its link with the meeting. */
const isOver = (failure: unknown): boolean =>
  failure instanceof ParleyError && ["no_live_stream", "link_ended"].includes(failure.code ?? "");

const outside: Stage = { name: "before", quiet: true };

/** The live stream of a room, which needs no seat. */
export const openWatching = ({ store, room, sessionToken, onRefused }: WatchingOptions) => {
  let entry: Entry | undefined;

  /** @returns whether there is nothing left to try */
  const open = async (isAgain: boolean, signal?: AbortSignal): Promise<boolean> => {
    const { stage } = store.get();
    const { peerName = "", password = "" } = entry ?? {};
    const answer = await parley
      .watchStream(
        {
          roomId: room(),
          ...(peerName === "" ? {} : { peerName }),
          ...(password === "" ? {} : { password }),
          ...(sessionToken === undefined ? {} : { sessionToken }),
        },
        signal && { signal },
      )
      .catch((failure: unknown) => ({ failure }));
    // The person has moved on meanwhile: to a seat, or away from the stream.
    if (store.get().stage !== stage) return true;
    if ("failure" in answer) {
      const { failure } = answer;
      if (isAgain && isAway(failure)) return false;
      if (isAgain && isOver(failure)) {
        store.set({ stage: { name: "ended", reason: "stream_over", message: "" } });
        return true;
      }
      store.set({ stage: outside, failure });
      await onRefused();
      return true;
    }
    closeDevices();
    const { playlist, roomName } = answer;
    store.set({ stage: { name: "watching", playlist, roomName }, failure: undefined });
    return true;
  };
  const reopening = new Again((signal) => open(true, signal), PAUSES);

  return {
    watch: async (next: Entry): Promise<void> => {
      entry = next;
      await open(false);
    },

    /** The stream has broken off: reopens it, or says why it cannot. */
    again: (): void => {
      const { stage } = store.get();
      if (stage.name !== "watching" || stage.playlist === undefined) return;
      store.set({ stage: { ...stage, playlist: undefined } });
      reopening.reset();
      reopening.start();
    },

    /** Back to the page of a meeting whose stream is over. */
    goBack: async (): Promise<void> => {
      store.set({ stage: outside, failure: undefined });
      await onRefused();
    },

    stop: (): void => {
      reopening.stop();
      store.set({ stage: outside, failure: undefined });
    },
  };
};
