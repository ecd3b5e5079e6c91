import { useEffect } from "react";
import type { Allowed } from "../../../contract/meetings/socket.ts";
import type { Appearance, Hideable } from "../../embed/protocol.ts";
import { m } from "../../texts/meet.ts";
import { kept } from "../call/kept.ts";
import { canShare } from "../call/own-media.ts";
import { meeting } from "../connection.ts";
import { embedding } from "../embed/embedding.ts";
import type { RoomDialog } from "./more-menu.tsx";

/** The shortcuts, with their descriptions in the help. */
export const keys = {
  M: m.keys.mute,
  V: m.keys.camera,
  H: m.keys.hand,
  S: m.keys.share,
  C: m.keys.chat,
  P: m.keys.people,
  L: m.keys.layout,
  "?": m.keys.keys,
} as const;

/** The shortcuts of what the page around this one can hide. */
const hiddenWith: Readonly<Record<string, Hideable>> = {
  H: "hand",
  S: "share",
  C: "chat",
  P: "people",
  L: "layout",
};

/** Returns whether the page around this one hides what a shortcut does. */
export const isHiddenKey = (key: string, { hide }: Pick<Appearance, "hide">): boolean =>
  hide.some((one) => one === hiddenWith[key]);

const TYPING = 'input, textarea, select, [contenteditable], [role="menu"], [role="dialog"]';

const isTyping = ({ target }: KeyboardEvent): boolean =>
  (target instanceof Element && target.closest(TYPING) !== null) ||
  document.querySelector('[role="dialog"][aria-modal="true"]') !== null;

/** Makes single keys do what the buttons of the bar do. */
export const useKeys = (allowed: Allowed, open: (dialog: RoomDialog) => void): void => {
  useEffect(() => {
    const panel = (wanted: "chat" | "people") =>
      meeting.show(meeting.get().panel === wanted ? "none" : wanted);
    const actions: Record<keyof typeof keys, () => unknown> = {
      M: () => allowed.audio && meeting.toggle("audio"),
      V: () => allowed.video && meeting.toggle("video"),
      H: () => meeting.toggleHand(),
      S: () => allowed.share && canShare() && meeting.toggleShare(),
      C: () => panel("chat"),
      P: () => panel("people"),
      L: () => meeting.toggleLayout(),
      "?": () => open("keys"),
    };
    const onKey = (event: KeyboardEvent): void => {
      const key = event.key.toUpperCase();
      const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.repeat;
      if (!isPlain || !(key in actions) || !kept().keys || isTyping(event)) return;
      if (isHiddenKey(key, embedding.get())) return;
      event.preventDefault();
      void actions[key as keyof typeof keys]();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [allowed, open]);
};
