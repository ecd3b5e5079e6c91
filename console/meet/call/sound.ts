import { createStore } from "../../kit/store.ts";

/** Whether the browser blocks sound until the person clicks. */
export const sound = createStore({ isBlocked: false });

export const notifyBlocked = (): void => sound.set({ isBlocked: true });

/** Plays every sound of the page; to be called on a click. */
export const playAll = async (): Promise<void> => {
  const all = document.querySelectorAll<HTMLAudioElement>("audio[data-sound]");
  await Promise.allSettled([...all].map((audio) => audio.play()));
  sound.set({ isBlocked: false });
};
