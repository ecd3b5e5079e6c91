import type { CommandName, Commands } from "../../../contract/meetings/commands.ts";
import type { MediaPath } from "../../../contract/meetings/meetings.ts";
import type { Allowed, View } from "../../../contract/meetings/socket.ts";
import { notify } from "../../kit/notices.tsx";
import type { Store } from "../../kit/store.ts";
import { m } from "../../texts/meet.ts";
import { adapterFor } from "./adapter.ts";
import type { MediaAdapter } from "./media.ts";
import { giveUp } from "./own-media.ts";
import { openPublisher, type Publisher } from "./publish.ts";
import { watchQuality } from "./quality.ts";
import { watchSpeaking } from "./speaking.ts";
import type { Meeting } from "./state.ts";

interface CarrierOptions {
  readonly store: Store<Meeting>;
  readonly send: <K extends CommandName>(name: K, input: Commands[K]) => Promise<void>;
  /** Called once pictures and sound can be sent. */
  readonly onOpen: () => void;
}

/** Carries this person's pictures and sound and those of the others, for one seat at a time. */
export const createCarrier = ({ store, send, onOpen }: CarrierOptions) => {
  let adapter: MediaAdapter | undefined;
  let publisher: Publisher | undefined;
  let stopWatching: (() => void) | undefined;
  let stopMeasuring: (() => void) | undefined;
  /** The ticket whose media are open, or are being opened. */
  let carried: string | undefined;

  const show = (): void => {
    if (adapter) store.set({ people: adapter.people(), ownWay: adapter.own() });
  };

  return {
    /** Once per seat. Direct media wait until the people inside are known; the engine's do not need to. */
    open: async (ticket: string, media: MediaPath, view?: View): Promise<void> => {
      if (carried === ticket || (media.type === "direct" && !view)) return;
      carried = ticket;
      try {
        const opened = await adapterFor({
          media,
          ticket,
          view,
          signal: (to, data) => send("signal", { to, data }),
          onChange: show,
          onFailure: (source, track, problem) => {
            giveUp(source, track, problem);
            // A camera or microphone has a banner; a shared screen has none.
            const isUnsentShare = source === "share" && problem === "unsent";
            if (isUnsentShare) notify({ text: m.notices.shareFailed, kind: "failed" });
          },
        });
        // The meeting may have ended while the engine's client was loading.
        if (carried !== ticket) return opened.close();
        adapter = opened;
      } catch (failure) {
        // After an upgrade the service no longer has the files that this page requests.
        console.warn("What carries pictures and sound cannot be loaded", failure);
        if (carried !== ticket) return;
        carried = undefined;
        return store.set({ mediaFailed: true });
      }
      publisher = openPublisher(adapter, (flags) => void send("media", flags).catch(() => {}));
      stopWatching = watchSpeaking(
        () => {
          const { view: now } = store.get();
          return adapter && now && { you: now.you.peerId, peers: now.peers, adapter };
        },
        (speaking) => store.set({ speaking }),
      );
      stopMeasuring = watchQuality(
        async () => (await adapter?.stats()) ?? new Map(),
        (ownQuality) => {
          const { level } = store.get().ownQuality ?? {};
          store.set({ ownQuality });
          if (level !== ownQuality.level)
            void send("quality", { level: ownQuality.level }).catch(() => {});
        },
      );
      store.set({ mediaFailed: false });
      // Opened before the people inside were known.
      const { view: now } = store.get();
      if (now) adapter.update(now);
      show();
      onOpen();
    },

    /** Takes the people inside, and what may be sent. */
    update: (view: View): void => adapter?.update(view),
    /** A signal from another browser. */
    receive: (from: string, data: string): void => adapter?.receive(from, data),
    /** After the meeting socket has reconnected, or has lost signals. */
    resume: (): void => {
      adapter?.resume();
      publisher?.repeat();
    },
    /** Reports again what is on. */
    repeat: (): void => publisher?.repeat(),
    /** Sends what is on and allowed. @param allowed called only once something can be sent */
    settle: (allowed: () => Allowed): void => publisher?.settle(allowed()),

    close: (): void => {
      stopWatching?.();
      stopMeasuring?.();
      store.set({ ownQuality: undefined });
      adapter?.close();
      carried = undefined;
      adapter = undefined;
      publisher = undefined;
    },
  };
};
