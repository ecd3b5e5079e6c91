import { useSyncExternalStore } from "react";
import type { Appearance, Hideable } from "../../embed/protocol.ts";
import { createStore } from "../../kit/store.ts";

/** How this page looks in the page that shows it in a frame; unchanged where there is none. */
export const embedding = createStore<Appearance>({ name: "", theme: "auto", hide: [] });

/** How this page is to look. */
export const useEmbedding = (): Appearance =>
  useSyncExternalStore(embedding.subscribe, embedding.get);

/** Tells whether the page around this one hides something. */
export const useHidden = (): ((what: Hideable) => boolean) => {
  const { hide } = useEmbedding();
  return (what) => hide.includes(what);
};
