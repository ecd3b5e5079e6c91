import type { Attach } from "../meet/call/media.ts";

/** Adds a received sound to an audio graph. Returns a function that removes it. */
export const soundInto = (context: AudioContext, attach: Attach, to: AudioNode): (() => void) => {
  // Chromium decodes received sound only while an element plays it (crbug.com/933677).
  const element = new Audio();
  const detach = attach(element);
  element.muted = true;
  void element.play().catch(() => {});
  const node = context.createMediaStreamSource(element.srcObject as MediaStream);
  node.connect(to);
  return () => {
    node.disconnect();
    detach();
  };
};
