import type { Allowed, View } from "../../../contract/meetings/socket.ts";
import { notify } from "../../kit/notices.tsx";
import { m } from "../../texts/meet.ts";
import { ownMedia, startShare, stopShare } from "./own-media.ts";

interface PresentingOptions {
  readonly view: () => View | undefined;
  /**
   * Asks for the only presenter's place. Returns false if it is refused; the person has then been notified.
   */
  readonly take: () => Promise<boolean>;
  readonly giveBack: () => void;
}

/** This person's shared screen: if there is only one presenter's place, sharing ends with the place. */
export const openPresenting = ({ view, take, giveBack }: PresentingOptions) => {
  let isAsking = false;

  const ask = async (): Promise<void> => {
    isAsking = true;
    if (!(await take())) stopShare();
    isAsking = false;
  };

  /** Shares a screen. Returns whether one is shared now. @throws DOMException as the browser does */
  const start = async (): Promise<boolean> => {
    if (isAsking) return ownMedia.get().share !== null;
    isAsking = true;
    try {
      const isShared = await startShare();
      if (isShared && view()?.allowed.presenterOnly === true) await ask();
      return ownMedia.get().share !== null;
    } finally {
      isAsking = false;
    }
  };

  return {
    start,

    /** After the meeting or what is shared has changed. Returns what may be sent now. */
    settle: ({ allowed, meeting: { presenter }, you }: View): Allowed => {
      if (!allowed.presenterOnly) return allowed;
      const isPresenter = presenter === you.peerId;
      if (presenter !== null && !isPresenter) stopShare();
      const isShared = ownMedia.get().share !== null;
      // The room was edited before the service knew of this share, or the place has become free.
      if (presenter === null && isShared && !isAsking) void ask();
      if (isPresenter && !isShared && !isAsking) giveBack();
      return { ...allowed, share: allowed.share && isPresenter };
    },

    toggle: async (): Promise<void> => {
      if (ownMedia.get().share !== null) return stopShare();
      try {
        await start();
      } catch {
        notify({ text: m.notices.shareFailed, kind: "failed" });
      }
    },
  };
};
